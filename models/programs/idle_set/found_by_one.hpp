#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_FOUND_BY_ONE_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_FOUND_BY_ONE_HPP

#include <array>
#include <cstddef>

#include <licit/scheduler/idle/parker.hpp>

#include "programs/idle_set/client.hpp"

namespace licit::models::on_idle_set {

/// Two workers fall asleep, one of which was counted as searching, and a publisher has one piece of work. Who finds it
/// stops the other. Who cannot retract leaves the work to another.
template <class Model, bool Asleep = false, bool Sleeps = true>
struct found_by_one_of : client<Model, 2> {
  found_by_one_of() {
    this->begin_search(0);
    if (Asleep) this->park(1);
  }

  void thread(unsigned i) {
    if (i == 2) {
      publish();
    } else if (i == 0 || !Asleep || sleeps(1)) {
      work(i, i == 0 || Asleep);
    }
  }

  void finish() { Model::check(work_.load(order::relaxed, "finish.work") == 0, "the work was not found"); }

 private:
  void publish() {
    work_.store(1, order::relaxed, "publish.work");
    Model::fence(order::seq_cst, "publish.fence");
    if (const auto worker = this->claim(2)) parkers_[*worker].unpark();
  }

  void work(std::size_t self, bool searching) {
    while (!taken()) {
      if (!this->idles(self, searching)) return;
      searching = true;
    }
    stop_.store(1, order::relaxed, "worker.stop");
    parkers_[1 - self].unpark();
  }

  bool taken() {
    return work_.load(order::relaxed, "worker.look") != 0 && work_.exchange(0, order::relaxed, "worker.take") != 0;
  }

  /// Whether it is to search again.
  bool idles(std::size_t self, bool searching) {
    const bool last = this->park(self, searching);
    Model::fence(order::seq_cst, "park.fence");
    if (last && work_.load(order::relaxed, "worker.again") != 0 && (this->retract(self) || !Sleeps)) return true;
    return sleeps(self);
  }
  bool sleeps(std::size_t self) {
    while (this->is_parked(self)) {
      if (stop_.load(order::relaxed, "worker.stopped") != 0) return false;
      parkers_[self].park();
    }
    return true;
  }

  std::array<parker<Model>, 2> parkers_;
  typename Model::template atomic<int> work_;
  typename Model::template atomic<int> stop_;
};

template <class Model>
struct found_by_one : found_by_one_of<Model> {
  static constexpr program_info about{"found_by_one", "work that is published while two workers park is found", 3,
                                      reach::none, true};
};

}  // namespace licit::models::on_idle_set

#endif
