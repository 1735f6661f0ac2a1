#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_LAST_SEARCHER_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_LAST_SEARCHER_HPP

#include "programs/idle_set/client.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct last_searcher : client<Model, 3> {
  static constexpr program_info about{
      "last_searcher", "of two who end their search, by parking and by finding work, one is the last", 2, reach::full};

  last_searcher() {
    this->begin_search(0);
    this->begin_search(1);
  }

  void thread(unsigned i) { last_[i] = i == 0 ? this->park(0, true) : this->end_search(1); }

  void finish() {
    Model::check(last_[0] != last_[1], "nobody was the last searcher, or two were");
    this->settle();
  }

 private:
  bool last_[2] = {};  // each one thread's
};

}  // namespace licit::models::on_idle_set

#endif
