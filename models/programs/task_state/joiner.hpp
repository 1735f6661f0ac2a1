#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_JOINER_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_JOINER_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class joiner : public client<Model, joiner<Model>> {
  using job_type = job<Model, joiner>;

 public:
  static constexpr program_info about{"joiner", "the joiner is told if it was registered; else the result is there", 2,
                                      reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
      return;
    }
    registered_ = task_.state().join(3);
    if (!registered_) Model::check(task_.left() == value, "the result is visible to who finds the task complete");
    task_.detach();
  }
  void finish() {
    this->settle();
    if (!this->anybody_stopped()) Model::check(told_.read() == (registered_ ? 3 : 0), "told, if registered");
  }

  task_outcome poll(job_type& it, int /*number*/) {
    it.leave(value);
    return task_outcome::finished;
  }
  void tell(job_type& it, int who) {
    Model::check(it.left() == value, "the result is visible to who is told");
    told_.write(told_.read() + who);
  }

 private:
  typename Model::template plain<int> told_;
  bool registered_ = false;  // thread 1's
  job_type& task_ = this->make(1);
};

}  // namespace licit::models::on_task_state

#endif
