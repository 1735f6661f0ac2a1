/// An idle set, and what each thread has done to it, which must add up.
#ifndef LICIT_SUITES_IDLE_SET_DEEDS_HPP
#define LICIT_SUITES_IDLE_SET_DEEDS_HPP

#include <array>
#include <cstddef>
#include <optional>

#include <licit/scheduler/idle/idle_set.hpp>

#include "suites/line.hpp"

namespace licit::suites {

/// What a thread notes of its own deeds is read by the main thread, at the end.
template <class Model, template <class> class Set>
class idle_set_deeds {
 public:
  explicit idle_set_deeds(std::size_t workers) : set_{workers}, workers_{workers} {}

  [[nodiscard]] std::size_t workers() const { return workers_; }

  /// Worker `self`, or the main thread for it: whether nobody searches now.
  bool park(std::size_t self, bool searching) {
    ++deeds_[self].parks;
    if (searching) --deeds_[self].searching;
    return Model::within(2, [&] { return set_.park(self, searching); });
  }
  /// Worker `self`: whether it is out by its own doing.
  bool retract(std::size_t self) {
    if (!set_.retract(self)) return false;
    ++deeds_[self].retracted;
    ++deeds_[self].searching;
    return true;
  }
  bool begin_search(std::size_t self) {
    if (!set_.begin_search()) return false;
    ++deeds_[self].searching;
    return true;
  }
  bool end_search(std::size_t self) {
    --deeds_[self].searching;
    return Model::within(1, [&] { return set_.end_search(); });
  }
  [[nodiscard]] bool is_parked(std::size_t self) const { return set_.is_parked(self); }

  std::optional<std::size_t> claim(unsigned thread) { return claimed(thread, set_.claim()); }
  std::optional<std::size_t> claim_any(unsigned thread) { return claimed(thread, set_.claim_any()); }

  /// Main thread, at the end: every worker was taken out as often as it went in, or is in; the counts say the same.
  /// False: a thread was stopped for good, and nobody knows what it was doing. No worker was taken out too often.
  bool settle() {
    bool stalled = false;
    for (unsigned t = 0; t != line::most_threads; ++t) stalled = stalled || Model::stalled(t);
    std::size_t parked = 0;
    for (std::size_t w = 0; w != workers_; ++w) {
      const int in = deeds_[w].parks - deeds_[w].retracted - claims_of(w);
      Model::check(in >= 0 && (in <= 1 || stalled), "a worker was taken out twice, or when it was not parked");
      Model::check(stalled || set_.is_parked(w) == (in == 1), "a worker's bit is not what its parks and claims say");
      parked += in == 1 ? 1 : 0;
    }
    if (stalled) return false;
    Model::check(set_.parked() == parked, "the count of the parked has drifted from the set");
    Model::check(set_.searching() == searches(), "the count of those who search has drifted");
    return true;
  }

  /// Main thread, at the end: how many workers search.
  [[nodiscard]] std::size_t searches() const {
    int searching = 0;
    for (const deeds& d : deeds_) searching += d.searching;
    return static_cast<std::size_t>(searching);
  }

 private:
  struct deeds {
    int parks = 0;
    int retracted = 0;
    int searching = 0;  // how many more it began, or made others begin, than it ended
    std::array<int, line::most_threads> claims{};
  };

  [[nodiscard]] int claims_of(std::size_t worker) const {
    int claims = 0;
    for (const deeds& d : deeds_) claims += d.claims[worker];
    return claims;
  }
  std::optional<std::size_t> claimed(unsigned thread, std::optional<std::size_t> worker) {
    if (!worker) return worker;
    Model::check(*worker < workers_, "a claim brought a worker that there is not");
    ++deeds_[thread].claims[*worker];
    ++deeds_[thread].searching;
    return worker;
  }

  Set<Model> set_;
  std::size_t workers_;
  std::array<deeds, line::most_threads> deeds_{};  // each entry one thread's
};

}  // namespace licit::suites

#endif
