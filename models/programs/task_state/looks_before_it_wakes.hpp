#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_LOOKS_BEFORE_IT_WAKES_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_LOOKS_BEFORE_IT_WAKES_HPP

#include "programs/task_state/torn.hpp"
#include "programs/task_state/two_wakers.hpp"

namespace licit::models::on_task_state {

template <class Model>
class looks_before_it_wakes : public two_wakers<torn<Model, tears::looks_before_it_wakes>> {
 public:
  static constexpr program_info about{"looks_before_it_wakes",
                                      "a wake that changes nothing does not tell the run what its waker wrote",
                                      two_wakers<Model>::about.threads, reach::none};
};

}  // namespace licit::models::on_task_state

#endif
