/// A segment of the inject queue: cells for items, each used once, and the count that says when nobody uses it any
/// more.
#ifndef LICIT_SCHEDULER_INJECT_SEGMENT_HPP
#define LICIT_SCHEDULER_INJECT_SEGMENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <licit/scheduler/inject/inject_queue_orders.hpp>
#include <licit/scheduler/inject/word.hpp>

namespace licit::inline v0::detail {

/// Only a thread with an unfinished ticket (from the tail) or claim (from the head) of it may access a segment.
template <class Policy>
class inject_segment {
  template <fixed_string Name>
  static constexpr auto at = site_of<inject_queue_orders, Name>;

 public:
  using word = inject_word<Policy>;
  using bits = std::uint64_t;
  static constexpr std::size_t cells = rules_of<inject_queue_rules, Policy>().cells;

  static constexpr bits nothing = 0;           ///< of a cell: not pushed yet
  static constexpr bits taken = ~bits{0};      ///< of a cell: poisoned, since its taker did not wait for the item
  static constexpr bits left = bits{1} << 40;  ///< units for an end that has moved on; more than all tickets and claims
  static constexpr bits unused = 2 * left;     ///< both ends have moved on, and all tickets and claims are finished

  static inject_segment& of(word w) { return *w.template segment<inject_segment>(); }

  /// The pusher, once, with the cell's ticket. False if the taker came first. After true the segment may be gone.
  bool put(std::size_t cell, bits item) {
    bits before = nothing;
    return cells_[cell].compare_exchange(before, item, at<"push.item">);  // read by pop.item, pop.poison
  }

  /// The claimer of the cell, once. Returns the item, or poisons the cell and returns nothing.
  bits take(std::size_t cell) {
    const bits item = cells_[cell].load(at<"pop.item">);  // reads push.item
    if (item != nothing) [[likely]]
      return item;
    return cells_[cell].exchange(taken, at<"pop.poison">);  // reads push.item
  }

  /// Before the segment is linked.
  void fill(std::size_t cell, bits item) { cells_[cell].store(item, at<"extend.fill">); }

  /// The next segment and the number of cells with which it was filled; empty if there is none.
  [[nodiscard]] word next_of_tail() const { return word{next_.load(at<"extend.next">)}; }   // reads extend.link
  [[nodiscard]] word next_of_head() const { return word{next_.load(at<"advance.next">)}; }  // reads extend.link
  [[nodiscard]] word next_at_last() const { return word{next_.load(at<"destroy.next">)}; }
  /// Links the next segment. False if there is one already.
  bool link(word next) {
    bits none = nothing;
    return next_.compare_exchange(none, next.raw(), at<"extend.link">);  // read by extend.next
  }

  /// Gives units back. True for the thread that gives back the last: it then has the segment alone. A ticket or a claim
  /// is a unit; an end that has moved on gives `left` minus the tickets that it gave out.
  bool finish(bits units) {
    return finished_.fetch_add(units, at<"finish.count">) + units == unused;  // reads itself
  }

  /// For the thread that has the segment alone.
  [[nodiscard]] inject_segment* below() const { return below_.read(); }
  void put_on(inject_segment* other) { below_.write(other); }

 private:
  template <class U>
  using atomic = typename Policy::template atomic<U>;

  atomic<bits> next_;
  atomic<bits> finished_;
  typename Policy::template plain<inject_segment*> below_;
  alignas(64) std::array<atomic<bits>, cells> cells_{};
};

}  // namespace licit::inline v0::detail

#endif
