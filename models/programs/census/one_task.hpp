#ifndef LICIT_MODELS_PROGRAMS_CENSUS_ONE_TASK_HPP
#define LICIT_MODELS_PROGRAMS_CENSUS_ONE_TASK_HPP

#include "programs/census/client.hpp"

namespace licit::models::on_census {

/// The main thread lets a task in; a worker runs it while another thread shuts down.
template <class Model>
struct one_task : client<Model, 1, 1> {
  static constexpr program_info about{"one_task", "a shutdown waits for the task that runs, asleep or not", 2,
                                      reach::none, true};

  one_task() { Model::check(this->census_.enter(), "closed before it was closed"); }

  void thread(unsigned i) {
    if (i == 0) {
      this->run(0, 0);
      this->idle();
    } else {
      this->census_.close(doors::inside);
      this->wait_for(1);
    }
  }
  void finish() { Model::check(this->census_.alive() == 0, "a task is counted that is gone"); }
};

}  // namespace licit::models::on_census

#endif
