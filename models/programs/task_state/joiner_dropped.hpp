#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_JOINER_DROPPED_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_JOINER_DROPPED_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class joiner_dropped : public client<Model, joiner_dropped<Model>> {
  using job_type = job<Model, joiner_dropped>;

 public:
  static constexpr program_info about{
      "joiner_dropped", "a joiner that was taken back is not told; one that was too late has been, or will be", 2,
      reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
      return;
    }
    if (task_.state().join(3) && !task_.state().unjoin()) {
      expected_ = 3;
      Model::check(task_.left() == value, "the result is visible to who finds the task complete");
    }
    task_.detach();
  }
  void finish() {
    this->settle();
    if (!this->anybody_stopped()) Model::check(told_.read() == expected_, "told, if it was not taken back");
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
