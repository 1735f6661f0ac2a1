/// What an item must offer to be kept without memory: room for the one after it.
#ifndef LICIT_SCHEDULER_INJECT_LINK_HPP
#define LICIT_SCHEDULER_INJECT_LINK_HPP

#include <concepts>

namespace licit::inline v0 {

/// To be specialised: `static T get(T item) noexcept` and `static void set(T item, T next) noexcept`. The word that
/// they read and write is in the item, need not be atomic, and is the inject queue's while the item is in it.
template <class T>
struct inject_link;

template <class T>
concept inject_linked = requires(T item) {
  { inject_link<T>::get(item) } noexcept -> std::same_as<T>;
  { inject_link<T>::set(item, item) } noexcept;
};

}  // namespace licit::inline v0

#endif
