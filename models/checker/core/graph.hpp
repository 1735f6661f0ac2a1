/// An execution graph: the events of each thread in program order, what each read reads, and each location's
/// modification order.
#ifndef LICIT_CHECKER_CORE_GRAPH_HPP
#define LICIT_CHECKER_CORE_GRAPH_HPP

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/event.hpp"

namespace licit::checker::detail {

/// Events are kept in the order of their insertion, so that going back to an earlier graph is to truncate. Both a
/// thread's events and those of a location are ordered by it; modification order is a linked list through the writes.
class graph {
 public:
  graph() = default;
  graph(graph&&) = default;
  graph& operator=(graph&&) = default;
  graph(const graph& other) { *this = other; }
  graph& operator=(const graph& other);
  ~graph() = default;

  [[nodiscard]] event_id size() const { return static_cast<event_id>(events_.size()); }
  [[nodiscard]] const event& operator[](event_id id) const { return *events_[id]; }
  [[nodiscard]] event& operator[](event_id id) { return *events_[id]; }

  [[nodiscard]] std::span<const event_id> thread(unsigned t) const { return threads_[t]; }
  /// Those that have events have lower numbers.
  [[nodiscard]] unsigned threads() const {
    unsigned most = max_threads;
    while (most != 0 && threads_[most - 1].empty()) --most;
    return most;
  }
  [[nodiscard]] event_id at(unsigned t, unsigned index) const { return threads_[t][index]; }
  /// The event before this one in its thread; null for the first.
  [[nodiscard]] const event* previous(const event& e) const {
    return e.index == 0 ? nullptr : events_[threads_[e.thread()][e.index - 1U]];
  }

  /// Those that psc orders: seq_cst fences and light ones.
  [[nodiscard]] std::span<const event_id> fences() const { return fences_; }

  /// What has started the thread, if it was one of the program's; else `initial`.
  [[nodiscard]] event_id spawn_of(unsigned t) const { return spawns_[t]; }

  [[nodiscard]] std::size_t locations() const { return locations_.size(); }
  /// The access of a location inserted last; `chained` of it leads to the one before.
  [[nodiscard]] event_id last_access(location_id l) const { return at(l).last_access; }
  [[nodiscard]] event_id first_write(location_id l) const { return at(l).first; }
  [[nodiscard]] event_id last_write(location_id l) const { return at(l).last; }
  [[nodiscard]] event_id write_after(location_id l, event_id write) const {
    return write == initial ? first_write(l) : events_[write]->after;
  }

  /// The place in modification order of a write, or of the write that a read reads.
  [[nodiscard]] unsigned rank(event_id write) const { return write == initial ? 0 : events_[write]->rank; }
  [[nodiscard]] unsigned rank(const event& e) const { return e.reads() ? rank(e.source) : e.rank; }
  /// Orders the accesses of one location: a precedes b in (rf ∪ mo ∪ fr)+ exactly when key(a) < key(b).
  [[nodiscard]] unsigned key(const event& e) const { return 2 * rank(e) + (e.reads() ? 1U : 0U); }

  /// Appends it to its thread and to the accesses of its location. A write is not yet in modification order.
  event_id append(const event& e);
  /// An event that has nothing but its operation so far, not even clocks.
  event_id append(const operation& op);

  /// Puts an appended write right after `predecessor`; and takes it out again.
  void place(event_id write, event_id predecessor);
  void displace(event_id write);

  /// Takes out the events inserted last, until `size` are left.
  void truncate(event_id size);

  /// Writes down modification order, for when another graph shares this one's events; and puts it back.
  void keep_order();
  void restore_order();

  /// Becomes the part of `from` that has the events before `read`, `read` and what is in `prefix`, but not `from`'s
  /// last event; `read` then reads nothing. Returns where `read` has come to, and puts in `names` where each event has.
  /// Shares events with `from`, which it must not outlive, and whose modification order is lost (`restore_order`).
  event_id restrict(const graph& from, event_id read, const clock& prefix, std::vector<event_id>& names);

  void clear();

 private:
  struct location {
    event_id last_access = initial;
    event_id first = initial;
    event_id last = initial;
  };

  [[nodiscard]] const location& at(location_id l) const {
    static constexpr location untouched{};
    return l < locations_.size() ? locations_[l] : untouched;
  }
  location& make(location_id l) {
    if (l >= locations_.size()) locations_.resize(l + std::size_t{1});
    return locations_[l];
  }
  static constexpr std::array<event_id, max_threads> none() {
    std::array<event_id, max_threads> all{};
    all.fill(initial);
    return all;
  }
  event& make_own(event*& place);
  event& make_own(event*& place, const event& as);
  void link(event_id added);
  void renumber(event_id from, unsigned rank);
  void take_first(const graph& from, event_id size);

  std::vector<event*> events_;
  std::vector<std::unique_ptr<event>> own_;  ///< those of them that were made here, the first `used_`
  std::size_t used_ = 0;
  std::vector<event_id> order_;  ///< the writes, as they were when it was written down
  std::array<std::vector<event_id>, max_threads> threads_;
  std::vector<location> locations_;
  std::vector<event_id> fences_;
  std::array<event_id, max_threads> spawns_ = none();
};

}  // namespace licit::checker::detail

#endif
