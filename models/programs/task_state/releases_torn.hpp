#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_RELEASES_TORN_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_RELEASES_TORN_HPP

#include "programs/task_state/last_reference.hpp"
#include "programs/task_state/torn.hpp"

namespace licit::models::on_task_state {

template <class Model>
class releases_torn : public last_reference<torn<Model, tears::releases>> {
 public:
  static constexpr program_info about{"releases_torn",
                                      "two who give back a reference by a load and a store are both the last, or none",
                                      last_reference<Model>::about.threads, reach::none};
};

}  // namespace licit::models::on_task_state

#endif
