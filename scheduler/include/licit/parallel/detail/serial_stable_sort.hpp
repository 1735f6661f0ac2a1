/// std::stable_sort, but for elements of an alignment that its buffer may not have.
#ifndef LICIT_PARALLEL_DETAIL_SERIAL_STABLE_SORT_HPP
#define LICIT_PARALLEL_DETAIL_SERIAL_STABLE_SORT_HPP

#include <algorithm>
#include <functional>
#include <iterator>

namespace licit::inline v0::detail {

/// Merges two sorted neighbours without a buffer: halves the longer, and rotates what the other has to put before it.
template <class Iterator, class Less>
void merge_in_place(Iterator first, Iterator middle, Iterator last, Less& less) {
  if (first == middle || middle == last) return;
  if (last - first == 2) {
    if (std::invoke(less, *middle, *first)) std::iter_swap(first, middle);
    return;
  }
  const bool left_is_longer = middle - first > last - middle;
  Iterator from = first + (middle - first) / 2;
  Iterator to = middle + (last - middle) / 2;
  if (left_is_longer) {
    to = std::lower_bound(middle, last, *from, std::ref(less));
  } else {
    from = std::upper_bound(first, middle, *to, std::ref(less));
  }
  const Iterator turned = std::rotate(from, middle, to);
  merge_in_place(first, from, turned, less);
  merge_in_place(turned, to, last, less);
}

/// By std::stable_sort; or, where libstdc++ 12's buffer would not be aligned, by halves and without one.
template <class Iterator, class Less>
void serial_stable_sort(Iterator first, Iterator last, Less& less) {
  if constexpr (alignof(std::iter_value_t<Iterator>) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
    std::stable_sort(first, last, std::ref(less));
  } else if (last - first > 1) {
    const Iterator middle = first + (last - first) / 2;
    serial_stable_sort(first, middle, less);
    serial_stable_sort(middle, last, less);
    merge_in_place(first, middle, last, less);
  }
}

}  // namespace licit::inline v0::detail

#endif
