#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_SUSPENDS_TORN_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_SUSPENDS_TORN_HPP

#include "programs/task_state/torn.hpp"
#include "programs/task_state/wake_while_running.hpp"

namespace licit::models::on_task_state {

template <class Model>
class suspends_torn : public wake_while_running<torn<Model, tears::suspends>> {
 public:
  static constexpr program_info about{"suspends_torn", "a suspension by a load and a store overwrites a wake",
                                      wake_while_running<Model>::about.threads, reach::none};
};

}  // namespace licit::models::on_task_state

#endif
