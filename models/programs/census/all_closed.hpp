#ifndef LICIT_MODELS_PROGRAMS_CENSUS_ALL_CLOSED_HPP
#define LICIT_MODELS_PROGRAMS_CENSUS_ALL_CLOSED_HPP

#include "programs/census/client.hpp"

namespace licit::models::on_census {

/// As `child`, with the doors closed to workers' tasks too.
template <class Model>
struct all_closed : client<Model, 1, 2> {
  static constexpr program_info about{"all_closed", "a child is refused, or waited for", 2, reach::none, true};

  all_closed() { Model::check(this->census_.enter(), "closed before it was closed"); }

  void thread(unsigned i) {
    if (i == 0) {
      const bool both = this->census_.enter(0);
      this->run(0, 0);
      if (both) this->run(0, 1);
      this->idle();
    } else {
      this->census_.close(doors::closed);
      this->wait_for(1);
    }
  }
  void finish() { Model::check(this->census_.alive() == 0, "a task is counted that is gone"); }
};

}  // namespace licit::models::on_census

#endif
