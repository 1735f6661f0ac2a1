/// std::atomic over the checker. Internal: a program includes std.hpp.
#ifndef LICIT_CHECKER_STD_ATOMIC_HPP
#define LICIT_CHECKER_STD_ATOMIC_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <source_location>

#include <licit/checker/model.hpp>
#include <licit/checker/std/site.hpp>

namespace licit::checker::standard {

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

/// Trivially copyable types of up to eight bytes. Every name, default and constraint is std::atomic's; the last
/// argument says where the call is.
template <class T>
class atomic {
  using where = std::source_location;
  using kind = licit::operation;
  using difference = checker::detail::difference_of<T>;
  using operand = checker::detail::operand<T>;
  using amount = checker::detail::operand<difference>;
  using target = checker::detail::target<atomic>;
  static constexpr memory_order strongest = memory_order_seq_cst;

 public:
  using value_type = T;
  using difference_type = difference;
  static constexpr bool is_always_lock_free = std::atomic<T>::is_always_lock_free;

  atomic() = default;
  atomic(T value) : cell_{value} {}  // NOLINT(google-explicit-constructor): as the standard's
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) const = delete;  // const: worse than the other for a value
  ~atomic() = default;

  [[nodiscard]] bool is_lock_free() const { return is_always_lock_free; }

  T load(memory_order o = strongest, where at = where::current()) const {
    const auto s = checker::detail::at_site(at, kind::load, o);
    return cell_.load(s.success, s.label);
  }
  void store(T value, memory_order o = strongest, where at = where::current()) {
    const auto s = checker::detail::at_site(at, kind::store, o);
    cell_.store(value, s.success, s.label);
  }
  T exchange(T value, memory_order o = strongest, where at = where::current()) {
    const auto s = checker::detail::at_site(at, kind::update, o);
    return cell_.exchange(value, s.success, s.label);
  }
  /// By its address, which needs debug information to become a line.
  [[gnu::noinline]] operator T() const {  // NOLINT(google-explicit-constructor)
    const auto s =
        checker::detail::cleared(checker::detail::visit(__builtin_return_address(0), kind::load, order::seq_cst));
    return cell_.load(s.success, s.label);
  }
  T operator=(operand o) {  // NOLINT(misc-unconventional-assign-operator,*-c-copy-assignment-signature)
    store(o.value, strongest, o.at);
    return o.value;
  }

  bool compare_exchange_strong(T& expected, T desired, memory_order success, memory_order failure,
                               where at = where::current()) {
    const auto s = checker::detail::at_site(at, kind::compare_exchange, success, failure);
    return cell_.compare_exchange(expected, desired, s.success, s.failure, s.label);
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order o = strongest, where at = where::current()) {
    const auto s = checker::detail::at_site(at, kind::compare_exchange, o, on_failure(o));
    return cell_.compare_exchange(expected, desired, s.success, s.failure, s.label);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order success, memory_order failure,
                             where at = where::current()) {
    const auto s = checker::detail::at_site(at, kind::compare_exchange, success, failure);
    return cell_.compare_exchange_weak(expected, desired, s.success, s.failure, s.label);
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order o = strongest, where at = where::current()) {
    const auto s = checker::detail::at_site(at, kind::compare_exchange, o, on_failure(o));
    return cell_.compare_exchange_weak(expected, desired, s.success, s.failure, s.label);
  }

  T fetch_add(difference by, memory_order o = strongest, where at = where::current())
    requires checker::detail::summable<T>
  {
    const auto s = checker::detail::at_site(at, kind::update, o);
    return cell_.fetch_add(by, s.success, s.label);
  }
  T fetch_sub(difference by, memory_order o = strongest, where at = where::current())
    requires checker::detail::summable<T>
  {
    const auto s = checker::detail::at_site(at, kind::update, o);
    return cell_.fetch_sub(by, s.success, s.label);
  }
  T fetch_or(T bits, memory_order o = strongest, where at = where::current())
    requires checker::detail::bitwise<T>
  {
    const auto s = checker::detail::at_site(at, kind::update, o);
    return cell_.fetch_or(bits, s.success, s.label);
  }
  T fetch_and(T bits, memory_order o = strongest, where at = where::current())
    requires checker::detail::bitwise<T>
  {
    const auto s = checker::detail::at_site(at, kind::update, o);
    return cell_.fetch_and(bits, s.success, s.label);
  }
  T fetch_xor(T bits, memory_order o = strongest, where at = where::current())
    requires checker::detail::bitwise<T>
  {
    const auto s = checker::detail::at_site(at, kind::update, o);
    return cell_.fetch_xor(bits, s.success, s.label);
  }

  T operator+=(amount by)
    requires checker::detail::summable<T>
  {
    return sum(fetch_add(by.value, strongest, by.at), by.value);
  }
  T operator-=(amount by)
    requires checker::detail::summable<T>
  {
    return difference_from(fetch_sub(by.value, strongest, by.at), by.value);
  }
  T operator|=(operand bits)
    requires checker::detail::bitwise<T>
  {
    return fetch_or(bits.value, strongest, bits.at) | bits.value;
  }
  T operator&=(operand bits)
    requires checker::detail::bitwise<T>
  {
    return fetch_and(bits.value, strongest, bits.at) & bits.value;
  }
  T operator^=(operand bits)
    requires checker::detail::bitwise<T>
  {
    return fetch_xor(bits.value, strongest, bits.at) ^ bits.value;
  }
  friend T operator++(target t)
    requires checker::detail::countable<T>
  {
    return sum(t.cell.fetch_add(1, strongest, t.at), 1);
  }
  friend T operator--(target t)
    requires checker::detail::countable<T>
  {
    return difference_from(t.cell.fetch_sub(1, strongest, t.at), 1);
  }
  friend T operator++(target t, int)
    requires checker::detail::countable<T>
  {
    return t.cell.fetch_add(1, strongest, t.at);
  }
  friend T operator--(target t, int)
    requires checker::detail::countable<T>
  {
    return t.cell.fetch_sub(1, strongest, t.at);
  }

  void wait(T old, memory_order o = strongest, where at = where::current()) const {
    const auto s = checker::detail::at_site(at, kind::load, o);
    cell_.wait(old, s.success, s.label);
  }
  void notify_one(where at = where::current()) { cell_.notify_one(checker::detail::label_at(at)); }
  void notify_all(where at = where::current()) { cell_.notify_all(checker::detail::label_at(at)); }

 private:
  static order on_failure(memory_order o) { return checker::detail::ordering(o).on_failure(); }
  /// Integers wrap around, as the standard's atomics do.
  static T sum(T value, difference by) {
    if constexpr (std::integral<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(value) + static_cast<std::uint64_t>(by));
    } else {
      return value + by;
    }
  }
  static T difference_from(T value, difference by) {
    if constexpr (std::integral<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(by));
    } else {
      return value - by;
    }
  }

  model::atomic<T> cell_;
};

template <class T>
atomic(T) -> atomic<T>;

using atomic_bool = atomic<bool>;
using atomic_char = atomic<char>;
using atomic_schar = atomic<signed char>;
using atomic_uchar = atomic<unsigned char>;
using atomic_short = atomic<short>;
using atomic_ushort = atomic<unsigned short>;
using atomic_int = atomic<int>;
using atomic_uint = atomic<unsigned>;
using atomic_long = atomic<long>;
using atomic_ulong = atomic<unsigned long>;
using atomic_llong = atomic<long long>;
using atomic_ullong = atomic<unsigned long long>;
using atomic_int8_t = atomic<std::int8_t>;
using atomic_uint8_t = atomic<std::uint8_t>;
using atomic_int16_t = atomic<std::int16_t>;
using atomic_uint16_t = atomic<std::uint16_t>;
using atomic_int32_t = atomic<std::int32_t>;
using atomic_uint32_t = atomic<std::uint32_t>;
using atomic_int64_t = atomic<std::int64_t>;
using atomic_uint64_t = atomic<std::uint64_t>;
using atomic_intptr_t = atomic<std::intptr_t>;
using atomic_uintptr_t = atomic<std::uintptr_t>;
using atomic_size_t = atomic<std::size_t>;
using atomic_ptrdiff_t = atomic<std::ptrdiff_t>;

}  // namespace licit::checker::standard

#endif
