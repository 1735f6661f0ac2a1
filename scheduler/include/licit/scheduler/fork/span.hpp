/// Work and span of a fork-join program while it runs: a strand for each thread, a fork for each join.
///
/// A strand's thread adds up what it runs. At a fork it puts its totals aside and counts each half by itself. Where
/// both have ended, the works are added, and of the spans the longer one. A stolen half has a strand of its own, on the
/// thief; its totals come back in the fork, which lies on the forker's stack. The thief writes them before it completes
/// the job, and the forker reads them after it has seen that: job.complete and job.look order them, as they order the
/// half's result. Nothing else is shared. Related work: Y. He, C. E. Leiserson, W. M. Leiserson, "The Cilkview
/// Scalability Analyzer", SPAA 2010.
#ifndef LICIT_SCHEDULER_SPAN_HPP
#define LICIT_SCHEDULER_SPAN_HPP

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include <licit/deque/native.hpp>
#include <licit/scheduler/fork/fork_side.hpp>

namespace licit::inline v0::detail {

/// What a part of a program comes to. Times are nanoseconds of the measurement's clock; a strand that is shorter than
/// the clock's own cost may come out below zero.
struct span_totals {
  std::int64_t work;      ///< T1
  std::int64_t span;      ///< the longest chain
  std::int64_t burdened;  ///< the longest chain if each fork on it costs one steal
  std::int64_t in_forks;  ///< forks on the chain that has the most of them
  std::uint64_t forks;    ///< in all
  std::uint64_t steals;   ///< halves that another thread ran

  /// What comes after this.
  void then(const span_totals& next) {
    span += next.span;
    burdened += next.burdened;
    in_forks += next.in_forks;
    count(next);
  }
  /// What may run beside this.
  void beside(const span_totals& other) {
    span = std::max(span, other.span);
    burdened = std::max(burdened, other.burdened);
    in_forks = std::max(in_forks, other.in_forks);
    count(other);
  }
  /// So many forks, one after the other, on each chain.
  void deepen(std::int64_t levels, std::int64_t burden) {
    burdened += levels * burden;
    in_forks += levels;
  }

 private:
  void count(const span_totals& other) {
    work += other.work;
    forks += other.forks;
    steals += other.steals;
  }
};

/// How a measurement measures; all its threads read it.
struct span_meter {
  std::uint64_t (*now)() noexcept;  ///< nanoseconds; two readings are compared in one thread only
  /// The thread's processor time, in nanoseconds, which takes longer to read; null: `now` is all there is.
  std::uint64_t (*processor)() noexcept = nullptr;
  std::int64_t overhead = 0;  ///< what measuring adds to a strand between two readings
  std::int64_t burden = 0;    ///< what a steal costs
};

/// While it lives, the joins of its thread are measured. One thread's; strands nest.
///
/// A strand reads the quick clock. Only where that says that a strand was long does it ask for processor time, and
/// leaves out what the thread has not run since it asked last: it was preempted, or blocked. So a strand that is
/// shorter is counted by the quick clock, and one that was interrupted for longer by what it ran.
class strand {
 public:
  strand(fork_side<native>& side, const span_meter& meter)
      : side_{side}, meter_{meter}, outer_{side.set_measured(this)}, sum_{} {
    resume();
  }
  ~strand() { side_.set_measured(outer_); }
  strand(const strand&) = delete;
  strand& operator=(const strand&) = delete;

  [[nodiscard]] const span_meter& meter() const { return meter_; }

  /// Counts the time since the last reading of the clock, which becomes this one.
  void count() {
    const std::uint64_t now = meter_.now();
    std::int64_t took = static_cast<std::int64_t>(now - std::exchange(since_, now)) - meter_.overhead;
    if (took > long_strand && meter_.processor != nullptr) took = std::max(took - not_run(now), std::int64_t{0});
    sum_.work += took;
    sum_.span += took;
    sum_.burdened += took;
  }
  /// Counts, and hands over what has come up to now.
  span_totals take() {
    count();
    return std::exchange(sum_, span_totals{});
  }
  /// The thread goes on after a wait, which is not counted.
  void resume() {
    if (meter_.processor != nullptr) ran_ = meter_.processor();
    since_ = asked_ = meter_.now();
  }
  /// What ran within the strand, but was counted elsewhere.
  void then(const span_totals& next) { sum_.then(next); }

 private:
  static constexpr std::int64_t long_strand = 50'000;  // ns: some hundred times what asking takes

  /// For how long the thread has not run, of the time since it was asked last.
  [[gnu::noinline]] std::int64_t not_run(std::uint64_t now) {
    const std::uint64_t ran = meter_.processor();
    const auto lost = static_cast<std::int64_t>((now - asked_) - (ran - std::exchange(ran_, ran)));
    since_ = asked_ = meter_.now();
    return std::max(lost, std::int64_t{0});
  }

  fork_side<native>& side_;
  const span_meter meter_;  // a copy: what a thread reads for each strand must not lie beside what another one writes
  strand* const outer_;
  std::uint64_t since_;
  std::uint64_t asked_;    ///< when the processor time was
  std::uint64_t ran_ = 0;  ///< what it was
  span_totals sum_;
};

/// A fork, with what comes before it and its halves; on the forker's stack. Costs nothing until it is opened.
class strand_fork {
 public:
  strand_fork() = default;
  /// An exception has passed: what has run counts.
  ~strand_fork() { close(); }
  strand_fork(const strand_fork&) = delete;
  strand_fork& operator=(const strand_fork&) = delete;

  // --- the forker's thread

  [[gnu::noinline, gnu::cold]] void open(strand& of) {
    meter_ = &of.meter();
    of_ = &of;
    turned_ = stolen_ = false;
    before_ = of.take();
  }
  /// The first half has ended.
  void turn() {
    if (of_ != nullptr) [[unlikely]]
      end_first();
  }
  /// Around the first half.
  struct first_half {
    strand_fork& of;
    ~first_half() { of.turn(); }
  };
  /// The second half has ended. If it was stolen, its join is complete.
  void close() {
    if (of_ != nullptr) [[unlikely]]
      end_both();
  }
  /// For a part of a loop: what a thief needs to know.
  void tell(const strand& of) { meter_ = &of.meter(); }

  // --- the thief

  /// Null: nothing is measured.
  [[nodiscard]] const span_meter* meter() const { return meter_; }

  /// Around the run of the stolen half.
  class stolen {
   public:
    stolen(fork_side<native>& thief, strand_fork& of) : of_{of}, mine_{thief, *of.meter_} {}
    ~stolen() {
      of_.second_ = mine_.take();
      of_.stolen_ = true;
    }
    stolen(const stolen&) = delete;
    stolen& operator=(const stolen&) = delete;

   private:
    strand_fork& of_;
    strand mine_;
  };

 private:
  [[gnu::noinline, gnu::cold]] void end_first() {
    first_ = of_->take();
    turned_ = true;
  }
  [[gnu::noinline, gnu::cold]] void end_both() {
    if (!turned_) end_first();
    strand& of = *std::exchange(of_, nullptr);
    if (stolen_) {
      of.resume();
    } else {
      second_ = of.take();
    }
    first_.beside(second_);
    first_.deepen(1, meter_->burden);
    first_.forks += 1;
    first_.steals += stolen_ ? 1 : 0;
    before_.then(first_);
    of.then(before_);
  }

  const span_meter* meter_ = nullptr;
  strand* of_ = nullptr;  ///< not null: open
  bool turned_;
  bool stolen_;
  span_totals before_, first_, second_;
};

/// A loop, which can be divided between any two of its chunks, wherever it was: its chunks are the leaves of a balanced
/// tree of forks. One for each thread that runs a part. Costs nothing until it is opened.
class strand_loop {
 public:
  struct totals {
    span_totals chunk;   ///< the longest; of forks and work the sum
    span_totals serial;  ///< what joins two parts that different threads have run
    std::uint64_t chunks;
  };

  strand_loop() = default;
  ~strand_loop() { close(); }
  strand_loop(const strand_loop&) = delete;
  strand_loop& operator=(const strand_loop&) = delete;

  [[gnu::noinline, gnu::cold]] void open(strand& of) {
    of_ = &of;
    sum_ = totals{};
    before_ = of.take();
  }
  [[nodiscard]] bool is_open() const { return of_ != nullptr; }

  /// A chunk ends where the next one begins.
  void end_chunk() {
    if (of_ != nullptr) [[unlikely]]
      count_chunk();
  }
  /// Before a wait, within a chunk that has thrown or between two.
  void pause() {
    if (of_ == nullptr) return;
    count_chunk();
    --sum_.chunks;
  }
  /// If open: a part was stolen, and is complete.
  [[gnu::noinline, gnu::cold]] void add(const totals& part) {
    of_->resume();
    sum_.chunk.beside(part.chunk);
    sum_.chunk.steals += 1;
    sum_.serial.beside(part.serial);
    sum_.chunks += part.chunks;
  }
  /// What has run since the last chunk cannot run beside the others.
  void end_serial() {
    if (of_ != nullptr) [[unlikely]]
      count_serial();
  }
  /// If open: the thief, after its part. What it has counted is the forker's.
  [[gnu::noinline, gnu::cold]] totals leave() {
    count_serial();
    of_ = nullptr;
    return sum_;
  }
  void close() {
    if (of_ != nullptr) [[unlikely]]
      end();
  }

 private:
  [[gnu::noinline, gnu::cold]] void count_chunk() {
    sum_.chunk.beside(of_->take());
    ++sum_.chunks;
  }
  [[gnu::noinline, gnu::cold]] void count_serial() { sum_.serial.then(of_->take()); }
  [[gnu::noinline, gnu::cold]] void end() {
    count_serial();
    if (sum_.chunks > 1) {
      sum_.chunk.forks += sum_.chunks - 1;
      sum_.chunk.deepen(static_cast<std::int64_t>(std::bit_width(sum_.chunks - 1)), of_->meter().burden);
    }
    before_.then(sum_.chunk);
    before_.then(sum_.serial);
    std::exchange(of_, nullptr)->then(before_);
  }

  strand* of_ = nullptr;  ///< not null: open
  span_totals before_;
  totals sum_;
};

}  // namespace licit::inline v0::detail

#endif
