#ifndef LICIT_MODELS_PROGRAMS_TASK_STATE_BOUNDS_HPP
#define LICIT_MODELS_PROGRAMS_TASK_STATE_BOUNDS_HPP

#include <licit/scheduler/task/task_state.hpp>

#include "program.hpp"

namespace licit::models::on_task_state {

template <class Model>
class bounds {
 public:
  static constexpr program_info about{"bounds", "every operation is a few of the word's, whatever the others do", 2,
                                      reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      const bool runs = Model::within(2, [&] { return state_.begin(); });
      if (runs && !Model::within(1, [&] { return state_.suspend(); })) return;
      if (runs) (void)Model::within(2, [&] { return state_.begin(); });
      Model::within(1, [&] { return state_.complete(true); });
    } else {
      Model::within(1, [&] { state_.retain(); });
      const bool first = Model::within(1, [&] { return state_.wake(); });
      if (Model::within(4, [&] { return state_.join(3); })) Model::within(3, [&] { return state_.unjoin(); });
      const bool second = Model::within(1, [&] { return state_.cancel(); });
      Model::within(2, [&] { return state_.detach(); });
      Model::within(1, [&] { return state_.done(); });
      Model::check(!Model::within(1, [&] { return state_.release(); }), "not the last");
      Model::check(!(first && second), "it is scheduled by one of them");
    }
  }
  void finish() {}

 private:
  task_state<Model, int> state_{2};
};

}  // namespace licit::models::on_task_state

#endif
