#ifndef LICIT_MODELS_PROGRAMS_CENSUS_CHILD_HPP
#define LICIT_MODELS_PROGRAMS_CENSUS_CHILD_HPP

#include "programs/census/client.hpp"

namespace licit::models::on_census {

/// A task on worker 0 spawns a child, which runs on worker 1.
template <class Model>
struct child : client<Model, 2, 2> {
  static constexpr program_info about{"child", "a child that runs elsewhere is waited for, though its parent is gone",
                                      3, reach::none, true};

  child() { Model::check(this->census_.enter(), "closed before it was closed"); }

  void thread(unsigned i) {
    if (i == 0) {
      Model::check(this->census_.enter(0), "a task was refused its child before the doors were closed to it");
      child_.store(1, order::release, "spawn");
      this->run(0, 0);
      this->idle();
    } else if (i == 1) {
      child_.await_value(1, order::acquire, "take");
      this->run(1, 1);
      this->idle();
    } else {
      this->census_.close(doors::inside);
      this->wait_for(2);
    }
  }
  void finish() {}

 private:
  typename Model::template atomic<int> child_;
};

}  // namespace licit::models::on_census

#endif
