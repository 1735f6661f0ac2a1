#ifndef LICIT_MODELS_PROGRAMS_CREW_TWO_TASKS_HPP
#define LICIT_MODELS_PROGRAMS_CREW_TWO_TASKS_HPP

#include "programs/crew/client.hpp"

namespace licit::models::on_crew {

template <class Model>
struct two_tasks : client<Model, 1, 2> {
  static constexpr program_info about{
      "two_tasks", "a foreign thread spawns two tasks for one worker, which sleeps between", 2, reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      this->work(0);
    } else {
      this->inject();
      this->inject();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_crew

#endif
