/// What all parts of one call of a parallel algorithm share: its options, and where it ends.
#ifndef LICIT_PARALLEL_CONTROL_HPP
#define LICIT_PARALLEL_CONTROL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <licit/parallel/detail/lane.hpp>
#include <licit/parallel/parallel_options.hpp>
#include <licit/parallel/shared.hpp>
#include <licit/scheduler/clock.hpp>

namespace licit::inline v0::detail {

/// A part has a position; parts run in any order, and those before `end` have to. An exception at a position ends the
/// call there: it is rethrown unless one comes from before it.
class control {
 public:
  static constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();

  /// Throws std::invalid_argument if an option is out of range, and what fork_entry throws.
  control(const char* algorithm, const parallel_options& options, std::uint64_t items)
      : entry_{algorithm}, options_{options}, items_{items}, end_{nowhere}, stops_{options.stop.stop_possible()} {
    require_options(algorithm, options);
  }

  [[nodiscard]] std::uint64_t items() const { return items_; }
  [[nodiscard]] const parallel_options& options() const { return options_; }
  [[nodiscard]] std::uint64_t end() const { return end_.get(); }
  /// Whether what stands at this position does not matter any more.
  [[nodiscard]] bool is_over(std::uint64_t position) const { return position >= end_.get(); }
  void end_at(std::uint64_t position) { end_.lower(position); }

  /// Whether anybody looks at chunks: a serial call is one chunk otherwise.
  [[nodiscard]] bool has_chunks() const { return stops_ || options_.progress != nullptr; }

  /// Before a chunk.
  void begin_chunk() const {
    if (stops_ && options_.stop.stop_requested()) throw parallel_stopped();
  }
  /// After it.
  void end_chunk(std::uint64_t items) {
    if (options_.progress == nullptr) return;
    meter_.add(items);
    meter_.report([&](std::uint64_t done) {
      const std::uint64_t now = steady_nanoseconds::now();
      if (done == items_ || now < next_) return;
      next_ = now + static_cast<std::uint64_t>(std::max<std::int64_t>(options_.progress_every.count(), 0));
      options_.progress(done, items_);
    });
  }
  /// The caller, when all parts have ended well.
  void end_call() const {
    if (options_.progress != nullptr) options_.progress(items_, items_);
  }

 private:
  fork_entry entry_;
  const parallel_options& options_;
  const std::uint64_t items_;
  end_of_items<> end_;
  progress_meter<> meter_;
  std::uint64_t next_ = 0;  ///< when the callback may be called again; the meter's caller's
  const bool stops_;
};

/// What a sleeping worker's wake-up has to be worth: it costs the waking thread some 2 to 5 us, and the woken one more
/// until it has stolen.
inline constexpr double worth_a_wake = 20'000;  // ns of work
/// A shorter time says nothing of the items: the first ones find nothing in the caches.
inline constexpr double trusted_time = 2'000;  // ns
/// How long a chunk should take that nobody has chosen: what a thief waits for at most until there is something again.
inline constexpr double chunk_time = 1'000;  // ns
/// So few items are offered to sleeping workers before any time is measured: few items are mostly long ones.
inline constexpr std::uint64_t few_items = 64;

}  // namespace licit::inline v0::detail

#endif
