#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_LAST_SEARCHER_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_LAST_SEARCHER_HPP

#include "programs/idle_set/client.hpp"
#include "programs/idle_set/wide.hpp"

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

template <class Model>
struct wide_last_searcher : last_searcher<wide<Model>> {
  static constexpr program_info about{"wide_last_searcher", "the same with the bits in words of their own", 2,
                                      reach::full};
};

}  // namespace licit::models::on_idle_set

#endif
