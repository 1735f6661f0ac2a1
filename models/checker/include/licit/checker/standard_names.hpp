/// What std::atomic has and both policies, checker::model and checker::native, build from their operations: names,
/// operators, defaults. Internal: a program includes run.hpp or native.hpp.
#ifndef LICIT_CHECKER_STANDARD_NAMES_HPP
#define LICIT_CHECKER_STANDARD_NAMES_HPP

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <licit/deque/order.hpp>

namespace licit::checker::detail {

/// An operation's place in an ordering table.
template <class Site>
concept ordering_site = requires { Site::index; };

/// An order as the caller writes it: licit's or the standard's. Consume is acquire, as compilers have it.
class ordering {
 public:
  constexpr ordering(order o) : order_{o} {}  // NOLINT(google-explicit-constructor)
  constexpr ordering(std::memory_order o)     // NOLINT(google-explicit-constructor)
      : order_{o == std::memory_order_relaxed   ? order::relaxed
               : o == std::memory_order_release ? order::release
               : o == std::memory_order_acq_rel ? order::acq_rel
               : o == std::memory_order_seq_cst ? order::seq_cst
                                                : order::acquire} {}
  constexpr operator order() const { return order_; }  // NOLINT(google-explicit-constructor)

  /// Of a compare-exchange that fails, where only one order is given ([atomics.types.operations]).
  [[nodiscard]] constexpr order on_failure() const {
    if (order_ == order::acq_rel) return order::acquire;
    return order_ == order::release ? order::relaxed : order_;
  }

 private:
  order order_;
};

/// Has fetch_add and fetch_sub.
template <class T>
concept summable = (std::integral<T> && !std::same_as<T, bool>) || std::floating_point<T> ||
                   (std::is_pointer_v<T> && std::is_object_v<std::remove_pointer_t<T>>);
/// Has fetch_or, fetch_and and fetch_xor.
template <class T>
concept bitwise = std::integral<T> && !std::same_as<T, bool>;
/// Has ++ and --.
template <class T>
concept countable = summable<T> && !std::floating_point<T>;

/// What is added to a T: of a pointer, a number of elements.
template <class T>
using difference_of = std::conditional_t<std::is_pointer_v<T>, std::ptrdiff_t, T>;

/// A base of the atomic `Self` of T. The operators are seq_cst and have no label, as in the standard.
template <class Self, class T>
class standard_names {
  using difference = difference_of<T>;

 public:
  using value_type = T;

  /// The machine's answer, by either policy: what is checked is what will run.
  static constexpr bool is_always_lock_free = std::atomic<T>::is_always_lock_free;
  [[nodiscard]] bool is_lock_free() const { return is_always_lock_free; }

  operator T() const { return self().load(); }  // NOLINT(google-explicit-constructor)
  /// Returns the value, as the standard's does.
  T operator=(T value) {  // NOLINT(misc-unconventional-assign-operator,cppcoreguidelines-c-copy-assignment-signature)
    self().store(value);
    return value;
  }

  bool compare_exchange(T& expected, T desired, ordering o = order::seq_cst, const char* label = nullptr) {
    return self().compare_exchange(expected, desired, o, o.on_failure(), label);
  }
  bool compare_exchange_strong(T& expected, T desired, ordering o = order::seq_cst, const char* label = nullptr) {
    return self().compare_exchange(expected, desired, o, o.on_failure(), label);
  }
  bool compare_exchange_strong(T& expected, T desired, ordering success, ordering failure,
                               const char* label = nullptr) {
    return self().compare_exchange(expected, desired, success, failure, label);
  }
  bool compare_exchange_weak(T& expected, T desired, ordering o = order::seq_cst, const char* label = nullptr) {
    return self().compare_exchange_weak(expected, desired, o, o.on_failure(), label);
  }

  T operator++()
    requires countable<T>
  {
    return sum(self().fetch_add(1), 1);
  }
  T operator--()
    requires countable<T>
  {
    return sum(self().fetch_sub(1), -1);
  }
  T operator++(int)
    requires countable<T>
  {
    return self().fetch_add(1);
  }
  T operator--(int)
    requires countable<T>
  {
    return self().fetch_sub(1);
  }
  T operator+=(difference by)
    requires summable<T>
  {
    return sum(self().fetch_add(by), by);
  }
  T operator-=(difference by)
    requires summable<T>
  {
    return sum(self().fetch_sub(by), -by);
  }
  T operator|=(T bits)
    requires bitwise<T>
  {
    return self().fetch_or(bits) | bits;
  }
  T operator&=(T bits)
    requires bitwise<T>
  {
    return self().fetch_and(bits) & bits;
  }
  T operator^=(T bits)
    requires bitwise<T>
  {
    return self().fetch_xor(bits) ^ bits;
  }

  standard_names(const standard_names&) = delete;  // NOLINT(bugprone-crtp-constructor-accessibility): deleted
  standard_names& operator=(const standard_names&) = delete;

 private:
  friend Self;
  standard_names() = default;
  ~standard_names() = default;

  /// Integers wrap around, as the standard's atomics do.
  template <class By>
  static T sum(T value, By by) {
    if constexpr (std::integral<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(value) + static_cast<std::uint64_t>(by));
    } else {
      return value + by;
    }
  }
  Self& self() { return static_cast<Self&>(*this); }
  const Self& self() const { return static_cast<const Self&>(*this); }
};

}  // namespace licit::checker::detail

#endif
