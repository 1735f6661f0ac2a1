#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_PUBLISHED_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_PUBLISHED_HPP

#include <licit/scheduler/idle/parker.hpp>

#include "programs/idle_set/client.hpp"

namespace licit::models::on_idle_set {

/// The rules of publisher and worker; each but the last two is needed.
struct rules {
  bool publisher_fences = true;
  bool parker_fences = true;
  bool looks_again = true;
  bool asymmetric = false;  ///< a light fence in the publisher, a heavy one in the worker
  bool searching = true;    ///< the worker was counted as searching
};

/// Work is published while its only worker falls asleep, which has no other reason to wake up. The fences are those of
/// the set's callers.
template <class Model, rules Rules>
struct published_by : client<Model, 1> {
  published_by() {
    if (Rules.searching) this->begin_search(0);
  }

  void thread(unsigned i) { i == 0 ? work() : publish(); }

  void finish() {}

 private:
  void publish() {
    work_.store(1, order::relaxed, "publish.work");
    if (Rules.publisher_fences) fence(true);
    if (this->claim(1)) parker_.unpark();
  }

  void work() {
    const bool last = this->park(0, Rules.searching);
    if (Rules.parker_fences) fence(false);
    if (last && Rules.looks_again && work_.load(order::relaxed, "worker.again") != 0) this->retract(0);
    while (this->is_parked(0)) parker_.park();
    Model::check(work_.load(order::relaxed, "worker.look") == 1, "a worker was woken, and does not see the work");
  }

  static void fence(bool publisher) {
    if (!Rules.asymmetric) return Model::fence(order::seq_cst, "fence");
    publisher ? Model::light_fence("light fence") : Model::heavy_fence("heavy fence");
  }

  typename Model::template atomic<int> work_;
  parker<Model> parker_;
};

template <class Model>
struct published : published_by<Model, rules{}> {
  static constexpr program_info about{"published", "work that is published while its worker parks is found", 2,
                                      reach::none, true};
};

template <class Model>
struct published_asymmetric : published_by<Model, rules{.asymmetric = true}> {
  static constexpr program_info about{"published_asymmetric", "the same with a light and a heavy fence", 2, reach::none,
                                      true};
};

template <class Model>
struct published_unadmitted : published_by<Model, rules{.searching = false}> {
  static constexpr program_info about{"published_unadmitted", "the same with a worker that was not let search", 2,
                                      reach::none, true};
};

}  // namespace licit::models::on_idle_set

#endif
