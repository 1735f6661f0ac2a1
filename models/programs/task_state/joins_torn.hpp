#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_JOINS_TORN_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_JOINS_TORN_HPP

#include "programs/task_state/joiner.hpp"
#include "programs/task_state/torn.hpp"

namespace licit::models::on_task_state {

template <class Model>
class joins_torn : public joiner<torn<Model, tears::joins>> {
 public:
  static constexpr program_info about{"joins_torn", "a registration by a load and a store overwrites the completion",
                                      joiner<Model>::about.threads, reach::none};
};

}  // namespace licit::models::on_task_state

#endif
