/// An idle set in lockstep with a std::set and a number: every result, and the state after it, must agree.
#ifndef LICIT_TESTS_SUPPORT_IDLE_LOCKSTEP_HPP
#define LICIT_TESTS_SUPPORT_IDLE_LOCKSTEP_HPP

#include <cstddef>
#include <optional>
#include <set>

#include <licit/scheduler/idle/idle_set.hpp>

#include "lockstep.hpp"

namespace licit_test {

/// On one thread, so every result is known. What a worker may not do in its state is not done.
template <class Set>
class idle_lockstep {
 public:
  explicit idle_lockstep(std::size_t workers) : workers_{workers}, set_(workers) {}

  /// `searching`: as a searcher, if there is one.
  void park(std::size_t self, bool searching) {
    if (parked_.contains(self)) return;
    searching = searching && searching_ != 0;
    searching_ -= searching ? 1 : 0;
    parked_.insert(self);
    must_agree("whether nobody searches after a park", set_.park(self, searching), searching_ == 0);
    compare(self);
  }

  void claim(bool any) {
    const std::optional<std::size_t> got = any ? set_.claim_any() : set_.claim();
    const std::size_t busy = set_.has_words() ? 1 : 4;  // for one searcher
    const bool enough = searching_ != 0 && (busy + 1) * searching_ >= workers_ - parked_.size();
    must_agree("whether a worker is claimed", got.has_value(), !parked_.empty() && (any || !enough));
    if (!got) return;
    must_agree("the claimed worker", *got, *parked_.begin());
    parked_.erase(*got);
    ++searching_;
    compare(*got);
  }

  void retract(std::size_t self) {
    must_agree("whether a worker takes itself out", set_.retract(self), parked_.contains(self));
    searching_ += parked_.erase(self);
    compare(self);
  }

  void begin_search() {
    const bool admitted = searching_ < (workers_ + 1) / 2;
    must_agree("whether a worker may search", set_.begin_search(), admitted);
    searching_ += admitted ? 1 : 0;
    compare(0);
  }

  void end_search() {
    if (searching_ == 0) return;
    --searching_;
    must_agree("whether it was the last searcher", set_.end_search(), searching_ == 0);
    compare(0);
  }

 private:
  void compare(std::size_t worker) const {
    must_agree("how many are parked", set_.parked(), parked_.size());
    must_agree("how many search", set_.searching(), searching_);
    must_agree("whether a worker is parked", set_.is_parked(worker), parked_.contains(worker));
  }

  std::size_t workers_;
  Set set_;
  std::set<std::size_t> parked_;
  std::size_t searching_ = 0;
};

/// What shows that the lockstep, and the fuzzer with it, can fail: who retracts is not counted as searching.
template <class Policy>
class uncounted_idle_set : public licit::idle_set<Policy> {
 public:
  using licit::idle_set<Policy>::idle_set;

  bool retract(std::size_t self) {
    if (!licit::idle_set<Policy>::retract(self)) return false;
    this->end_search();
    return true;
  }
};

}  // namespace licit_test

#endif
