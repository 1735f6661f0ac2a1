#ifndef LICIT_MODELS_PROGRAMS_CREW_SIDE_BY_SIDE_HPP
#define LICIT_MODELS_PROGRAMS_CREW_SIDE_BY_SIDE_HPP

#include "programs/crew/client.hpp"

namespace licit::models::on_crew {

/// Two tasks, each of which ends only when the other has begun: one worker awake is not enough.
template <class Model, template <class, class> class Local>
struct side_by_side_with : client<Model, 2, 2, Local> {
  side_by_side_with() : client<Model, 2, 2, Local>(true) {}

  void thread(unsigned i) {
    if (i == 2) {
      this->inject();
      this->inject();
      return;
    }
    this->work(i, [&](int item) {
      const auto one = static_cast<std::size_t>(item - 1);
      begun_[one].store(1, order::relaxed, "begun");
      begun_[1 - one].await_value(1, order::relaxed, "wait for the other");
    });
  }

  void finish() { this->settle(); }

 private:
  std::array<typename Model::template atomic<int>, 2> begun_;
};

template <class Model>
struct side_by_side : side_by_side_with<Model, in_order> {
  static constexpr program_info about{"side_by_side", "two tasks that wait for each other get both workers", 3,
                                      reach::none, true};
};

template <class Model>
struct side_by_side_youngest_first : side_by_side_with<Model, youngest_first> {
  static constexpr program_info about{"side_by_side_youngest_first",
                                      "two tasks that wait for each other get both workers; LIFO queues", 3,
                                      reach::none, true};
};

}  // namespace licit::models::on_crew

#endif
