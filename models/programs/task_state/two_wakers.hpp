#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_TWO_WAKERS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_TWO_WAKERS_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class two_wakers : public client<Model, two_wakers<Model>> {
  using job_type = job<Model, two_wakers>;

 public:
  static constexpr program_info about{
      "two_wakers", "the last run sees what each of two wakers wrote, whichever was the first", 3, reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      task_.run();
    } else {
      posted_[i - 1].store(1, order::relaxed);
      task_.wake();
      task_.release();
    }
  }
  void finish() { this->settle(); }

  task_outcome poll(job_type& /*it*/, int /*number*/) {
    for (auto& p : posted_) {
      if (p.load(order::relaxed) == 0) return task_outcome::suspended;
    }
    return task_outcome::finished;
  }

 private:
  std::array<typename Model::template atomic<int>, 2> posted_;
  job_type& task_ = this->make(2);
};

}  // namespace licit::models::on_task_state

#endif
