/// Work and span of a fork-join program, measured: would more processors help?
///
///     licit::span_report report = workers.measure_span([&] { licit::parallel_sort(numbers); });
///     std::puts(licit::text_table(report).c_str());
///
/// fork/README.md says what is counted, and what measuring costs.
#ifndef LICIT_SCHEDULER_MEASURE_SPAN_HPP
#define LICIT_SCHEDULER_MEASURE_SPAN_HPP

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <licit/scheduler/fork/join.hpp>
#include <licit/scheduler/fork/span.hpp>
#include <licit/scheduler/scheduler_options.hpp>

namespace licit::inline v0 {

/// How `measure_span` measures.
struct span_options {
  /// Reads a clock, in nanoseconds; must not throw. Readings are compared within one thread only. Without one it is
  /// std::chrono::steady_clock, less what the thread has not run in more than 50 us: preempted, or blocked.
  std::uint64_t (*clock)() noexcept = nullptr;
  /// What a fork on the longest chain costs. Without one, `cost_of_a_steal` with the scheduler's fences. Negative:
  /// throws std::invalid_argument.
  std::optional<std::chrono::nanoseconds> burden = {};
};

/// What `measure_span` has measured.
struct span_report {
  std::chrono::nanoseconds work{};           ///< T1: what all parts took together
  std::chrono::nanoseconds span{};           ///< T∞: the longest chain of parts, each of which waits for the one before
  std::chrono::nanoseconds burdened_span{};  ///< the longest chain if each fork on it costs `burden`
  std::chrono::nanoseconds elapsed{};        ///< T_P: what the call took, by std::chrono::steady_clock
  std::chrono::nanoseconds burden{};         ///< what a steal costs
  std::uint64_t forks = 0;           ///< joins of two, and places where an algorithm could have divided its range
  std::uint64_t forks_in_chain = 0;  ///< T∞ in forks: those on the chain that has the most of them
  std::uint64_t steals = 0;          ///< halves that another thread ran than the one that forked
  std::size_t threads = 1;           ///< the scheduler's workers, and the calling thread if it is none of them
  std::size_t processors = 1;        ///< as many, or those that the process may use if these are fewer

  /// T1/T∞. At most this many processors can be busy on average, and no number of processors makes the program more
  /// than this many times faster. 1 if T∞ is 0.
  [[nodiscard]] double parallelism() const { return ratio(work, span); }
  /// The same with the burdened span: what is left of it where each fork is stolen.
  [[nodiscard]] double burdened_parallelism() const { return ratio(work, burdened_span); }
  /// T1/T_P: how many times faster the call was than its parts one after the other.
  [[nodiscard]] double speed_up() const { return ratio(work, elapsed); }
  /// steals/(threads·T∞), with T∞ in forks: work stealing expects O(1). 0 if there was no fork.
  [[nodiscard]] double steals_of_bound() const {
    if (forks_in_chain == 0) return 0;
    return static_cast<double>(steals) / (static_cast<double>(threads) * static_cast<double>(forks_in_chain));
  }
  /// T1 over (T1 - T)/p + T, where T is the burdened T∞: what p processors reach if none is ever idle beside work.
  [[nodiscard]] double expected_speed_up(std::size_t processors) const;

 private:
  static double ratio(std::chrono::nanoseconds of, std::chrono::nanoseconds to) {
    return to.count() <= 0 ? 1 : static_cast<double>(of.count()) / static_cast<double>(to.count());
  }
};

// Any thread; plain functions of their argument, in any locale. They throw std::bad_alloc only.

/// Says whether more processors would help, and why, in one sentence or two.
[[nodiscard]] std::string verdict(const span_report& report);
/// A line for each number, with its meaning; then the speed-ups to expect, and the verdict.
[[nodiscard]] std::string text_table(const span_report& report);

/// Any thread. What a steal costs on this machine: the time of a join whose second half does nothing and is stolen by a
/// thread that is awake, from the fork to the joiner's next step. The least of 101, by a scheduler of one worker; 50 us
/// if all took longer, since others then used the processors. The first call for these fences takes some milliseconds,
/// or half a second on a busy machine, and throws what a scheduler's constructor throws; later ones return the same.
[[nodiscard]] std::chrono::nanoseconds cost_of_a_steal(join_fences fences = join_fences::chosen);

namespace detail {

/// While it lives, the thread's joins are measured. Its end writes the report.
class measurement {
 public:
  /// Throws as measure_span says.
  measurement(span_report& into, const span_options& options);
  ~measurement();
  measurement(const measurement&) = delete;
  measurement& operator=(const measurement&) = delete;

 private:
  struct lone_side;

  std::unique_ptr<lone_side> lone_;  ///< of a thread that is alone
  span_report& into_;
  fork_side<native>& side_;
  strand* const outer_;
  span_meter meter_;
  std::size_t processors_;
  std::uint64_t begun_ns_ = 0;
  std::optional<strand> all_;
};

}  // namespace detail

/// Calls `f` and measures the joins and parallel algorithms in it, in whatever thread their parts run: work, span,
/// steals. Returns what `f` returns, or throws what it throws; then `into` has the report, also if `f` throws. In a
/// task, in `block_on`, in `scheduler::enter`, or in a join; elsewhere it throws std::logic_error, and `f` has not run.
/// Blocks as `f` does.
///
/// Counts what runs in the threads of the measured parts, tasks that they await and run there included. Measuring costs
/// three readings of the clock and some ten nanoseconds a fork. What it adds to T1 and T∞ is measured first, and
/// subtracted; T_P includes it.
///
/// Within a measurement, another one measures its own call, by the clock and burden of the outer one, which counts it
/// too. A thread that finds no place as a guest is measured all the same, with full fences; nobody steals from it.
/// Throws std::invalid_argument (a negative burden), std::bad_alloc, and what `cost_of_a_steal` throws; `f` has not run
/// then.
template <std::invocable F>
std::invoke_result_t<F> measure_span(span_report& into, F&& f, const span_options& options = {}) {
  const detail::fork_entry here("measure_span");
  const detail::measurement all(into, options);
  return std::invoke(std::forward<F>(f));
}

/// The same. Returns the report, and drops what `f` returns.
template <std::invocable F>
[[nodiscard]] span_report measure_span(F&& f, const span_options& options = {}) {
  span_report report;
  static_cast<void>(measure_span(report, std::forward<F>(f), options));
  return report;
}

}  // namespace licit::inline v0

#endif
