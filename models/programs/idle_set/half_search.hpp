#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_HALF_SEARCH_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_HALF_SEARCH_HPP

#include "programs/idle_set/client.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct half_search : client<Model, 3> {
  static constexpr program_info about{
      "half_search", "at most half of the workers are let search, rounded up, and so many are", 3, reach::bounded};

  void thread(unsigned i) { this->begin_search(i); }

  void finish() {
    Model::check(this->searches() == 2, "not half of the workers were let search");
    this->settle();
  }
};

}  // namespace licit::models::on_idle_set

#endif
