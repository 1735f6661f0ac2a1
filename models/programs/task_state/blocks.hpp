#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_BLOCKS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_BLOCKS_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class blocks : public client<Model, blocks<Model>> {
  using job_type = job<Model, blocks>;

 public:
  static constexpr program_info about{
      "blocks", "a thread that sleeps until a task is complete is woken, without a time limit", 2, reach::none, true};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
      return;
    }
    task_.state().wait();
    Model::check(task_.left() == value, "the result is visible to who waited");
    task_.leave(nothing);
    task_.release();
  }
  void finish() { this->settle(); }

  task_outcome poll(job_type& it, int /*number*/) {
    it.leave(value);
    return task_outcome::finished;
  }

 private:
  job_type& task_ = this->make(1);
};

}  // namespace licit::models::on_task_state

#endif
