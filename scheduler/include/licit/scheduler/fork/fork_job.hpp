/// A job: the half of a join that the caller offers to thieves. It lives on the caller's stack.
#ifndef LICIT_SCHEDULER_FORK_JOB_HPP
#define LICIT_SCHEDULER_FORK_JOB_HPP

#include <cstdint>

#include <licit/deque/native.hpp>
#include <licit/scheduler/fork/fork_orders.hpp>

namespace licit::inline v0 {

/// Names a stolen job while it runs: which side runs it, how many stolen jobs are on that side's stack with it, and the
/// how-manieth it is there. At depth 0 it stands for what a side runs that was not stolen from a join.
///
/// A token returns after 2^32 thefts by one side. It is compared within one attempt to steal.
class fork_token {
 public:
  using bits = std::uint64_t;
  static constexpr std::uint32_t deepest = 64;
  static constexpr std::uint32_t most_sides = 1U << 14;

  fork_token() = default;
  explicit constexpr fork_token(bits value) : value_{value} {}
  constexpr fork_token(std::uint32_t side, std::uint32_t depth, std::uint32_t number)
      : value_{(bits{number} << 32) | (bits{depth} << 16) | (bits{side} << 2)} {}

  [[nodiscard]] constexpr bits value() const { return value_; }
  [[nodiscard]] constexpr std::uint32_t side() const { return (value_ >> 2) & (most_sides - 1); }
  [[nodiscard]] constexpr std::uint32_t depth() const { return (value_ >> 16) & 0xffff; }
  friend bool operator==(const fork_token&, const fork_token&) = default;

 private:
  bits value_ = 0;  ///< the lowest two are 0: a job's state has flags there
};

template <class Policy>
class fork_side;

/// Between its owner, whose stack it is on, and one thief at most.
template <class Policy = native>
class fork_job {
  template <fixed_string Name>
  static constexpr auto at = site_of<fork_orders, Name>;

 public:
  /// Runs the job in the side's thread, and stores its result or exception in it.
  using body = void (*)(fork_job& self, fork_side<Policy>& where) noexcept;

  /// A job's state as its owner sees it: which side runs it, and whether it is complete.
  class state {
   public:
    explicit state(fork_token::bits value) : value_{value} {}
    [[nodiscard]] bool complete() const { return (value_ & done) != 0; }
    /// Whether the thief has said who it is.
    [[nodiscard]] bool has_begun() const { return (value_ & ~(done | asleep)) != 0; }
    [[nodiscard]] fork_token thief() const { return fork_token(value_ & ~(done | asleep)); }

   private:
    friend class fork_job;
    fork_token::bits value_;
  };

  explicit fork_job(body run) : body_{run} {}
  fork_job(const fork_job&) = delete;
  fork_job& operator=(const fork_job&) = delete;

  /// The thief, or the owner of a job that nobody stole.
  void run(fork_side<Policy>& where) noexcept { body_.read()(*this, where); }

  /// The thief, once, before it runs the job. Returns whether the owner sleeps and is to be woken.
  bool begin(fork_token thief) {
    return (state_.fetch_or(thief.value(), at<"job.begin">) & asleep) != 0;  // read by job.look
  }
  /// The thief, once, after it has run the job: its last access to it. Returns whether the owner is to be woken.
  bool complete() {
    return (state_.exchange(done, at<"job.complete">) & asleep) != 0;  // read by job.look
  }

  /// The owner of a stolen job.
  [[nodiscard]] state look() const { return state(state_.load(at<"job.look">)); }  // reads job.begin, .complete
  /// The owner, before it sleeps. False: the state is not what was seen any more.
  bool announce(state seen) {
    if ((seen.value_ & asleep) != 0) return true;
    return state_.compare_exchange(seen.value_, seen.value_ | asleep, at<"job.announce">);
  }

 private:
  static constexpr fork_token::bits done = 1;
  static constexpr fork_token::bits asleep = 2;

  typename Policy::template atomic<fork_token::bits> state_{0};  ///< the thief's token, and flags
  typename Policy::template plain<body> body_;
};

}  // namespace licit::inline v0

#endif
