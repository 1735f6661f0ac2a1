#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_MOVES_ON_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_MOVES_ON_HPP

#include "programs/task_state/client.hpp"

namespace licit::models::on_task_state {

template <class Model>
class moves_on : public client<Model, moves_on<Model>> {
  using job_type = job<Model, moves_on>;

 public:
  static constexpr program_info about{"moves_on", "a run sees what the run before wrote, in another thread", 2,
                                      reach::none};

  moves_on() {
    task_.run();  // idle now
  }
  void thread(unsigned /*both*/) {
    task_.wake();
    task_.release();
  }
  void finish() { this->settle(); }

  task_outcome poll(job_type& /*it*/, int number) {
    runs_.write(runs_.read() + 1);
    Model::check(runs_.read() == number, "runs are one after the other");
    return number == 2 ? task_outcome::finished : task_outcome::suspended;
  }

 private:
  typename Model::template plain<int> runs_;
  job_type& task_ = this->make(2);
};

}  // namespace licit::models::on_task_state

#endif
