#ifndef LICIT_MODELS_PROGRAMS_CREW_TWO_TASKS_HPP
#define LICIT_MODELS_PROGRAMS_CREW_TWO_TASKS_HPP

#include "programs/crew/client.hpp"

namespace licit::models::on_crew {

/// Worker and foreign thread, the inject queue of one kind or the other.
template <class Model, template <class, class> class Inject>
struct two_tasks_by : client<Model, 1, 2, in_order, Inject> {
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

template <class Model>
struct two_tasks : two_tasks_by<Model, locked_list> {
  static constexpr program_info about{
      "two_tasks", "a foreign thread spawns two tasks for one worker, which sleeps between", 2, reach::none, true};
};

template <class Model>
struct two_tasks_whole : two_tasks_by<Model, inject_queue> {
  static constexpr program_info about{"two_tasks_whole", "the same with the lock-free inject queue", 2, reach::none,
                                      true};
};

}  // namespace licit::models::on_crew

#endif
