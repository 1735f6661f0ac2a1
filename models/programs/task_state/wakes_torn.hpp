#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_WAKES_TORN_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_WAKES_TORN_HPP

#include "programs/task_state/torn.hpp"
#include "programs/task_state/wake_while_running.hpp"

namespace licit::models::on_task_state {

template <class Model>
class wakes_torn : public wake_while_running<torn<Model, tears::wakes>> {
 public:
  static constexpr program_info about{"wakes_torn", "a wake by a load and a store overwrites the end of a run",
                                      wake_while_running<Model>::about.threads, reach::none};
};

}  // namespace licit::models::on_task_state

#endif
