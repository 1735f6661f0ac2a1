#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_WAKE_WHILE_RUNNING_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_WAKE_WHILE_RUNNING_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class wake_while_running : public client<Model, wake_while_running<Model>> {
  using job_type = job<Model, wake_while_running>;

 public:
  static constexpr program_info about{
      "wake_while_running", "a wake during a run makes another, which sees what the waker wrote", 2, reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
    } else {
      mail_.write(1);
      posted_.store(1, order::relaxed);
      task_.wake();
      task_.release();
    }
  }
  void finish() { this->settle(); }

  task_outcome poll(job_type& /*it*/, int number) {
    if (number == 1) {  // the wake may have been before it
      return posted_.load(order::relaxed) == 0 ? task_outcome::suspended : task_outcome::finished;
    }
    Model::check(mail_.read() == 1, "the second run is because of the wake");
    mail_.write(2);
    return task_outcome::finished;
  }

 private:
  typename Model::template atomic<int> posted_;
  typename Model::template plain<int> mail_;
  job_type& task_ = this->make(1);
};

}  // namespace licit::models::on_task_state

#endif
