/// What the idle set's client programs share: a set, and what each thread did to it.
#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_CLIENT_HPP

#include <array>
#include <cstddef>
#include <optional>

#include <licit/scheduler/idle/idle_set.hpp>

#include "program.hpp"

namespace licit::models::on_idle_set {

/// Worker i is thread i, as far as there are so many. What a thread notes of its own deeds is read at the end only.
template <class Model, std::size_t Workers, template <class> class Set = idle_set>
class client {
 public:
  client() : set_{Workers} {}

  /// Worker `self`, or the main thread for it: whether nobody searches now.
  bool park(std::size_t self, bool searching = false) {
    ++deeds_[self].parks;
    if (searching) --deeds_[self].searching;
    return Model::within(2, [&] { return set_.park(self, searching); });
  }

  /// Thread t.
  std::optional<std::size_t> claim(std::size_t t) { return claimed(t, set_.claim()); }
  std::optional<std::size_t> claim_any(std::size_t t) { return claimed(t, set_.claim_any()); }

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

  /// Main thread, at the end: every worker was taken out as often as it went in, or is in; the counts say the same.
  /// What a thread that was stopped for good was doing is not known.
  void settle() {
    if (stalled()) return;
    std::size_t parked = 0;
    int searching = 0;
    for (const deeds& d : deeds_) searching += d.searching;
    for (std::size_t w = 0; w != Workers; ++w) {
      const int in = deeds_[w].parks - deeds_[w].retracted - claims_of(w);
      Model::check(in == 0 || in == 1, "a worker was taken out twice, or when it was not parked");
      Model::check(set_.is_parked(w) == (in == 1), "a worker's bit is not what its parks and claims say");
      parked += in == 1 ? 1 : 0;
    }
    Model::check(set_.parked() == parked, "the count of the parked has drifted from the set");
    Model::check(set_.searching() == static_cast<std::size_t>(searching), "the count of those who search has drifted");
  }

 protected:
  [[nodiscard]] int claims_of(std::size_t worker) const {
    int claims = 0;
    for (const deeds& d : deeds_) claims += d.claims[worker];
    return claims;
  }
  [[nodiscard]] int searches() const {
    int searches = 0;
    for (const deeds& d : deeds_) searches += d.searching;
    return searches;
  }

 private:
  static constexpr std::size_t threads = 4;

  /// Whether a thread was; then no worker was taken out more often than it went in.
  bool stalled() {
    bool any = false;
    for (unsigned t = 0; t != threads; ++t) any = any || Model::stalled(t);
    if (!any) return false;
    for (std::size_t w = 0; w != Workers; ++w) {
      Model::check(deeds_[w].parks - deeds_[w].retracted - claims_of(w) >= 0, "a worker was taken out twice");
    }
    return true;
  }

  static_assert(Workers <= threads);

  struct deeds {
    int parks = 0;
    int retracted = 0;
    int searching = 0;  // how many more it began, or made others begin, than it ended
    std::array<int, Workers> claims{};
  };

  std::optional<std::size_t> claimed(std::size_t t, std::optional<std::size_t> worker) {
    if (!worker) return worker;
    Model::check(*worker < Workers, "a claim brought a worker that there is not");
    ++deeds_[t].claims[*worker];
    ++deeds_[t].searching;
    return worker;
  }

  Set<Model> set_;
  std::array<deeds, threads> deeds_{};
};

}  // namespace licit::models::on_idle_set

#endif
