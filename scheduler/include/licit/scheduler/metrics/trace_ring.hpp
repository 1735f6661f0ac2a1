/// The last events of one worker, readable while it goes on writing.
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

/// Two words: when, and what.
struct trace_event {
  std::uint64_t time = 0;
  std::uint64_t what = 0;

  friend bool operator==(const trace_event&, const trace_event&) = default;
};

/// What a reader does after it has copied the events.
struct trace_ring_rules {
  bool drops_overwritten = true;  ///< those whose slots may have been used again meanwhile
};

/// One writer, any number of readers. An event is two atomic words in a slot that is used again after `capacity`
/// events. The writer says before its stores which event it begins, and after them that it has ended. A reader copies
/// what has ended, then looks which events have begun since, and drops the copies of slots that these may have
/// overwritten. Source: a seqlock (Boehm, MSPC 2012) whose sequence number is that of the whole ring, and whose fences
/// are in the words: stored with release, loaded with acquire.
template <class Policy = native>
class trace_ring {
 public:
  /// What a reader got: the newest events in their order, and how many older ones are gone.
  struct copy {
    std::pmr::vector<trace_event> events{Policy::memory()};
    std::uint64_t overwritten = 0;
  };

  /// `capacity` is in events, a power of two, at least 2.
  explicit trace_ring(std::size_t capacity) : mask_{capacity - 1}, slots_(capacity, Policy::memory()) {}

  /// The writer only. Wait-free: four stores. The oldest event makes room.
  void record(trace_event event) {
    slot& to = slots_[static_cast<std::size_t>(next_) & mask_];
    begun_.store(next_ + 1, at<"record.begin">);
    to.time.store(event.time, at<"record.time">);  // read by read.time
    to.what.store(event.what, at<"record.what">);  // read by read.what
    ++next_;
    ended_.store(next_, at<"record.end">);  // read by read.end
  }

  /// Any thread. Wait-free but for the memory that it allocates, O(capacity). Holds every event that was complete when
  /// it was called but those that have been overwritten before it returns.
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

  /// Event i is in doubt as soon as event i + capacity has begun.
  std::uint64_t drop_overwritten(std::pmr::vector<trace_event>& events, std::uint64_t first,
                                 std::uint64_t begun) const {
    if (!rules.drops_overwritten) return 0;
    const std::uint64_t safe = begun > slots_.size() ? begun - slots_.size() : 0;
    const std::uint64_t dropped = std::min<std::uint64_t>(safe > first ? safe - first : 0, events.size());
    events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(dropped));
    return dropped;
  }

  // Written by the worker for each event.
  alignas(128) atomic<std::uint64_t> begun_;  ///< events whose words may be changing, or have changed
  atomic<std::uint64_t> ended_;               ///< events whose words are complete
  std::uint64_t next_ = 0;                    ///< the writer's own
  const std::size_t mask_;
  std::pmr::vector<slot> slots_;
};

}  // namespace licit::inline v0

#endif
