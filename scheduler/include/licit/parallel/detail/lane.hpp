/// A thread's way into fork and join: all that parallel algorithms need of it.
#ifndef LICIT_PARALLEL_LANE_HPP
#define LICIT_PARALLEL_LANE_HPP

#include <licit/scheduler/fork/fork_job.hpp>
#include <licit/scheduler/fork/fork_side.hpp>
#include <licit/scheduler/fork/join.hpp>
#include <licit/scheduler/fork/span.hpp>
#include <licit/scheduler/task/context.hpp>

namespace licit::inline v0::detail {

/// A part of an algorithm that a thief may run. It lives on the stack of the thread that offers it.
class lane_job : public fork_job<native> {
 public:
  /// The thief, or nobody. Stores its result and what it throws.
  virtual void run() noexcept = 0;

  /// Where a measurement counts it. The forker's, apart from the run by a thief.
  [[nodiscard]] strand_fork& counted() { return counted_; }

 protected:
  lane_job() : fork_job(&call) {}
  ~lane_job() = default;

 private:
  static void call(fork_job& self, fork_side<native>& where) noexcept {
    lane_job& mine = static_cast<lane_job&>(self);
    if (mine.counted_.meter() == nullptr) return mine.run();
    const strand_fork::stolen as(where, mine.counted_);
    mine.run();
  }

  strand_fork counted_;
};

/// The calling thread's. Jobs nest: the youngest that is on offer is taken back or awaited first.
class lane {
 public:
  static lane here() noexcept { return lane(licit::detail::forks_here()); }

  /// Whether others could take anything.
  [[nodiscard]] bool concurrent() const noexcept { return side_ != nullptr; }
  /// Whether nothing of this thread is on offer.
  [[nodiscard]] bool hungry() const noexcept { return side_ != nullptr && !side_->seems_to_offer(); }

  /// The strand by which the thread is measured, or null.
  [[nodiscard]] strand* measured() const noexcept { return side_ != nullptr ? side_->measured() : nullptr; }

  /// Puts the job where thieves that are awake find it. Wait-free, apart from growth. False: there is no memory.
  [[nodiscard]] bool offer(lane_job& job) noexcept { return side_->offer_quietly(job); }
  /// Wakes a worker for what is on offer, unless one searches.
  void call() noexcept { side_->announce(); }

  /// For the youngest job that is on offer. False: it was stolen.
  [[nodiscard]] bool take_back(lane_job& job) noexcept { return side_->take_back(job); }
  /// Blocks until a stolen job has ended; runs only what descends from it.
  void await(lane_job& job) noexcept { side_->wait(job); }
  /// The same, but runs nothing: the thread's own part threw, perhaps stack_exhausted, and what it took from a
  /// recursion without end would be as deep once more.
  void await_alone(lane_job& job) noexcept { side_->wait_alone(job); }

 private:
  explicit lane(fork_side<native>* side) noexcept : side_{side} {}

  fork_side<native>* side_;
};

}  // namespace licit::inline v0::detail

#endif
