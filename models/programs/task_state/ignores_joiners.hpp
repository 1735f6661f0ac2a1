#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_IGNORES_JOINERS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_IGNORES_JOINERS_HPP

#include "programs/task_state/awaits.hpp"
#include "programs/task_state/torn.hpp"

namespace licit::models::on_task_state {

template <class Model>
class ignores_joiners : public awaits<deaf<Model>> {
 public:
  static constexpr program_info about{"ignores_joiners",
                                      "a completion that does not look for a joiner leaves it waiting",
                                      awaits<Model>::about.threads, reach::none};
};

}  // namespace licit::models::on_task_state

#endif
