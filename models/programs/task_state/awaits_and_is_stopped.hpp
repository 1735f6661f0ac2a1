#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_AWAITS_AND_IS_STOPPED_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_AWAITS_AND_IS_STOPPED_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class awaits_and_is_stopped : public client<Model, awaits_and_is_stopped<Model>> {
  using job_type = job<Model, awaits_and_is_stopped>;

 public:
  static constexpr program_info about{
      "awaits_and_is_stopped", "a task that waits for another may be stopped while that completes", 3, reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      waits_.run();
    } else if (i == 1) {
      awaited_.run();
    } else {
      waits_.cancel();
      waits_.detach();
    }
  }
  void finish() { this->settle(); }

  task_outcome poll(job_type& it, int /*number*/) {
    if (&it == &awaited_) {
      it.leave(value);
      return task_outcome::finished;
    }
    if (!registered_.read()) {
      waits_.retain();  // the joiner's
      if (awaited_.state().join(3)) {
        registered_.write(true);
        return task_outcome::suspended;
      }
      waits_.release();
    } else if (!awaited_.done()) {
      return task_outcome::suspended;
    }
    Model::check(awaited_.left() == value, "the result is visible to who waited");
    awaited_.release();
    return task_outcome::finished;
  }
  /// Destroys the frame, in which is who waits, and the handle.
  void stop(job_type& /*it*/) {
    if (registered_.read() && awaited_.state().unjoin()) waits_.release();
    awaited_.detach();
  }
  void tell(job_type& /*it*/, int /*who*/) {
    waits_.wake();
    waits_.release();
  }

 private:
  typename Model::template plain<bool> registered_;  // in the frame of the task that waits
  job_type& awaited_ = this->make(1);
  job_type& waits_ = this->make(1);
};

}  // namespace licit::models::on_task_state

#endif
