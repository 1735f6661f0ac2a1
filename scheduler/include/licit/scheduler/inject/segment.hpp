/// A piece of the inject queue: cells for items, each used once, and the count that says when nobody is in it any more.
#ifndef LICIT_SCHEDULER_INJECT_SEGMENT_HPP
#define LICIT_SCHEDULER_INJECT_SEGMENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>

#include <licit/scheduler/inject/inject_queue_orders.hpp>
#include <licit/scheduler/inject/word.hpp>

namespace licit::inline v0 {

/// May be accessed by who holds a ticket of it (from the tail) or a claim (from the head) that is not finished.
template <class Policy>
class inject_segment {
  template <fixed_string Name>
  static constexpr auto at = site_of<inject_queue_orders, Name>;

 public:
  using word = inject_word<Policy>;
  using bits = std::uint64_t;
  static constexpr std::size_t cells = inject_layout<Policy>::cells;

  static constexpr bits nothing = 0;           ///< in a cell: not pushed yet
  static constexpr bits taken = ~bits{0};      ///< in a cell: its taker did not wait for the item
  static constexpr bits left = bits{1} << 40;  ///< finished: an end has moved on. More than all tickets and claims
  static constexpr bits unused = 2 * left;     ///< finished: both have, and all tickets and claims are finished

  static inject_segment& of(word w) { return *w.template segment<inject_segment>(); }

  /// The pusher, once, with the cell's ticket; false if the taker was first. After true the segment may be gone.
  bool put(std::size_t cell, bits item) {
    bits before = nothing;
    return cells_[cell].compare_exchange(before, item, at<"push.item">);  // read by pop.item, pop.poison
  }

  /// Who has claimed the cell, once: the item, or nothing, and the pusher that comes later will see that.
  bits take(std::size_t cell) {
    const bits item = cells_[cell].load(at<"pop.item">);  // reads push.item
    if (item != nothing) [[likely]]
      return item;
    return cells_[cell].exchange(taken, at<"pop.poison">);  // reads push.item
  }

  /// Before it is linked.
  void fill(std::size_t cell, bits item) { cells_[cell].store(item, at<"extend.fill">); }

  /// The next segment and how many cells it was filled with; of both, nothing if there is none.
  [[nodiscard]] word next_of_tail() const { return word{next_.load(at<"extend.next">)}; }   // reads extend.link
  [[nodiscard]] word next_of_head() const { return word{next_.load(at<"advance.next">)}; }  // reads extend.link
  [[nodiscard]] word next_at_last() const { return word{next_.load(at<"destroy.next">)}; }
  /// False if there is one already.
  bool link(word next) {
    bits none = nothing;
    return next_.compare_exchange(none, next.raw(), at<"extend.link">);  // read by extend.next
  }

  /// With the units given back; true for the one that gives back the last: the segment is that thread's alone.
  /// Units are a ticket or a claim each, `left` for an end that has moved on, less the tickets that it gave out.
  bool finish(bits units) {
    return finished_.fetch_add(units, at<"finish.count">) + units == unused;  // reads itself
  }

  /// Of the thread that has the segment to itself.
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

}  // namespace licit::inline v0

#endif
