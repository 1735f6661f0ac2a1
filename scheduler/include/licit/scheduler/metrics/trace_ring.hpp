/// A ring with the latest events of one worker, which others can read while the worker writes.
#ifndef LICIT_SCHEDULER_TRACE_RING_HPP
#define LICIT_SCHEDULER_TRACE_RING_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include <licit/deque/native.hpp>
#include <licit/deque/rules.hpp>
#include <licit/scheduler/metrics/trace_ring_orders.hpp>

namespace licit::inline v0 {

/// An event: two words, the time and what happened.
struct trace_event {
  std::uint64_t time = 0;
  std::uint64_t what = 0;

  friend bool operator==(const trace_event&, const trace_event&) = default;
};

/// What a reader does after it has copied the events.
struct trace_ring_rules {
  bool drops_overwritten = true;  ///< those whose slots may have been used again meanwhile
};

/// One writer, any number of readers. An event is two atomic words in a slot that is reused after `capacity` events.
/// The writer announces before its stores which event begins, and after them that it has ended. A reader copies the
/// ended events, then reads which events have begun since, and drops the copies that these may have overwritten.
/// Source: a seqlock (Boehm, MSPC 2012) with one sequence number for the whole ring, whose fences are in the words:
/// release stores and acquire loads.
template <class Policy = native>
class trace_ring {
 public:
  /// A reader's result: the newest events in their order, and the number of older ones that are gone.
  struct copy {
    std::pmr::vector<trace_event> events{Policy::memory()};
    std::uint64_t overwritten = 0;
  };

  /// `capacity` is in events, a power of two, at least 2.
  explicit trace_ring(std::size_t capacity) : mask_{capacity - 1}, slots_(capacity, Policy::memory()) {}

  /// The writer only. Wait-free: four stores. Overwrites the oldest event.
  void record(trace_event event) {
    slot& to = slots_[static_cast<std::size_t>(next_) & mask_];
    begun_.store(next_ + 1, at<"record.begin">);
    to.time.store(event.time, at<"record.time">);  // read by read.time
    to.what.store(event.what, at<"record.what">);  // read by read.what
    ++next_;
    ended_.store(next_, at<"record.end">);  // read by read.end
  }

  /// Any thread. Wait-free apart from its allocation; O(capacity). Returns every event that was complete at the call,
  /// except those that were overwritten before it returns.
  [[nodiscard]] copy read() const {
    const std::uint64_t end = ended_.load(at<"read.end">);  // reads record.end
    const std::uint64_t first = end > slots_.size() ? end - slots_.size() : 0;
    copy made;
    made.events.reserve(static_cast<std::size_t>(end - first));
    for (std::uint64_t i = first; i != end; ++i) {
      const slot& from = slots_[static_cast<std::size_t>(i) & mask_];
      trace_event event;
      event.time = from.time.load(at<"read.time">);  // reads record.time
      event.what = from.what.load(at<"read.what">);  // reads record.what
      made.events.push_back(event);
    }
    made.overwritten = first + drop_overwritten(made.events, first, begun_.load(at<"read.begin">));
    return made;
  }

  /// Any thread.
  [[nodiscard]] std::size_t capacity() const { return slots_.size(); }

 private:
  static constexpr auto rules = rules_of<trace_ring_rules, Policy>();
  template <fixed_string Name>
  static constexpr auto at = site_of<trace_ring_orders, Name>;
  template <class T>
  using atomic = typename Policy::template atomic<T>;

  struct slot {
    atomic<std::uint64_t> time;
    atomic<std::uint64_t> what;
  };

  /// A copy of event i is unreliable once event i + capacity has begun.
  std::uint64_t drop_overwritten(std::pmr::vector<trace_event>& events, std::uint64_t first,
                                 std::uint64_t begun) const {
    if (!rules.drops_overwritten) return 0;
    const std::uint64_t safe = begun > slots_.size() ? begun - slots_.size() : 0;
    const std::uint64_t dropped = std::min<std::uint64_t>(safe > first ? safe - first : 0, events.size());
    events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(dropped));
    return dropped;
  }

  // Written by the worker for each event.
  alignas(128) atomic<std::uint64_t> begun_;  ///< the number of events that have begun
  atomic<std::uint64_t> ended_;               ///< the number of events whose words are complete
  std::uint64_t next_ = 0;                    ///< the writer's own
  const std::size_t mask_;
  std::pmr::vector<slot> slots_;
};

}  // namespace licit::inline v0

#endif
