#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_CANCEL_WHILE_RUNNING_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_CANCEL_WHILE_RUNNING_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class cancel_while_running : public client<Model, cancel_while_running<Model>> {
  using job_type = job<Model, cancel_while_running>;

 public:
  static constexpr program_info about{"cancel_while_running",
                                      "a task that is cancelled in a run and suspends is destroyed, and sees why", 2,
                                      reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
    } else {
      why_.write(1);
      task_.cancel();
      task_.detach();
    }
  }
  void finish() { this->settle(); }

  task_outcome poll(job_type& /*it*/, int number) {
    Model::check(number == 1, "it is not woken");
    return task_outcome::suspended;
  }
  void stop(job_type& /*it*/) { Model::check(why_.read() == 1, "nobody cancelled it yet"); }

 private:
  typename Model::template plain<int> why_;
  job_type& task_ = this->make(1);
};

}  // namespace licit::models::on_task_state

#endif
