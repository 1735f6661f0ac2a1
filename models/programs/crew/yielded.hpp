#ifndef LICIT_MODELS_PROGRAMS_CREW_YIELDED_HPP
#define LICIT_MODELS_PROGRAMS_CREW_YIELDED_HPP

#include "programs/crew/client.hpp"

namespace licit::models::on_crew {

/// A task spawns another into the slot and yields, which puts it behind; the other keeps the worker until it has gone
/// on.
template <class Model, template <class, class> class Local>
struct yielded_with : client<Model, 2, 3, Local> {
  yielded_with() : client<Model, 2, 3, Local>(true) { this->inject(); }

  void thread(unsigned i) {
    this->work(i, [&](int item) {
      if (item == 1) {
        this->at(i).run_next(this->open());
        this->at(i).run_later(this->open());
      } else if (item == 2) {
        went_on_.await_value(1, order::relaxed, "keep the worker");
      } else {
        went_on_.store(1, order::relaxed, "went on");
      }
    });
  }

  void finish() { this->settle(); }

 private:
  typename Model::template atomic<int> went_on_;
};

template <class Model>
struct yielded : yielded_with<Model, in_order> {
  static constexpr program_info about{"yielded", "a task that yielded goes on while another keeps its worker", 2,
                                      reach::none, true};
};

template <class Model>
struct yielded_youngest_first : yielded_with<Model, youngest_first> {
  static constexpr program_info about{"yielded_youngest_first",
                                      "a task that yielded goes on while another keeps its worker; LIFO queues", 2,
                                      reach::none, true};
};

}  // namespace licit::models::on_crew

#endif
