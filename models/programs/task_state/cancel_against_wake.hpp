#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_CANCEL_AGAINST_WAKE_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_CANCEL_AGAINST_WAKE_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class cancel_against_wake : public client<Model, cancel_against_wake<Model>> {
  using job_type = job<Model, cancel_against_wake>;

 public:
  static constexpr program_info about{"cancel_against_wake",
                                      "whoever schedules it, what the canceller wrote is visible to what destroys it",
                                      2, reach::none};

  cancel_against_wake() {
    task_.run();  // idle now
  }
  void thread(unsigned i) {
    if (i == 0) {
      task_.wake();
      task_.release();
    } else {
      why_.write(1);
      task_.cancel();
      task_.detach();
    }
  }
  void finish() { this->settle(); }

  task_outcome poll(job_type& /*it*/, int number) {
    return number == 1 ? task_outcome::suspended : task_outcome::finished;
  }
  void stop(job_type& /*it*/) { Model::check(why_.read() == 1, "nobody cancelled it yet"); }

 private:
  typename Model::template plain<int> why_;
  job_type& task_ = this->make(2);
};

}  // namespace licit::models::on_task_state

#endif
