#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_WAKE_AFTER_COMPLETE_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_WAKE_AFTER_COMPLETE_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class wake_after_complete : public client<Model, wake_after_complete<Model>> {
  using job_type = job<Model, wake_after_complete>;

 public:
  static constexpr program_info about{"wake_after_complete",
                                      "a wake of a complete task does nothing, and keeps nothing alive but its memory",
                                      2, reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
    } else {
      task_.note(1);
      task_.wake();
      task_.wake();
      task_.release();
    }
  }
  void finish() { this->settle(); }

  task_outcome poll(job_type& it, int number) {
    Model::check(number == 1, "it runs once");
    it.leave(value);
    return task_outcome::finished;
  }

 private:
  job_type& task_ = this->make(1);
};

}  // namespace licit::models::on_task_state

#endif
