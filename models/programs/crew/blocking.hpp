#ifndef LICIT_MODELS_PROGRAMS_CREW_BLOCKING_HPP
#define LICIT_MODELS_PROGRAMS_CREW_BLOCKING_HPP

#include "programs/crew/client.hpp"

namespace licit::models::on_crew {

/// A task spawns another into its worker's slot and blocks until it has run: another worker must be told.
template <class Model, template <class, class> class Local>
struct blocking_with : client<Model, 2, 2, Local> {
  blocking_with() { this->put(0); }

  void thread(unsigned i) {
    this->work(i, [&](int item) {
      if (item != 1) {
        ran_.store(1, order::relaxed, "ran");
        return;
      }
      this->at(i).run_next(this->open());
      this->at(i).hand_over();
      ran_.await_value(1, order::relaxed, "block");
    });
  }

  void finish() { this->settle(); }

 private:
  typename Model::template atomic<int> ran_;
};

template <class Model>
struct blocking : blocking_with<Model, in_order> {
  static constexpr program_info about{"blocking", "what is in the slot of a worker that blocks runs elsewhere", 2,
                                      reach::none, true};
};

template <class Model>
struct blocking_youngest_first : blocking_with<Model, youngest_first> {
  static constexpr program_info about{"blocking_youngest_first",
                                      "what is in the slot of a worker that blocks runs elsewhere; LIFO queues", 2,
                                      reach::none, true};
};

}  // namespace licit::models::on_crew

#endif
