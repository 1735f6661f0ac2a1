#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_BLOCKS_FOR_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_BLOCKS_FOR_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class blocks_for : public client<Model, blocks_for<Model>> {
  using job_type = job<Model, blocks_for>;

 public:
  static constexpr program_info about{
      "blocks_for", "a thread that sleeps for a time sees the result, or has nobody registered any more", 2,
      reach::none, true};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
      return;
    }
    int rounds = 1;
    const bool there = task_.state().wait_for([&] { return std::chrono::nanoseconds(rounds--); });
    if (there) Model::check(task_.left() == value, "the result is visible to who waited");
    task_.detach();
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
