#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_CANCEL_AGAINST_COMPLETE_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_CANCEL_AGAINST_COMPLETE_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class cancel_against_complete : public client<Model, cancel_against_complete<Model>> {
  using job_type = job<Model, cancel_against_complete>;

 public:
  static constexpr program_info about{"cancel_against_complete", "a cancelled task ran to its end, or not at all", 2,
                                      reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
    } else {
      task_.cancel();
      if (task_.done()) Model::check(task_.left() == value || task_.left() == stopped, "its result is visible");
      task_.detach();
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
