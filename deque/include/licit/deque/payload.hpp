/// How a payload type lies in a slot: trivially copyable types as they are, owning pointers as the pointer they own.
#ifndef LICIT_DEQUE_PAYLOAD_HPP
#define LICIT_DEQUE_PAYLOAD_HPP

#include <memory>
#include <type_traits>

namespace licit::inline v0 {

template <class T>
struct payload {
  static_assert(std::is_trivially_copyable_v<T>,
                "licit: a deque holds trivially copyable types or std::unique_ptr; store a pointer to anything else");
  using slot_value = T;

  static slot_value show(const T& item) { return item; }
  static void release(T& /*item*/) {}
  static T adopt(slot_value value) { return value; }
};

/// The slot holds the raw pointer, which exactly one taker adopts. Each taker makes a new deleter, so its type must be
/// empty.
template <class U, class Deleter>
struct payload<std::unique_ptr<U, Deleter>> {
  static_assert(std::is_empty_v<Deleter> && std::is_default_constructible_v<Deleter>,
                "licit: a unique_ptr in a deque needs a stateless deleter: the slot holds the pointer only");
  using slot_value = typename std::unique_ptr<U, Deleter>::pointer;

  static slot_value show(const std::unique_ptr<U, Deleter>& item) { return item.get(); }
  static void release(std::unique_ptr<U, Deleter>& item) { (void)item.release(); }
  static std::unique_ptr<U, Deleter> adopt(slot_value value) { return std::unique_ptr<U, Deleter>(value); }
};

}  // namespace licit::inline v0

#endif
