#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_COMPLETIONS_TORN_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_COMPLETIONS_TORN_HPP

#include "programs/task_state/joiner.hpp"
#include "programs/task_state/torn.hpp"

namespace licit::models::on_task_state {

template <class Model>
class completions_torn : public joiner<torn<Model, tears::completions>> {
 public:
  static constexpr program_info about{"completions_torn", "a completion by a load and a store overwrites a joiner",
                                      joiner<Model>::about.threads, reach::none};
};

}  // namespace licit::models::on_task_state

#endif
