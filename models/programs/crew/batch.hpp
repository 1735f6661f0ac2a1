#ifndef LICIT_MODELS_PROGRAMS_CREW_BATCH_HPP
#define LICIT_MODELS_PROGRAMS_CREW_BATCH_HPP

#include "programs/crew/client.hpp"

namespace licit::models::on_crew {

/// Worker 0 has a task, and looks at the inject queue first; what it takes there at once waits for each other.
template <class Model>
struct batch : client<Model, 2, 3> {
  static constexpr program_info about{"batch", "what comes along in a batch from the inject queue is told to others", 2,
                                      reach::none, true};

  batch() : client<Model, 2, 3>(false, 1) {
    this->put(0);
    this->inject();
    this->inject();
  }

  void thread(unsigned i) {
    this->work(i, [&](int item) {
      if (item == 1) return;
      const auto one = static_cast<std::size_t>(item - 2);
      begun_[one].store(1, order::relaxed, "begun");
      begun_[1 - one].await_value(1, order::relaxed, "wait for the other");
    });
  }

  void finish() { this->settle(); }

 private:
  std::array<typename Model::template atomic<int>, 2> begun_;
};

}  // namespace licit::models::on_crew

#endif
