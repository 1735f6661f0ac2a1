#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_BLOCKS_WHILE_WOKEN_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_BLOCKS_WHILE_WOKEN_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class blocks_while_woken : public client<Model, blocks_while_woken<Model>> {
  using job_type = job<Model, blocks_while_woken>;

 public:
  static constexpr program_info about{
      "blocks_while_woken",
      "a thread that sleeps until a task is complete, which others wake, cancel or let go meanwhile", 3, reach::none,
      true};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
    } else if (i == 1) {
      task_.state().wait();
      Model::check(task_.left() == value || task_.left() == stopped, "the result is visible to who waited");
      task_.release();
    } else {
      task_.cancel();
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
