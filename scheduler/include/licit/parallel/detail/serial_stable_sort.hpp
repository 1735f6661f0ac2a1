/// std::stable_sort, also for elements and iterators that the standard library's cannot sort.
#ifndef LICIT_PARALLEL_DETAIL_SERIAL_STABLE_SORT_HPP
#define LICIT_PARALLEL_DETAIL_SERIAL_STABLE_SORT_HPP

#include <algorithm>
#include <concepts>
#include <functional>
#include <iterator>

namespace licit::inline v0::detail {

/// Whether std::stable_sort may sort them: libstdc++ 12's buffer has the alignment that operator new gives of itself,
/// and the algorithms in it ask for the iterator's category. An iterator whose references are proxies may be random
/// access by its concept alone.
template <class Iterator>
inline constexpr bool stably_sorted_by_std =
    alignof(std::iter_value_t<Iterator>) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__ &&
    std::derived_from<typename std::iterator_traits<Iterator>::iterator_category, std::random_access_iterator_tag>;

/// The first position of the sorted [first, last) for which `holds` does not.
template <class Iterator, class Holds>
Iterator end_of_those(Iterator first, Iterator last, Holds holds) {
  while (first != last) {
    const Iterator middle = first + (last - first) / 2;
    if (holds(middle)) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return first;
}

/// Swaps two neighbouring ranges, and returns where they meet then. std::rotate asks for the iterator's
/// category, and libstdc++ 12's std::ranges::rotate keeps a copy of a proxy where it should keep the element.
template <class Iterator>
Iterator swap_neighbours(Iterator first, Iterator middle, Iterator last) {
  std::ranges::reverse(first, middle);
  std::ranges::reverse(middle, last);
  std::ranges::reverse(first, last);
  return first + (last - middle);
}

/// Merges two sorted neighbours without a buffer: halves the longer, and swaps its end with what the other has to put
/// before that.
template <class Iterator, class Less>
void merge_in_place(Iterator first, Iterator middle, Iterator last, Less& less) {
  if (first == middle || middle == last) return;
  if (last - first == 2) {
    if (std::invoke(less, *middle, *first)) std::ranges::iter_swap(first, middle);
    return;
  }
  const bool left_is_longer = middle - first > last - middle;
  Iterator from = first + (middle - first) / 2;
  Iterator to = middle + (last - middle) / 2;
  if (left_is_longer) {
    to = end_of_those(middle, last, [&](Iterator i) { return bool(std::invoke(less, *i, *from)); });
  } else {
    from = end_of_those(first, middle, [&](Iterator i) { return !std::invoke(less, *to, *i); });
  }
  const Iterator turned = swap_neighbours(from, middle, to);
  merge_in_place(first, from, turned, less);
  merge_in_place(turned, to, last, less);
}

/// By std::stable_sort where that works; otherwise by halves, and without a buffer.
template <class Iterator, class Less>
void serial_stable_sort(Iterator first, Iterator last, Less& less) {
  if constexpr (stably_sorted_by_std<Iterator>) {
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
