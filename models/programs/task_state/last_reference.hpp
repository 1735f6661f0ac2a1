#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_LAST_REFERENCE_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_LAST_REFERENCE_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class last_reference : public client<Model, last_reference<Model>> {
  using job_type = job<Model, last_reference>;

 public:
  static constexpr program_info about{
      "last_reference", "the last of three destroys the task, after all that the others did with it", 3, reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
    } else {
      task_.note(i);
      task_.release();
    }
  }
  void finish() { this->settle(); }

  task_outcome poll(job_type& it, int /*number*/) {
    it.leave(value);
    return task_outcome::finished;
  }

 private:
  job_type& task_ = this->make(2);
};

}  // namespace licit::models::on_task_state

#endif
