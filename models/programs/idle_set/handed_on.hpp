#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_HANDED_ON_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_HANDED_ON_HPP

#include <array>
#include <cstddef>

#include "programs/idle_set/client.hpp"

namespace licit::models::on_idle_set {

/// Two of three workers search, and each has brought work home. Who leaves first need not look, since the other still
/// searches: that one, when it leaves or parks as the last, sees what the first has in its queue.
template <class Model, bool Parks>
struct handed_on_of : client<Model, 3> {
  handed_on_of() {
    this->begin_search(0);
    this->begin_search(1);
  }

  void thread(unsigned i) {
    if (!(Parks && i == 1)) queues_[i].store(1, order::relaxed, "bring home");
    const bool last = Parks && i == 1 ? this->park(1, true) : this->end_search(i);
    if (!last) return;
    Model::fence(order::seq_cst, "last.fence");
    Model::check(queues_[1 - i].load(order::relaxed, "last.look") == 1 || (Parks && i == 0),
                 "the last searcher misses the work of one that left before it");
  }

  void finish() { this->settle(); }

 private:
  std::array<typename Model::template atomic<int>, 2> queues_;
};

template <class Model>
struct handed_on : handed_on_of<Model, false> {
  static constexpr program_info about{"handed_on", "the last to leave its search sees the work of who left before", 2,
                                      reach::none};
};

template <class Model>
struct handed_on_parking : handed_on_of<Model, true> {
  static constexpr program_info about{"handed_on_parking", "the last to park sees the work of who left before", 2,
                                      reach::none};
};

}  // namespace licit::models::on_idle_set

#endif
