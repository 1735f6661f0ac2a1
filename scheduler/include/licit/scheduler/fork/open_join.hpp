/// Joins of coroutines that are open in one task: each offers its second coroutine while the first runs.
///
/// The second lies in a side's deque, as a stolen half of `join` does, only while its task runs there: a deque has one
/// owner, and the task may go on in another thread. So a run ends with none of its joins in a deque. If the task
/// yields, its next run offers them again; if it waits, they become tasks of their own. A thief makes a task too.
/// Nothing here is atomic but the job and the deque. fork/README.md has the protocol.
#ifndef LICIT_SCHEDULER_OPEN_JOIN_HPP
#define LICIT_SCHEDULER_OPEN_JOIN_HPP

#include <array>
#include <cstddef>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/fork/fork_crew.hpp>
#include <licit/scheduler/fork/fork_job.hpp>
#include <licit/scheduler/fork/fork_side.hpp>

namespace licit::inline v0::detail {

/// What joins of coroutines decide apart from memory orders. Each flag is needed: the models show what breaks without
/// it.
struct open_join_rules {
  bool ends_offers = true;      ///< a run ends with no join in a deque
  bool waits_for_thief = true;  ///< the task goes on when the thief has made a task of what it took
  bool settles_outer = true;    ///< who has lost a second has lost those of the joins around it
  bool stops_outer = true;      ///< a cancelled task cancels the seconds of all its joins
};

template <class Policy = native>
class open_joins;

/// Lies in the frame of the coroutine that awaits. The runner's, but for the job.
template <class Policy = native>
class open_join : public fork_job<Policy> {
 public:
  open_join() noexcept : fork_job<Policy>(&stolen) {}

  /// Whether the second is a task, or was refused as one.
  [[nodiscard]] bool is_task() const { return is_task_; }

 protected:
  ~open_join() = default;
  /// The thief or the runner, once at most.
  virtual void make_task() noexcept = 0;
  /// The runner of a task that is cancelled, if the second is a task. Cancels it.
  virtual void stop() noexcept = 0;
  /// The same, afterwards. Whether the second has ended; otherwise the runner's task is woken then.
  [[nodiscard]] virtual bool is_stopped() noexcept = 0;

 private:
  friend class open_joins<Policy>;
  static void stolen(fork_job<Policy>& self, fork_side<Policy>& /*where*/) noexcept {
    static_cast<open_join&>(self).make_task();
  }
  [[nodiscard, gnu::always_inline]] bool take_back() noexcept { return side_ == nullptr || side_->take_back(*this); }

  open_join* outer_ = nullptr;
  fork_side<Policy>* side_ = nullptr;  ///< where it is offered; null: nowhere
  bool is_task_ = false;               ///< then those around it are, too
};

/// The runner's of the task.
template <class Policy>
class open_joins {
  using side = fork_side<Policy>;
  using join = open_join<Policy>;

 public:
  [[nodiscard]] bool any() const { return innermost_ != nullptr; }

  /// In a run, before the first coroutine begins. O(1).
  [[gnu::always_inline]] void open(join& one, side* here) noexcept {
    one.outer_ = innermost_;
    innermost_ = &one;
    if (here == nullptr) [[unlikely]]
      return settle();
    if (here->offer(one)) [[likely]]
      one.side_ = here;
  }
  /// In a run, of the innermost, after its first coroutine has ended. True: the second is the runner's, and the join is
  /// closed. False: the second is a task.
  [[nodiscard, gnu::always_inline]] bool take_back(join& one) noexcept {
    if (!one.is_task_ && one.take_back()) [[likely]]
      return close(one), true;
    if (!one.is_task_) lose(one);
    return false;
  }
  /// In a run, of the innermost, when both have ended.
  void close(join& one) noexcept { innermost_ = one.outer_; }

  /// At the end of a run in which the task waits. O(n) for n joins that were opened since it last waited.
  void settle() noexcept { settle_from(innermost_); }
  /// At the end of a run in which the task yields. O(1).
  void withdraw() noexcept {
    if (!rules.ends_offers) return;
    for (join* one = innermost_; one != nullptr && !one->is_task_; one = one->outer_) {
      if (withdrawn_ == most_withdrawn) return settle_from(one);
      if (!one->take_back()) return lose(*one);
      one->side_ = nullptr;
      ++withdrawn_;
    }
  }
  /// At the beginning of the run after it. O(1).
  void offer_again(side* here) noexcept {
    if (withdrawn_ == 0) return;
    std::array<join*, most_withdrawn> all;
    join* one = innermost_;
    for (std::size_t i = 0; i != withdrawn_; ++i, one = one->outer_) all[i] = one;
    const std::size_t n = withdrawn_;
    withdrawn_ = 0;
    if (here == nullptr) return settle();
    for (std::size_t i = n; i-- != 0;) {
      if (here->offer(*all[i])) all[i]->side_ = here;
    }
  }

  /// A cancelled task that does not run calls this. Cancels all that have become tasks, and waits for one at a time.
  /// Whether all have ended; otherwise the task is woken, and asks again. O(n) for n joins, all calls together.
  [[nodiscard]] bool are_stopped() noexcept {
    for (join* one = stops_ ? nullptr : innermost_; one != nullptr; one = rules.stops_outer ? one->outer_ : nullptr) {
      if (one->is_task_) one->stop();
    }
    stops_ = true;
    while (innermost_ != nullptr && (!innermost_->is_task_ || innermost_->is_stopped())) close(*innermost_);
    return innermost_ == nullptr;
  }

 private:
  static constexpr auto rules = rules_of<open_join_rules, Policy>();
  static constexpr std::size_t most_withdrawn = 32;  // the others, which are offered to no end, become tasks once

  [[gnu::noinline]] void settle_from(join* one) noexcept {
    if (!rules.ends_offers) return;
    for (; one != nullptr && !one->is_task_; one = one->outer_) {
      one->is_task_ = true;
      one->take_back() ? one->make_task() : wait_for_thief(*one);
    }
  }
  /// It was stolen, and so were those around it, or they are in no deque.
  [[gnu::noinline]] void lose(join& stolen) noexcept {
    stolen.is_task_ = true;
    wait_for_thief(stolen);
    if (rules.settles_outer) settle_from(stolen.outer_);
  }
  /// Until it has made the task.
  static void wait_for_thief(join& stolen) noexcept {
    if (rules.waits_for_thief) stolen.side_->wait(stolen);
  }

  join* innermost_ = nullptr;
  std::size_t withdrawn_ = 0;  ///< how many, from the innermost on
  bool stops_ = false;         ///< the task is cancelled, and so are those that have become tasks
};

}  // namespace licit::inline v0::detail

#endif
