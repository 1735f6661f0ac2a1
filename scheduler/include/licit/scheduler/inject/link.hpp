/// The link that an item must offer so that it can be queued without memory.
#ifndef LICIT_SCHEDULER_INJECT_LINK_HPP
#define LICIT_SCHEDULER_INJECT_LINK_HPP

#include <concepts>

namespace licit::inline v0 {

/// To be specialised with `static T get(T item) noexcept` and `static void set(T item, T next) noexcept`. They read and
/// write a word of the item, which need not be atomic and belongs to the inject queue while the item is in it.
template <class T>
struct inject_link;

template <class T>
concept inject_linked = requires(T item) {
  { inject_link<T>::get(item) } noexcept -> std::same_as<T>;
  { inject_link<T>::set(item, item) } noexcept;
};

}  // namespace licit::inline v0

#endif
