#ifndef LICIT_MODELS_PROGRAMS_CREW_TWO_WORKERS_HPP
#define LICIT_MODELS_PROGRAMS_CREW_TWO_WORKERS_HPP

#include "programs/crew/client.hpp"

namespace licit::models::on_crew {

template <class Model, std::size_t Items, template <class, class> class Local, template <class, class> class Inject>
struct two_workers_with : client<Model, 2, Items, Local, Inject> {
  explicit two_workers_with(bool asleep) : client<Model, 2, Items, Local, Inject>(asleep) {}

  void thread(unsigned i) {
    if (i != 2) return this->work(i);
    for (std::size_t n = 0; n != Items; ++n) this->inject();
  }

  void finish() { this->settle(); }
};

template <class Model>
struct two_workers : two_workers_with<Model, 1, in_order, locked_list> {
  static constexpr program_info about{"two_workers", "a foreign thread spawns one task for two workers", 3, reach::none,
                                      true};
  two_workers() : two_workers_with<Model, 1, in_order, locked_list>(false) {}
};

template <class Model>
struct two_asleep : two_workers_with<Model, 2, in_order, locked_list> {
  static constexpr program_info about{"two_asleep", "a foreign thread spawns two tasks for two workers that sleep", 3,
                                      reach::none, true};
  two_asleep() : two_workers_with<Model, 2, in_order, locked_list>(true) {}
};

template <class Model>
struct one_for_two_asleep : two_workers_with<Model, 1, in_order, inject_queue> {
  static constexpr program_info about{
      "one_for_two_asleep", "a foreign thread spawns one task for two workers that sleep; lock-free inject queue", 3,
      reach::none, true};
  one_for_two_asleep() : two_workers_with<Model, 1, in_order, inject_queue>(true) {}
};

template <class Model, template <class, class> class Inject>
struct woken_in_vain_by : two_workers_with<Model, 1, in_order, Inject> {
  woken_in_vain_by() : two_workers_with<Model, 1, in_order, Inject>(true) { this->all().announce(); }
};

template <class Model>
struct woken_in_vain : woken_in_vain_by<Model, locked_list> {
  static constexpr program_info about{"woken_in_vain",
                                      "a foreign thread spawns one task while a worker that was woken finds none, and "
                                      "another sleeps",
                                      3, reach::none, true};
};

template <class Model>
struct woken_in_vain_whole : woken_in_vain_by<Model, inject_queue> {
  static constexpr program_info about{"woken_in_vain_whole", "the same with the lock-free inject queue", 3, reach::none,
                                      true};
};

}  // namespace licit::models::on_crew

#endif
