#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_YIELDS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_YIELDS_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class yields : public client<Model, yields<Model>> {
  using job_type = job<Model, yields>;

 public:
  static constexpr program_info about{
      "yields", "a task that yielded is run again by whoever takes it from the queue, woken meanwhile or not", 3,
      reach::none, true};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
    } else if (i == 1) {
      queued_.await_value(1, order::acquire);
      task_.run();
    } else {
      mail_.store(1, order::relaxed);
      task_.wake();
      task_.release();
    }
  }
  void finish() { this->settle(); }

  task_outcome poll(job_type& /*it*/, int number) {
    if (number == 1) return task_outcome::yielded;
    return mail_.load(order::relaxed) == 0 ? task_outcome::suspended : task_outcome::finished;
  }
  void schedule(job_type& it, placement where) {
    if (where == placement::back && first_) {
      first_ = false;  // thread 0's; then thread 1 has the task
      queued_.store(1, order::release);
    } else {
      it.run();
    }
  }

 private:
  typename Model::template atomic<int> queued_;
  typename Model::template atomic<int> mail_;
  bool first_ = true;
  job_type& task_ = this->make(1);
};

}  // namespace licit::models::on_task_state

#endif
