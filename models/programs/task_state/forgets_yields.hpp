#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_FORGETS_YIELDS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_FORGETS_YIELDS_HPP

#include "programs/task_state/torn.hpp"
#include "programs/task_state/yields_against_cancel.hpp"

namespace licit::models::on_task_state {

template <class Model>
class forgets_yields : public yields_against_cancel<confused<Model>> {
 public:
  static constexpr program_info about{"forgets_yields",
                                      "a run that takes a task that yielded for one that was scheduled",
                                      yields_against_cancel<Model>::about.threads, reach::none};
};

}  // namespace licit::models::on_task_state

#endif
