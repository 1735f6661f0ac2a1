#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_RESTS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_RESTS_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class rests : public client<Model, rests<Model>> {
  using job_type = job<Model, rests>;

 public:
  static constexpr program_info about{
      "rests", "a thread that runs one task sleeps while that is idle, and is woken with it", 2, reach::none, true};

  void thread(unsigned i) {
    if (i == 0) {
      while (task_.run() == task_outcome::suspended) task_.state().rest();
      task_.release();
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
    return task_outcome::finished;
  }
  void schedule(job_type& it, placement /*where*/) { it.state().rouse(); }

 private:
  typename Model::template atomic<int> posted_;
  typename Model::template plain<int> mail_;
  job_type& task_ = this->make(2);
};

}  // namespace licit::models::on_task_state

#endif
