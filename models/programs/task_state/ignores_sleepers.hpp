#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_IGNORES_SLEEPERS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_IGNORES_SLEEPERS_HPP

#include "programs/task_state/blocks.hpp"
#include "programs/task_state/torn.hpp"

namespace licit::models::on_task_state {

template <class Model>
class ignores_sleepers : public blocks<deaf<Model>> {
 public:
  static constexpr program_info about{"ignores_sleepers",
                                      "a completion that does not look for a joiner leaves a thread asleep",
                                      blocks<Model>::about.threads, reach::none};
};

}  // namespace licit::models::on_task_state

#endif
