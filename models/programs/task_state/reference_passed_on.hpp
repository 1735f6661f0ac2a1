#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_REFERENCE_PASSED_ON_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_REFERENCE_PASSED_ON_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class reference_passed_on : public client<Model, reference_passed_on<Model>> {
  using job_type = job<Model, reference_passed_on>;

 public:
  static constexpr program_info about{"reference_passed_on", "who has a reference can make another for somebody else",
                                      2, reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
    } else {
      task_.retain();
      task_.note(1);
      task_.release();
      task_.note(2);
      task_.release();
    }
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
