/// What threads do to memory, and what the execution graph keeps of it.
#ifndef LICIT_CHECKER_CORE_EVENT_HPP
#define LICIT_CHECKER_CORE_EVENT_HPP

#include <bit>
#include <cstdint>
#include <string_view>

#include <licit/checker/engine.hpp>
#include <licit/deque/order.hpp>

#include "core/clock.hpp"

namespace licit::checker::detail {

using event_id = std::uint16_t;

/// As a read's source: the initial write. As a write's predecessor: first in modification order, after that.
inline constexpr event_id initial = 0xffff;

/// The sum of two floating-point numbers, or `sign` -1: their difference. In the bits of the mask, as `read` is.
template <class Real, class Bits>
word real_sum(word read, word operand, int sign) {
  const auto a = std::bit_cast<Real>(static_cast<Bits>(read));
  const auto b = std::bit_cast<Real>(static_cast<Bits>(operand));
  return std::bit_cast<Bits>(sign > 0 ? a + b : a - b);
}
inline word real_sum(const operation& op, word read, int sign) {
  const bool single = op.mask == 0xffffffff;
  return single ? real_sum<float, std::uint32_t>(read, op.operand, sign)
                : real_sum<double, std::uint64_t>(read, op.operand, sign);
}

/// What a read-modify-write writes. `woken`: the bits of the threads that a notify wakes.
inline word applied(const operation& op, word read, word woken = 0) {
  switch (op.how) {
    case change::add: return (read + op.operand) & op.mask;
    case change::add_real: return real_sum(op, read, 1);
    case change::subtract_real: return real_sum(op, read, -1);
    case change::subtract: return (read - op.operand) & op.mask;
    case change::bit_or:
    case change::sleep: return read | op.operand;
    case change::bit_and: return read & op.operand;
    case change::bit_xor: return read ^ op.operand;
    case change::exchange:
    case change::compare_exchange: return op.operand;
    case change::wake_one:
    case change::wake_all: return read & ~woken;
  }
  return op.operand;
}

/// The same operation, asked for again by a replay.
inline bool same(const operation& a, const operation& b) {
  return a.what == b.what && a.location == b.location && a.site == b.site && a.success == b.success &&
         a.weight == b.weight && a.failure == b.failure && a.how == b.how && a.operand == b.operand &&
         a.expected == b.expected;
}

/// A read-modify-write that succeeds is two events, one after the other in program order.
enum class part : std::uint8_t { whole, read, write };

/// What is known of other threads' pasts, by who may learn it: an acquire of any kind, or, across a light fence, only
/// the fence of the other weight.
struct knowledge {
  clock any;
  clock of_light;  ///< had behind it by a light fence: for heavy fences
  clock of_heavy;  ///< had behind it by a heavy fence: for light fences

  void join(const knowledge& other) {
    any.join(other.any);
    of_light.join(other.of_light);
    of_heavy.join(other.of_heavy);
  }
  [[nodiscard]] bool within(const knowledge& other) const {
    return any.within(other.any) && of_light.within(other.of_light) && of_heavy.within(other.of_heavy);
  }
};

/// An event. Its id is its place in the order of insertion, the stamp of the search; `initial` and `nowhere` mean none.
struct event {
  operation op;
  part half = part::whole;
  order strength = order::relaxed;  ///< that it turned out to have
  bool stuck = false;               ///< an awaiting read that read what it does not await: its thread waits
  std::uint8_t choice = 0;          ///< of what it may do with the same value: 0 is the canonical one
  std::uint8_t woken = 0;           ///< by a notify, a bit a thread
  std::uint8_t alike = 0;           ///< equal threads that did the same so far (symmetry.hpp), a bit a thread
  bool out_of_turn = false;         ///< of a read: it reads an earlier write than a lower equal thread's
  bool teaches_more = false;        ///< of a write: C++11's release sequences may make `released` larger
  std::uint16_t index = 0;          ///< in its thread
  event_id source = initial;        ///< of a read: the write that it reads
  event_id before = initial;        ///< of an atomic write: its neighbours in modification order
  event_id after = initial;
  std::uint16_t rank = 0;      ///< of an atomic write: its place in modification order; the initial write has 0
  event_id chained = initial;  ///< the access of the same location inserted before this one
  std::uint16_t round = 0;     ///< in which a replay from the beginning does it (executor::replay)
  word value = 0;              ///< read or written
  clock happened;              ///< happens-before, itself included
  clock prefix;                ///< (po ∪ rf ∪ what comes first of equal threads)*, itself included
  knowledge acquirable;        ///< what an acquire fence here would learn
  knowledge fenced;            ///< what the last release fence in program order had behind it
  knowledge own;               ///< of a write: what its release sequence starts with, but for read-modify-writes
  knowledge released;          ///< of a write: what an acquire that reads it learns

  /// Becomes one that has its operation and its place in its thread, and nothing else: all that a use before may have
  /// left, but the clocks that it is going to inherit.
  void begin(const operation& o, std::size_t place) {
    op = o;
    half = part::whole;
    strength = o.success;
    stuck = out_of_turn = teaches_more = false;
    choice = woken = alike = 0;
    index = static_cast<std::uint16_t>(place);
    source = before = after = chained = initial;
    rank = 0;
    value = 0;
    own = released = knowledge{};
  }

  [[nodiscard]] unsigned thread() const { return op.thread; }
  /// Is done after its source. In each round the threads take turns, the lowest first.
  void come_after(const event& earlier) {
    prefix.join(earlier.prefix);
    const unsigned soonest = earlier.round + (earlier.thread() > thread() ? 1U : 0U);
    if (soonest > round) round = static_cast<std::uint16_t>(soonest);
  }
  [[nodiscard]] bool reads() const {
    return op.what == action::load || (op.what == action::modify && half != part::write);
  }
  /// A weak operation that fails, or a wait that ends, although the value is the expected one.
  [[nodiscard]] bool spurious() const { return op.weak && !op.wakes() && choice != 0; }
  /// Comes after its source.
  [[nodiscard]] bool has_source() const { return (reads() || follows()) && source != initial; }
  /// Has another thread's event behind it that it reads no value from.
  [[nodiscard]] bool follows() const {
    return op.what == action::awake || op.what == action::begin || op.what == action::join;
  }
  [[nodiscard]] bool writes() const {
    return op.what == action::store || op.what == action::construct || half == part::write;
  }
  [[nodiscard]] bool is_fence() const { return op.what == action::fence; }
  [[nodiscard]] bool is_ghost() const { return op.what >= action::ghost_construct; }
  /// Of the queue of who waits, which is no location of the program's: it orders no memory.
  [[nodiscard]] bool of_queue() const { return op.how == change::sleep || (op.what == action::modify && op.wakes()); }
  [[nodiscard]] bool is_plain() const { return op.what == action::plain_read || op.what == action::plain_write; }
  [[nodiscard]] bool is_light() const { return op.weight == asymmetry::light; }
  [[nodiscard]] bool sequential() const { return strength == order::seq_cst; }
  [[nodiscard]] bool within(const clock& set) const { return set.covers(op.thread, index); }
};

constexpr bool acquires(order o) { return o == order::acquire || o == order::acq_rel || o == order::seq_cst; }
constexpr bool releases(order o) { return o == order::release || o == order::acq_rel || o == order::seq_cst; }

}  // namespace licit::checker::detail

#endif
