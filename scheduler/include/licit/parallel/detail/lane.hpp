/// A thread's way into fork and join: all that parallel algorithms need of it.
#ifndef LICIT_PARALLEL_LANE_HPP
#define LICIT_PARALLEL_LANE_HPP

#include <optional>
#include <stdexcept>
#include <string>

#include <licit/scheduler/fork/fork_job.hpp>
#include <licit/scheduler/fork/fork_side.hpp>
#include <licit/scheduler/fork/join.hpp>
#include <licit/scheduler/task/context.hpp>

namespace licit::inline v0::detail {

/// A part of an algorithm that a thief may run. It lives on the stack of the thread that offers it.
class lane_job : public fork_job<native> {
 public:
  /// The thief, or nobody. Stores its result and what it throws.
  virtual void run() noexcept = 0;

 protected:
  lane_job() : fork_job(&call) {}
  ~lane_job() = default;

 private:
  static void call(fork_job& self, fork_side<native>& /*where*/) noexcept { static_cast<lane_job&>(self).run(); }
};

/// The calling thread's. Jobs nest: the youngest that is on offer is taken back or awaited first.
class lane {
 public:
  static lane here() noexcept { return lane(this_context().forks); }

  /// Whether others could take anything.
  [[nodiscard]] bool concurrent() const noexcept { return side_ != nullptr; }
  /// Whether nothing of this thread is on offer.
  [[nodiscard]] bool hungry() const noexcept { return side_ != nullptr && !side_->seems_to_offer(); }

  /// Puts the job where thieves that are awake find it. Wait-free, apart from growth. False: there is no memory.
  [[nodiscard]] bool offer(lane_job& job) noexcept { return side_->offer_quietly(job); }
  /// Wakes a worker for what is on offer, unless one searches.
  void call() noexcept { side_->announce(); }

  /// For the youngest job that is on offer. False: it was stolen.
  [[nodiscard]] bool take_back(lane_job& job) noexcept { return side_->take_back(job); }
  /// Blocks until a stolen job has ended; runs only what descends from it.
  void await(lane_job& job) noexcept { side_->wait(job); }

 private:
  explicit lane(fork_side<native>* side) noexcept : side_{side} {}

  fork_side<native>* side_;
};

/// A call of an algorithm: makes the thread take part in its scheduler, as `join` does.
class lane_entry {
 public:
  /// Throws std::logic_error if the thread is in no scheduler, and stack_exhausted.
  explicit lane_entry(const char* algorithm) {
    const fork_side<native>* const here = this_context().forks;
    if (here != nullptr) {
      if (is_beyond(__builtin_frame_address(0), here->end_of_stack())) [[unlikely]]
        throw_stack_exhausted();
      return;
    }
    executor* const scheduler = current_executor();
    if (scheduler == nullptr) {
      throw std::logic_error(std::string("licit: ") + algorithm +
                             " on a thread that is in no scheduler (call it in scheduler.enter)");
    }
    guest_.emplace(*scheduler);
    if (guest_->side() == nullptr) require_stack();
  }

 private:
  std::optional<fork_guest> guest_;
};

}  // namespace licit::inline v0::detail

#endif
