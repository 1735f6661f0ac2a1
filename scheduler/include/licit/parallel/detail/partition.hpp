/// The division of a range in place, as a step of parallel_partition and parallel_sort.
#ifndef LICIT_PARALLEL_DETAIL_PARTITION_HPP
#define LICIT_PARALLEL_DETAIL_PARTITION_HPP

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>

#include <licit/parallel/detail/loop.hpp>

namespace licit::inline v0::detail {

/// Elements that are cheaper to move than a branch is that the processor does not foresee.
template <class Iterator>
inline constexpr bool moves_freely =
    std::is_trivially_copyable_v<std::iter_value_t<Iterator>> && std::copyable<std::iter_value_t<Iterator>> &&
    sizeof(std::iter_value_t<Iterator>) <= 16 && std::is_lvalue_reference_v<std::iter_reference_t<Iterator>>;

/// [first, last) is in order up to `next`, with those for which `is` holds before `middle`. Brings in the elements up
/// to `end`. Returns the new middle. If `is` throws, the elements are a permutation.
template <class Iterator, class Is>
[[gnu::noinline]] Iterator partition_more(Iterator middle, Iterator next, Iterator end, Is& is) {
  for (; next != end; ++next) {
    const bool holds = is(*next);
    if constexpr (moves_freely<Iterator>) {
      const auto item = *next;
      *next = *middle;
      *middle = item;
      middle += holds ? 1 : 0;
    } else if (holds) {
      if (middle != next) std::ranges::iter_swap(middle, next);
      ++middle;
    }
  }
  return middle;
}

/// Swaps two ranges of n elements.
template <class Iterator>
struct swaps {
  using range = positions;
  struct state {};
  Iterator left, right;

  state begin(const range& /*r*/) { return {}; }
  void merge(state& /*left*/, state&& /*right*/) {}
  void run(range& r, std::uint64_t count, state& /*s*/) {
    const positions chunk = r.take(count);
    using offset = std::iter_difference_t<Iterator>;
    for (auto i = static_cast<offset>(chunk.first); i != static_cast<offset>(chunk.last); ++i) {
      std::ranges::iter_swap(left + i, right + i);
    }
  }
  void abandon(range& r) { r.first = r.last; }
};

/// A thread divides its part in one pass, chunk by chunk. Neighbouring parts are joined by a swap of the left one's
/// right side with the right one's left side, as far as the shorter of them reaches.
template <class Iterator, class Is>
struct divides {
  using range = positions;
  struct state {
    std::uint64_t first = 0;   ///< of the part
    std::uint64_t middle = 0;  ///< the first for which `is` does not hold
    std::uint64_t last = 0;    ///< of what is divided
  };
  Iterator first;
  Is& is;

  state begin(const range& r) { return {r.first, r.first, r.first}; }
  void run(range& r, std::uint64_t count, state& s) {
    const positions chunk = r.take(count);
    const Iterator middle =
        partition_more(first + offset(s.middle), first + offset(chunk.first), first + offset(chunk.last), is);
    s.middle = static_cast<std::uint64_t>(middle - first);
    s.last = chunk.last;
  }
  /// The swap is a loop of its own call, since it must not end early.
  void merge(state& left, state&& right) {
    const std::uint64_t number = std::min(left.last - left.middle, right.middle - right.first);
    const parallel_options none;
    control whole("parallel_partition", none, number);
    swaps<Iterator> body{first + offset(left.middle), first + offset(right.middle - number)};
    loop over(whole, body);
    over({0, number});
    left.middle += right.middle - right.first;
    left.last = right.last;
  }
  void abandon(range& r) { r.first = r.last; }

 private:
  static std::iter_difference_t<Iterator> offset(std::uint64_t position) {
    return static_cast<std::iter_difference_t<Iterator>>(position);
  }
};

}  // namespace licit::inline v0::detail

#endif
