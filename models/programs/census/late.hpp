#ifndef LICIT_MODELS_PROGRAMS_CENSUS_LATE_HPP
#define LICIT_MODELS_PROGRAMS_CENSUS_LATE_HPP

#include "programs/census/client.hpp"

namespace licit::models::on_census {

/// A foreign thread's task against the closing: it is refused, or waited for.
template <class Model>
struct late : client<Model, 1, 1> {
  static constexpr program_info about{"late", "a task that is let in as the doors close is waited for", 3, reach::none,
                                      true};

  void thread(unsigned i) {
    if (i == 0) {
      if (spawned_.await([](int s) { return s != 0; }, order::acquire, "take") == 1) this->run(0, 0);
      this->idle();
    } else if (i == 1) {
      spawned_.store(this->census_.enter() ? 1 : 2, order::release, "spawn");
    } else {
      this->census_.close(doors::inside);
      Model::check(this->census_.wait_for_none(), "without a limit of time the wait ended early");
      Model::check(!this->census_.enter(), "the doors are open after they were closed");
      empty_.write(1);
    }
  }
  void finish() { Model::check(this->census_.alive() == 0, "a task is counted that is gone"); }

 private:
  typename Model::template atomic<int> spawned_;
  typename Model::template plain<int> empty_;
};

}  // namespace licit::models::on_census

#endif
