#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_AWAITS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_AWAITS_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class awaits : public client<Model, awaits<Model>> {
  using job_type = job<Model, awaits>;

 public:
  static constexpr program_info about{
      "awaits", "a task that waits for another is woken by its completion, and has its result", 2, reach::none};

  void thread(unsigned i) { i == 0 ? waits_.run() : awaited_.run(); }
  void finish() { this->settle(); }

  task_outcome poll(job_type& it, int number) {
    if (&it == &awaited_) {
      it.leave(value);
      return task_outcome::finished;
    }
    if (number == 1) {
      waits_.retain();  // the joiner's
      if (awaited_.state().join(3)) return task_outcome::suspended;
      waits_.release();
    }
    Model::check(awaited_.done() && awaited_.left() == value, "the result is visible to who waited");
    awaited_.release();
    return task_outcome::finished;
  }
  void tell(job_type& /*it*/, int /*who*/) {
    waits_.wake();
    waits_.release();
  }

 private:
  job_type& awaited_ = this->make(1);
  job_type& waits_ = this->make(0);
};

}  // namespace licit::models::on_task_state

#endif
