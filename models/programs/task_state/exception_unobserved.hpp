#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_EXCEPTION_UNOBSERVED_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_EXCEPTION_UNOBSERVED_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class exception_unobserved : public client<Model, exception_unobserved<Model>> {
  using job_type = job<Model, exception_unobserved>;

 public:
  static constexpr program_info about{"exception_unobserved",
                                      "an exception is reported once if its handle is dropped, before or after", 2,
                                      reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
    } else {
      task_.detach();
    }
  }
  void finish() {
    this->settle();
    if (!this->anybody_stopped()) Model::check(reports_.read() == 1, "reported once");
  }

  task_outcome poll(job_type& it, int /*number*/) {
    it.leave(value);
    return task_outcome::threw;
  }
  void report(job_type& it) {
    Model::check(it.left() == value, "the exception is visible to who reports it");
    it.leave(nothing);
    reports_.write(reports_.read() + 1);
  }

 private:
  typename Model::template plain<int> reports_;
  job_type& task_ = this->make(1);
};

}  // namespace licit::models::on_task_state

#endif
