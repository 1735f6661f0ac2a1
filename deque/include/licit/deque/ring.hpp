/// A power-of-two array of atomic slots, addressed by an ever-growing index.
#ifndef LICIT_DEQUE_RING_HPP
#define LICIT_DEQUE_RING_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <memory_resource>
#include <new>
#include <type_traits>

#include <licit/deque/errors.hpp>
#include <licit/deque/options.hpp>

namespace licit::inline v0::detail {

/// The position of an item since the deque was made. 64 bits wrap after 292 years of an operation a nanosecond.
using index = std::int64_t;

/// How far what the owner writes lies from what thieves write: two cache lines, the pair that the adjacent-line
/// prefetcher fetches.
inline constexpr std::size_t lines_apart = 128;

/// How an index becomes a slot: on a machine, by the low bits. A policy may compute in another way, with indices of its
/// own (`Policy::addressing<T>`); models/proof does, with terms in place of numbers.
template <class T, class Policy>
struct machine_addressing {
  using index = detail::index;
  using slot_type = typename Policy::template atomic<T>;
  using origin = std::uintptr_t;  ///< where the slot of item 0 would be: a number, since that is in no array

  static index capacity(std::size_t mask) { return static_cast<index>(mask + 1); }
  static slot_type& slot(slot_type* slots, index i, std::size_t mask) {
    return slots[static_cast<std::size_t>(i) & mask];
  }
  /// The first index of the lap that i is in.
  static index lap(index i, std::size_t mask) { return i & ~static_cast<index>(mask); }
  static origin origin_of(slot_type* slots, index first) {
    return reinterpret_cast<std::uintptr_t>(slots) - offset(first);
  }
  static slot_type* address(origin o, index i) {
    return reinterpret_cast<slot_type*>(o + offset(i));  // NOLINT(performance-no-int-to-ptr)
  }
  /// What lies at an address that was found to be a slot's.
  static slot_type& near(slot_type* found) { return *found; }
  /// Copies each item from first to last, by `copy_one(i)`.
  template <class Copy>
  [[gnu::always_inline]] static void each(index first, index last, Copy&& copy_one) {
    for (index i = first; i != last; ++i) copy_one(i);
  }

 private:
  static std::uintptr_t offset(index i) { return static_cast<std::uintptr_t>(i) * sizeof(slot_type); }
};

template <class T, class Policy>
struct addressing_by : std::type_identity<machine_addressing<T, Policy>> {};
template <class T, class Policy>
  requires requires { typename Policy::template addressing<T>; }
struct addressing_by<T, Policy> : std::type_identity<typename Policy::template addressing<T>> {};
template <class T, class Policy>
using addressing = typename addressing_by<T, Policy>::type;

/// The same for a queue whose ring never grows: its rules give the type of its positions. `Policy::places<T>` replaces
/// it.
template <class T, class Policy, class Position>
struct machine_places {
  using position = Position;
  using count = std::size_t;  ///< of items
  using slot_type = typename Policy::template atomic<T>;
  using origin = std::uintptr_t;  ///< where the slot of position 0 would be

  static constexpr position after(position p, count n) { return static_cast<position>(p + n); }
  /// Negative if h is newer than t.
  static constexpr std::int64_t items(position h, position t) { return static_cast<std::int64_t>(t - h); }
  static count capacity(std::size_t mask) { return mask + 1; }
  // How many items a theft is asked for, how many it claims, and how many it reports as moved. A proof names the three.
  static count asked(std::size_t most) { return most; }
  static count claims(count n) { return n; }
  static std::size_t moved(count n) { return n; }
  /// By the position after p, which a pop has at hand when it has claimed p.
  static std::size_t place(position p, std::size_t mask) { return static_cast<std::size_t>(after(p, 1)) & mask; }
  static slot_type& slot(slot_type* slots, position p, std::size_t mask) { return slots[place(p, mask)]; }
  /// How many positions are left of the lap of p, with p itself.
  static count left(position p, std::size_t mask) {
    return after(p, 1) == position{} ? 1 : mask + 1 - place(p, mask);  // there numbers begin again
  }
  /// For the positions of the lap of p.
  static origin origin_of(slot_type* slots, position p, std::size_t mask) {
    return reinterpret_cast<std::uintptr_t>(slots + place(p, mask)) - offset(p);
  }
  static slot_type* address(origin o, position p) {
    return reinterpret_cast<slot_type*>(o + offset(p));  // NOLINT(performance-no-int-to-ptr)
  }
  static slot_type& near(slot_type* found) { return *found; }
  template <class Do>
  [[gnu::always_inline]] static void each(count first, count last, Do&& what) {
    for (count i = first; i != last; ++i) what(i);
  }

 private:
  static std::uintptr_t offset(position p) { return static_cast<std::uintptr_t>(p) * sizeof(slot_type); }
};

template <class T, class Policy, class Position>
struct places_by : std::type_identity<machine_places<T, Policy, Position>> {};
template <class T, class Policy, class Position>
  requires requires { typename Policy::template places<T>; }
struct places_by<T, Policy, Position> : std::type_identity<typename Policy::template places<T>> {};
template <class T, class Policy, class Position>
using places = typename places_by<T, Policy, Position>::type;

/// One allocation: the header, then the slots. Each ring keeps the ring that it replaced, because a thief may still
/// hold that; `destroy` frees the whole chain. A chain of doubling rings has fewer than twice the slots of the newest.
template <class T, class Policy>
class ring {
  using addresses = addressing<T, Policy>;
  using index = typename addresses::index;

 public:
  using slot_type = typename Policy::template atomic<T>;

  /// Throws what `memory` throws (std::bad_alloc), and then has changed nothing. O(capacity).
  static ring* create(std::pmr::memory_resource& memory, std::size_t capacity, ring* previous) {
    void* place = memory.allocate(bytes(capacity), alignment);
    ring* made = ::new (place) ring(capacity, previous);
    std::uninitialized_default_construct_n(made->slots(), capacity);
    return made;
  }

  /// Frees `newest` and every ring that it replaced. No thread may hold any of them.
  static void destroy(std::pmr::memory_resource& memory, ring* newest) {
    while (newest != nullptr) {
      ring* previous = newest->previous_.read();
      const std::size_t capacity = newest->capacity();
      std::destroy_n(newest->slots(), capacity);
      std::destroy_at(newest);
      memory.deallocate(newest, bytes(capacity), alignment);
      newest = previous;
    }
  }

  [[nodiscard]] std::size_t capacity() const { return mask_.read() + 1; }
  [[nodiscard]] slot_type* slots() {
    return std::launder(reinterpret_cast<slot_type*>(reinterpret_cast<std::byte*>(this) + header));
  }
  [[nodiscard]] decltype(auto) slot(index i) { return addresses::slot(slots(), i, mask_.read()); }

 private:
  using size_cell = typename Policy::template plain<std::size_t>;
  using ring_cell = typename Policy::template plain<ring*>;

  ring(std::size_t capacity, ring* previous) : mask_{capacity - 1}, previous_{previous} {}

  static constexpr std::size_t alignment = 64 > alignof(slot_type) ? 64 : alignof(slot_type);
  static constexpr std::size_t header = (sizeof(size_cell) + sizeof(ring_cell) + alignment - 1) / alignment * alignment;
  static constexpr std::size_t bytes(std::size_t capacity) { return header + (capacity * sizeof(slot_type)); }

  size_cell mask_;
  ring_cell previous_;
};

/// The owner's side of a deque's rings: the newest one, the older ones that thieves may hold, and the lap that the
/// owner works in. A lap is the items whose slots lie in memory as their indices follow one another, from a multiple of
/// the capacity to the next. In it an item's slot is an address, without a remainder.
///
/// All members are for the owner only. `begin` and `end` are bounds in the lap, which the deque compares bottom with:
/// the first item that it may pop at once, and the bottom at which it must turn, or look for room (I10).
template <class T, class Policy>
class own_rings {
  using addresses = addressing<T, Policy>;
  using index = typename addresses::index;

 public:
  using ring_type = ring<T, Policy>;
  using slot_type = typename ring_type::slot_type;

  static constexpr detail::index never = std::numeric_limits<detail::index>::max();  ///< a `begin` above all items

  /// Throws std::invalid_argument (options out of range) or what the memory resource throws. O(initial capacity).
  explicit own_rings(const deque_options& options)
      : memory_{(options.validate(), options.memory != nullptr ? *options.memory : *Policy::memory())},
        maximum_{options.maximum_capacity} {
    adopt(*ring_type::create(memory_, options.initial_capacity, nullptr));
  }
  ~own_rings() { ring_type::destroy(memory_, newest_.read()); }
  own_rings(const own_rings&) = delete;
  own_rings& operator=(const own_rings&) = delete;

  [[nodiscard]] ring_type* newest() const { return newest_.read(); }
  [[nodiscard]] std::size_t capacity() const { return mask_.read() + 1; }
  [[nodiscard]] bool at_maximum() const { return capacity() == maximum_; }
  [[nodiscard]] std::size_t maximum() const { return maximum_; }

  /// A ring of twice the capacity, to be filled, published and adopted. Throws capacity_error at the maximum capacity,
  /// and what the memory resource throws.
  ring_type& wider() {
    if (at_maximum()) raise(capacity_error(maximum_));
    return *ring_type::create(memory_, capacity() * 2, newest_.read());
  }
  /// The ring is the newest. `turn` must follow.
  void adopt(ring_type& r) {
    newest_.write(&r);
    slots_.write(r.slots());
    mask_.write(r.capacity() - 1);
  }

  /// Bottom at which push must look for room: a top once acquired, and the capacity (I3).
  [[nodiscard]] index limit() const { return limit_.read(); }
  void set_limit(index limit) { limit_.write(limit); }

  /// The same number as `capacity`, to compute indices with.
  [[nodiscard]] index length() const { return addresses::capacity(mask_.read()); }

  /// Turns to the lap of item i, which is bottom or the item below it. Pop may at once take items from `least` on.
  void turn(index i, index least) {
    using std::max;  // or that of the policy's index
    using std::min;
    const index first = addresses::lap(i, mask_.read());
    origin_.write(addresses::origin_of(slots_.read(), first));
    begin_.write(max(first, least));
    end_.write(min(first + length(), limit_.read()));
  }
  [[nodiscard]] index begin() const { return begin_.read(); }
  [[nodiscard]] index end() const { return end_.read(); }
  void raise_begin(index least) {
    using std::max;
    begin_.write(max(begin_.read(), least));
  }

  /// The slot of any item.
  [[nodiscard]] decltype(auto) slot(index i) { return addresses::slot(slots_.read(), i, mask_.read()); }
  /// The slot of an item of the lap.
  [[nodiscard]] decltype(auto) near(index i) {
    const auto found = addresses::address(origin_.read(), i);
    Policy::invariant(10, found == &slot(i));
    return addresses::near(found);
  }

 private:
  template <class U>
  using plain = typename Policy::template plain<U>;

  plain<index> begin_;
  plain<index> end_;
  plain<typename addresses::origin> origin_;
  plain<index> limit_;
  plain<slot_type*> slots_;  ///< of the newest ring
  plain<std::size_t> mask_;
  plain<ring_type*> newest_;
  std::pmr::memory_resource& memory_;
  const std::size_t maximum_;
};

}  // namespace licit::inline v0::detail

#endif
