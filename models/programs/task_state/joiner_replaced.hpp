#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_JOINER_REPLACED_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_JOINER_REPLACED_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class joiner_replaced : public client<Model, joiner_replaced<Model>> {
  using job_type = job<Model, joiner_replaced>;

 public:
  static constexpr program_info about{"joiner_replaced", "one of two joiners is told, the one that was registered last",
                                      2, reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
      return;
    }
    if (task_.state().join(3)) {
      expected_ = 3;
      if (task_.state().unjoin()) expected_ = task_.state().join(4) ? 4 : 0;
    }
    if (expected_ == 0) Model::check(task_.left() == value, "the result is visible to who finds the task complete");
    task_.detach();
  }
  void finish() {
    this->settle();
    if (!this->anybody_stopped()) Model::check(told_.read() == expected_, "who was registered is told, once");
  }

  task_outcome poll(job_type& it, int /*number*/) {
    it.leave(value);
    return task_outcome::finished;
  }
  void tell(job_type& /*it*/, int who) { told_.write(told_.read() + who); }

 private:
  typename Model::template plain<int> told_;
  int expected_ = 0;  // thread 1's
  job_type& task_ = this->make(1);
};

}  // namespace licit::models::on_task_state

#endif
