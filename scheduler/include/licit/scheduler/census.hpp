/// How many tasks there are, and the closing of the doors: what shutdown waits for.
///
/// Nobody shares a counter with a worker: each counts what its tasks spawn and which tasks end on it, in its own line.
/// That entries and exits are equal is certain when the exits were read first.
#ifndef LICIT_SCHEDULER_CENSUS_HPP
#define LICIT_SCHEDULER_CENSUS_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <licit/deque/asymmetric.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/order.hpp>
#include <licit/scheduler/census_orders.hpp>

namespace licit::inline v0 {

/// Who is still let in.
enum class doors : std::uint8_t {
  open,
  inside,  ///< what workers' tasks spawn, and nobody else: tasks under way come to their end
  closed,
};

template <class Policy = native>
class census {
  template <fixed_string Name>
  static constexpr auto at = site_of<census_orders, Name>;

 public:
  using count = std::uint64_t;

  explicit census(std::size_t workers) : counts_(workers) {}

  /// Any thread but a worker's: a task is about to be spawned. False: the doors are closed, and it must not be.
  /// Lock-free.
  [[nodiscard]] bool enter() {
    word seen = entered_.load(at<"enter.look">);
    do {
      if ((seen & door_bits) != 0) return false;
    } while (!entered_.compare_exchange(seen, seen + one, at<"enter.count">));  // with close.set
    return true;
  }

  /// The worker's thread, in a task: it is about to spawn another. False: closed, that must not be. Wait-free.
  [[nodiscard]] bool enter(std::size_t worker) {
    if ((entered_.load(at<"child.closed">) & all_closed) != 0) return false;
    counts& mine = counts_[worker];
    mine.children.store(mine.children.load(at<"child.own">) + 1, at<"child.count">);
    return true;
  }

  /// The worker's thread: a task has ended. Wait-free; `tell` must follow before the worker sleeps.
  void leave(std::size_t worker) {
    counts& mine = counts_[worker];
    mine.gone.store(mine.gone.load(at<"leave.own">) + 1, at<"leave.count">);  // read by sum.gone
  }

  /// The worker's thread, when it has nothing to run: who waits looks again. Wait-free; a load if nobody waits.
  void tell() {
    fences_(at<"tell.fence">);  // with wait.fence
    if (waiting_.load(at<"tell.waiting">) == 0) return;
    changes_.fetch_add(1, at<"tell.change">);
    changes_.futex_wake_all("tell.wake");
  }

  /// Any thread. Doors only close further.
  void close(doors how) { entered_.fetch_or(how == doors::closed ? door_bits : outside_closed, at<"close.set">); }

  /// One thread at a time, not a worker's, after a `close`; blocks. Whether there is no task any more: then none comes
  /// back, and what they all did happens before the return. False when the time is over before that.
  bool wait_for_none(std::optional<std::chrono::steady_clock::time_point> until = std::nullopt) {
    waiting_.store(1, at<"wait.begin">);
    bool none = false;
    for (;;) {
      const std::uint32_t seen = changes_.load(at<"wait.changes">);
      fences_(at<"wait.fence">);  // with tell.fence
      none = nobody();
      if (none || !sleep(seen, until)) break;
    }
    waiting_.store(0, at<"wait.end">);
    return none;
  }

  /// Any thread: tasks there are, at about this moment; never too low by tasks that end meanwhile.
  [[nodiscard]] count alive() const {
    const count gone = all_gone();
    return all_entered() - gone;
  }
  /// Any thread: tasks that were let in until about this moment.
  [[nodiscard]] count entered() const { return all_entered(); }
  /// Any thread.
  [[nodiscard]] count from_outside() const { return entered_.load(at<"sum.outside">) / one; }

 private:
  using word = std::uint64_t;
  static constexpr word outside_closed = 1;
  static constexpr word all_closed = 2;
  static constexpr word door_bits = outside_closed | all_closed;
  static constexpr word one = 4;

  struct alignas(128) counts {
    typename Policy::template atomic<count> children;
    typename Policy::template atomic<count> gone;
  };

  [[nodiscard]] bool nobody() const {
    const count gone = all_gone();
    return all_entered() == gone;
  }
  [[nodiscard]] count all_gone() const {
    count sum = 0;
    for (const counts& c : counts_) sum += c.gone.load(at<"sum.gone">);
    return sum;
  }
  [[nodiscard]] count all_entered() const {
    count sum = entered_.load(at<"sum.entered">) / one;
    for (const counts& c : counts_) sum += c.children.load(at<"sum.children">);
    return sum;
  }
  bool sleep(std::uint32_t seen, std::optional<std::chrono::steady_clock::time_point> until) {
    if (!until) {
      changes_.futex_wait(seen, at<"wait.sleep">);
      return true;
    }
    const auto left = *until - std::chrono::steady_clock::now();
    if (left <= std::chrono::nanoseconds::zero()) return false;
    changes_.futex_wait_for(seen, left, at<"wait.sleep.timed">);
    return true;
  }

  [[no_unique_address]] typename asymmetric<Policy>::fences fences_;
  alignas(128) typename Policy::template atomic<word> entered_;  ///< from outside, and the doors
  typename Policy::template atomic<std::uint32_t> waiting_;      ///< 0 or 1; g++ 12 for riscv64 has no lock-free bool
  typename Policy::template atomic<std::uint32_t> changes_;
  std::vector<counts> counts_;
};

}  // namespace licit::inline v0

#endif
