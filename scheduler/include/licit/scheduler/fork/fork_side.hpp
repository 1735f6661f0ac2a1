/// One thread's side of fork and join: the deque of the jobs that it offers, and what others read of it.
///
/// A side belongs to a worker, or, one after the other, to foreign threads that enter the scheduler. Its memory stays
/// as long as the scheduler. fork/README.md has the protocol.
#ifndef LICIT_SCHEDULER_FORK_SIDE_HPP
#define LICIT_SCHEDULER_FORK_SIDE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <utility>

#include <licit/deque/asymmetric.hpp>
#include <licit/deque/chase_lev.hpp>
#include <licit/deque/native.hpp>
#include <licit/scheduler/default_memory.hpp>
#include <licit/scheduler/fork/fork_job.hpp>
#include <licit/scheduler/fork/fork_orders.hpp>
#include <licit/scheduler/idle/idle_set.hpp>
#include <licit/scheduler/idle/parker.hpp>
#include <licit/scheduler/metrics/metrics.hpp>

namespace licit::inline v0 {

template <class Policy>
class fork_crew;

namespace detail {

class strand;

/// An address in the caller's frame. That of a local variable needs no frame pointer; sanitizers may have it elsewhere.
[[gnu::always_inline]] inline const void* frame_of([[maybe_unused]] const void* local) noexcept {
  return sanitized ? __builtin_frame_address(0) : local;
}

}  // namespace detail

/// What fork and join decide apart from memory orders. Each flag is needed: the models show what breaks without it.
struct fork_rules {
  unsigned spins = 24;                 ///< how often a joiner that finds nothing looks again before it sleeps
  bool pauses = true;                  ///< it pauses in between; a checker has no time to spend
  bool wakes_idle = true;              ///< a fork wakes a parked worker if nobody searches
  bool wakes_joiners = true;           ///< a fork wakes the joiners that asked this side for it
  bool only_descendants = true;        ///< a joiner steals only what descends from the job that it waits for
  bool passes_on = true;               ///< a thief takes over the requests of joiners from where it stole
  bool looks_again = true;             ///< a joiner that has left its requests looks for work once more
  bool waits_after_exception = true;   ///< a joiner whose own half threw waits for the other one
  bool drops_second_exception = true;  ///< if both halves threw, the second one's exception is not the one to throw
  bool wakes_at_begin = true;  ///< a thief that begins wakes the joiner, which may have slept before it knew the thief
};

/// The deque of a side's jobs. A specialisation for a policy may replace it: bench/fork_join/crews.cpp compares others.
template <class Policy>
struct fork_deque {
  using type = chase_lev<fork_job<Policy>*, late_asymmetric_policy<Policy>>;
};

template <class Policy = native>
class fork_side {
  template <fixed_string Name>
  static constexpr auto at = site_of<fork_orders, Name>;

 public:
  using job = fork_job<Policy>;
  using fences = typename late_asymmetric_policy<Policy>::fences;

  /// What its thread does before it sleeps in a join.
  struct before_sleep {
    void (*call)(void*) noexcept = nullptr;
    void* with = nullptr;
  };

  /// `idle`, `sleep` and `all` outlive the side. Throws what the memory resource throws.
  fork_side(fork_crew<Policy>& all, idle_set<Policy>& idle, parker<Policy>& sleep, std::uint32_t self,
            std::size_t capacity, std::pmr::memory_resource* memory, const fences& by)
      : jobs_{{.initial_capacity = capacity, .memory = memory}, by},
        alert_{quiet},
        idle_{idle},
        all_{all},
        sleep_{sleep},
        fences_{by},
        self_{self},
        current_{fork_token(self, 0, 0).value()} {}
  fork_side(const fork_side&) = delete;
  fork_side& operator=(const fork_side&) = delete;

  // --- its own thread, in a join

  /// Offers the job to thieves. A sleeper that could run it is woken. Wait-free unless the deque grows or somebody is
  /// to be woken: no read-modify-write, and no fence instruction if fences are asymmetric. False if the deque cannot
  /// grow; the job is then not offered.
  [[nodiscard, gnu::always_inline]] bool offer(job& one) noexcept {
    if (!push(one)) [[unlikely]]
      return false;
    announce();
    return true;
  }
  /// The two steps of `offer`. Between them only threads that are awake and search find the job; a worker may sleep
  /// beside it.
  [[nodiscard]] bool offer_quietly(job& one) noexcept { return push(one); }
  [[gnu::always_inline]] void announce() noexcept {
    fences_(at<"offer.fence">);  // with look.heavy, tell_of.heavy
    if (idle_.wants_work() || alert_.load(at<"offer.alert">) != 0) [[unlikely]]
      all_.tell(*this);
  }

  /// Takes the job back that was offered last and not taken back yet. False if it was stolen.
  [[nodiscard, gnu::always_inline]] bool take_back([[maybe_unused]] job& one) noexcept {
    job* const youngest = jobs_.pop_or(nullptr);
    Policy::invariant(70, youngest == nullptr || youngest == &one);
    return youngest != nullptr;
  }

  /// Blocks until the job, which was stolen, is complete. Meanwhile runs only jobs that descend from it.
  void wait(job& stolen) noexcept {
    if (metrics_ != nullptr) metrics_->join_waits(&stolen);
    all_.wait(*this, stolen);
    if (metrics_ != nullptr) metrics_->join_resumes(&stolen);
  }
  /// The same, but runs nothing meanwhile, as if half of the stack were in use.
  void wait_alone(job& stolen) noexcept {
    const void* const half = std::exchange(half_of_stack_, above_stacks());
    wait(stolen);
    half_of_stack_ = half;
  }

  /// Where the thread's stack may not go any further; null: not known.
  [[nodiscard]] const void* end_of_stack() const { return end_of_stack_; }
  /// A join whose frame is below takes its slow path: that end; every frame, while joins are measured. So a join asks
  /// one question for both.
  [[nodiscard]] const void* gate() const { return gate_; }
  /// Below it, the thread does not help while it waits.
  [[nodiscard]] const void* half_of_stack() const { return half_of_stack_; }
  void set_stack(const void* half, const void* end) {
    half_of_stack_ = half;
    end_of_stack_ = end;
    gate_ = end;
  }
  /// The strand by which the thread's joins are measured (span.hpp); null: they are not.
  [[nodiscard]] detail::strand* measured() const { return measured_; }
  /// Returns the one before.
  detail::strand* set_measured(detail::strand* by) {
    gate_ = by != nullptr ? above_stacks() : end_of_stack_;
    return std::exchange(measured_, by);
  }
  void set_before_sleep(before_sleep what) { before_sleep_ = what; }
  /// A guest's: the side, of this or another scheduler, that the thread has had as a guest since before; or null.
  void set_outer(const fork_side* one) { outer_ = one; }
  [[nodiscard]] const fork_side* outer() const { return outer_; }
  /// The worker's, which are told of its thefts and waits. A guest has none.
  void set_metrics(worker_metrics<>& of) { metrics_ = &of; }

  // --- any thread

  /// The workers of its scheduler, and its own thread if it is none of them.
  [[nodiscard]] std::size_t threads() const { return all_.workers() + (self_ < all_.workers() ? 0 : 1); }
  /// An estimate of whether jobs are offered. After the heavy fences of the protocol it misses none.
  [[nodiscard]] bool seems_to_offer() const { return jobs_.size() != 0; }
  [[nodiscard]] std::uint32_t number() const { return self_; }
  [[nodiscard]] const fences& passes() const { return fences_; }

 private:
  friend class fork_crew<Policy>;
  using bits = std::uint64_t;
  template <class T>
  using atomic = typename Policy::template atomic<T>;

  // The alert word: joiners that want to be told of a fork, by their number; and that the side has not forked since it
  // last slept.
  static constexpr unsigned askers = 62;
  static constexpr bits quiet = bits{1} << 63;
  static constexpr bits all_askers = (bits{1} << askers) - 1;
  [[nodiscard]] bits own_bit() const { return bits{1} << (self_ % askers); }

  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address above any stack
  static const void* above_stacks() { return reinterpret_cast<const void*>(~std::uintptr_t{0}); }

  /// Around the run of a stolen job.
  class reported {
   public:
    reported(const fork_side& thief, const fork_side& victim, const job* one) : to_{thief.metrics_}, job_{one} {
      if (to_ != nullptr) to_->half_begins(victim.self_, one);
    }
    ~reported() {
      if (to_ != nullptr) to_->half_ends(job_);
    }
    reported(const reported&) = delete;
    reported& operator=(const reported&) = delete;

   private:
    worker_metrics<>* to_;
    const job* job_;  ///< may be gone at the end
  };

  [[gnu::always_inline]] bool push(job& one) noexcept {
    try {
      jobs_.push(&one);
      return true;
    } catch (...) {
      return false;
    }
  }

  // Two cache lines, and the pair that the adjacent-line prefetcher fetches with each. The deque has its own.
  static constexpr std::size_t line = 128;

  typename fork_deque<Policy>::type jobs_;

  // Its own thread reads here in each fork; others write seldom.
  alignas(line) atomic<bits> alert_;
  idle_set<Policy>& idle_;
  fork_crew<Policy>& all_;
  parker<Policy>& sleep_;
  const void* gate_ = nullptr;
  const void* end_of_stack_ = nullptr;
  const void* half_of_stack_ = nullptr;
  before_sleep before_sleep_;
  worker_metrics<>* metrics_ = nullptr;
  const fork_side* outer_ = nullptr;
  detail::strand* measured_ = nullptr;
  [[no_unique_address]] fences fences_;
  const std::uint32_t self_;
  std::uint32_t thefts_ = 0;  ///< its own thread's
  std::uint32_t depth_ = 0;   ///< its own thread's: how many stolen jobs are on its stack

  // Its own thread writes here at each theft; thieves read.
  alignas(line) atomic<bits> current_;                    ///< the token of the innermost stolen job on its stack
  std::array<atomic<bits>, fork_token::deepest> origin_;  ///< at each depth: `current_` of where the job was stolen
  atomic<std::uint32_t> taken_;                           ///< 1: a foreign thread has it
};

}  // namespace licit::inline v0

#endif
