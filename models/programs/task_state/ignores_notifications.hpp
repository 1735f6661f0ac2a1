#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_IGNORES_NOTIFICATIONS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_IGNORES_NOTIFICATIONS_HPP

#include "programs/task_state/torn.hpp"
#include "programs/task_state/wake_while_running.hpp"

namespace licit::models::on_task_state {

template <class Model>
class ignores_notifications : public wake_while_running<forgetful<Model>> {
 public:
  static constexpr program_info about{"ignores_notifications",
                                      "a suspension that does not look whether it was woken loses the wake",
                                      wake_while_running<Model>::about.threads, reach::none};
};

}  // namespace licit::models::on_task_state

#endif
