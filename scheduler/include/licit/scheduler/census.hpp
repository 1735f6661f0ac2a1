/// A census counts the existing tasks, and refuses new ones after a shutdown has begun, so that a shutdown can wait
/// until there are none. It also counts the users of the scheduler, and the holders of its memory.
///
/// No counter is shared with a worker: each worker counts, in its own cache lines, the tasks that its tasks spawn and
/// those that end on it. Reading the ends before the beginnings makes equality certain.
#ifndef LICIT_SCHEDULER_CENSUS_HPP
#define LICIT_SCHEDULER_CENSUS_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include <licit/deque/native.hpp>
#include <licit/deque/order.hpp>
#include <licit/scheduler/census_orders.hpp>

namespace licit::inline v0::detail {

/// Which tasks are still admitted.
enum class doors : std::uint32_t {
  open,
  inside,  ///< only those that workers' tasks spawn, so that tasks under way can finish
  closed,
};

template <class Policy = native>
class census {
  template <fixed_string Name>
  static constexpr auto at = site_of<census_orders, Name>;

 public:
  using count = std::uint64_t;

  explicit census(std::size_t workers) : counts_(workers + 1) {}

  /// Any thread except a worker's, before it spawns a task. False: closed; the task must not be spawned. Lock-free.
  [[nodiscard]] bool enter() { return enter_unless(door_bits); }
  /// The same in a task, which it runs and which spawns another.
  [[nodiscard]] bool enter_inside() { return enter_unless(all_closed); }

  /// The worker's thread, in a task, before it spawns another. False: closed; the task must not be spawned. Wait-free.
  [[nodiscard, gnu::always_inline]] bool enter(std::size_t worker) {
    if (cancels()) return false;
    counts& mine = counts_[worker];
    mine.children.store(mine.children.load(at<"child.own">) + 1, at<"child.count">);
    return true;
  }

  /// The worker's thread, after a task has ended. Wait-free. The worker must call `tell` before it sleeps.
  [[gnu::always_inline]] void leave(std::size_t worker) {
    counts& mine = counts_[worker];
    mine.gone.store(mine.gone.load(at<"leave.own">) + 1, at<"leave.count">);  // read by sum.gone
  }

  /// Another thread, as a visitor, after a task that it ran has ended. Wait-free.
  void leave() {
    counts_.back().gone.fetch_add(1, at<"leave.others">);  // read by sum.gone
    tell();
  }

  /// The worker's thread, when it has nothing to run. Makes a waiting thread look again. Wait-free; a fence and a load
  /// if nobody waits.
  void tell() {
    fences_(at<"tell.fence">);  // with wait.fence
    if (waiting_.load(at<"tell.waiting">) == 0) return;
    changes_.fetch_add(1, at<"tell.change">);
    changes_.futex_wake_all("tell.wake");
  }

  /// Any thread. Only closes further: `inside`, then `closed`.
  void close(doors how) {
    const word now = how == doors::closed ? door_bits : outside_closed;
    entered_.fetch_or(now, at<"close.set">);
    told_.fetch_or(static_cast<std::uint32_t>(now), at<"close.tell">);
  }
  /// Any thread. Whether a `close` is known to have begun, and whether one to `closed` is: a task that is taken from a
  /// queue is to be cancelled. Without a word that others write for each task, so a worker may ask each time.
  [[nodiscard]] bool closes() const { return told_.load(at<"closes.look">) != 0; }
  [[nodiscard]] bool cancels() const { return (told_.load(at<"cancels.look">) & all_closed) != 0; }

  /// One thread at a time, not a worker's, after a `close`. Blocks until there is no task, and returns true: there will
  /// be none, and what all tasks did happens before the return. Returns false if the time is over first.
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

  /// Threads that use the scheduler, or are going to, and that its end has to wait for: visitors. Their stay begins
  /// while the scheduler cannot end, since a task exists whose end they do not allow, or it is refused. Any thread;
  /// wait-free.
  ///
  /// False: the scheduler has ended for good; the caller must leave again and touch nothing else.
  [[nodiscard]] bool come() { return (visitors_.fetch_add(visitor, at<"visit.come">) & over) == 0; }
  /// The visitor's last use of the scheduler.
  void go() { visitors_.fetch_sub(visitor, at<"visit.go">); }  // read by visit.look

  /// The same for the worker's thread, which shares no counter for it: a visit may begin here and end in any thread, or
  /// the reverse. Wait-free.
  void come(std::size_t worker) { count_visit(worker, 1); }
  void go(std::size_t worker) { count_visit(worker, -1); }

  /// One thread at a time, after `wait_for_none` returned true and the workers have ended. Blocks until no visitor is
  /// left, and returns true with what they did visible; calls `pause()` meanwhile, which returns false to give up.
  template <class Pause>
  bool wait_for_visitors(Pause&& pause) const {
    const std::uint32_t ours = by_workers();
    while (by_others() + ours != 0) {
      if (!pause()) return false;
    }
    return true;
  }
  /// The same, and does not give up. Most visits take a few instructions.
  void wait_for_visitors() const {
    (void)wait_for_visitors([] { return std::this_thread::yield(), true; });
  }
  /// The same thread. How many there are; also while the workers run, since a worker's visit that has ended elsewhere
  /// is seen to have begun.
  [[nodiscard]] std::uint32_t visitors() const {
    const std::uint32_t others = by_others();  // first
    return (others + by_workers()) / visitor;
  }
  /// The same, and refuses visitors from now on.
  void end_visits() {
    visitors_.fetch_or(over, at<"visit.close">);
    wait_for_visitors();
  }

  /// A holder, which the scheduler's owner is from the beginning. Adds another. Wait-free.
  void hold() { holders_.fetch_add(1, at<"hold.add">); }
  /// A holder's last use of the scheduler's memory. True: it was the last holder, and what all of them did is visible.
  /// Wait-free.
  [[nodiscard]] bool let_go() { return holders_.fetch_sub(1, at<"hold.drop">) == 1; }  // reads itself

  /// Any thread. An estimate of the number of tasks; tasks that end meanwhile do not make it too low.
  [[nodiscard]] count alive() const {
    const count gone = all_gone();
    return all_entered() - gone;
  }
  /// Any thread. An estimate of the number of tasks admitted so far.
  [[nodiscard]] count entered() const { return all_entered(); }
  /// Any thread.
  [[nodiscard]] count from_outside() const { return entered_.load(at<"sum.outside">) / one; }

 private:
  using word = std::uint64_t;
  static constexpr word outside_closed = 1;
  static constexpr word all_closed = 2;
  static constexpr std::uint32_t over = 1;
  static constexpr std::uint32_t visitor = 2;  ///< and upwards: how many there are
  static constexpr word door_bits = outside_closed | all_closed;
  static constexpr word one = 4;

  struct alignas(128) counts {
    typename Policy::template atomic<count> children;
    typename Policy::template atomic<count> gone;
    typename Policy::template atomic<std::uint32_t> visits;  ///< that began here, less those that ended here
  };

  [[nodiscard]] bool enter_unless(word closed) {
    word seen = entered_.load(at<"enter.look">);
    do {
      if ((seen & closed) != 0) return false;
    } while (!entered_.compare_exchange(seen, seen + one, at<"enter.count">));  // with close.set
    return true;
  }

  /// The workers have ended. What these return adds up to the number of visitors, times `visitor`.
  [[nodiscard]] std::uint32_t by_workers() const {
    std::uint32_t sum = 0;
    for (const counts& c : counts_) sum += visitor * c.visits.load(at<"sum.visits">);
    return sum;
  }
  [[nodiscard]] std::uint32_t by_others() const { return visitors_.load(at<"visit.look">) & ~over; }

  void count_visit(std::size_t worker, int change) {
    counts& mine = counts_[worker];
    mine.visits.store(mine.visits.load(at<"stay.own">) + static_cast<std::uint32_t>(change), at<"stay.count">);
  }

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

  [[no_unique_address]] typename Policy::fences fences_;
  alignas(128) typename Policy::template atomic<word> entered_;  ///< tasks from outside, and which are admitted
  typename Policy::template atomic<std::uint32_t> waiting_;      ///< 0 or 1; g++ 12 for riscv64 has no lock-free bool
  typename Policy::template atomic<std::uint32_t> changes_;
  alignas(128)
      typename Policy::template atomic<std::uint32_t> visitors_;  ///< `over`, and their number, without the workers'
  alignas(128)
      typename Policy::template atomic<std::uint32_t> told_;  ///< the doors again, in a line that nobody else writes
  typename Policy::template atomic<std::uint32_t> holders_{1};
  std::vector<counts> counts_;  ///< each worker's, and the last for all other threads
};

}  // namespace licit::inline v0::detail

#endif
