#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_YIELDS_AGAINST_CANCEL_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_YIELDS_AGAINST_CANCEL_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class yields_against_cancel : public client<Model, yields_against_cancel<Model>> {
  using job_type = job<Model, yields_against_cancel>;

 public:
  static constexpr program_info about{"yields_against_cancel",
                                      "a task that is cancelled while it is in the queue after a yield is destroyed", 2,
                                      reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
    } else {
      task_.cancel();
      task_.detach();
    }
  }
  void finish() {
    this->settle();
    if (!this->anybody_stopped()) Model::check(stops_.read() == 1, "destroyed where it stood, once");
  }

  task_outcome poll(job_type& /*it*/, int number) {
    return number == 1 ? task_outcome::yielded : task_outcome::suspended;
  }
  void stop(job_type& /*it*/) { stops_.write(stops_.read() + 1); }

 private:
  typename Model::template plain<int> stops_;
  job_type& task_ = this->make(1);
};

}  // namespace licit::models::on_task_state

#endif
