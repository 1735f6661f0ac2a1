/// Parallel partition and unstable sort, in place.
#ifndef LICIT_PARALLEL_SORT_HPP
#define LICIT_PARALLEL_SORT_HPP

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include <licit/parallel/detail/partition.hpp>
#include <licit/parallel/detail/tree.hpp>
#include <licit/parallel/parallel_options.hpp>

namespace licit::inline v0 {

/// Reorders [first, last), so that the elements for which `is(x)` holds come first. Returns the first of the others.
/// Calls `is` once for each element, and allocates nothing. Elements need only be swappable. The order within either
/// part differs from run to run. If `is` throws, the elements are a permutation of what they were. Otherwise as
/// parallel_for_each.
template <std::input_iterator Iterator, class Sentinel, class Is>
  requires std::sentinel_for<Sentinel, Iterator>
Iterator parallel_partition(Iterator first, Sentinel last, Is is, const parallel_options& options = {}) {
  detail::require_reads<Iterator>();
  detail::require_writes<Iterator>();
  const std::size_t n = detail::length_of("parallel_partition", first, last);
  const auto holds = [&is](auto&& item) { return bool(std::invoke(is, item)); };
  detail::control all("parallel_partition", options, n);
  detail::divides<Iterator, decltype(holds)> body{first, holds};
  detail::loop over(all, body);
  const std::uint64_t middle = over({0, n}).middle;
  all.end_call();
  return detail::at_offset(first, middle);
}
template <std::ranges::input_range Range, class Is>
std::ranges::borrowed_iterator_t<Range> parallel_partition(Range&& range, Is is, const parallel_options& options = {}) {
  return parallel_partition(std::ranges::begin(range), std::ranges::end(range), std::move(is), options);
}

namespace detail {

/// Quicksort. `leaf` elements are left to std::sort; so is a range after `depth` divisions that were mostly bad.
template <class Iterator, class Less>
class quicksort {
  using offset = std::iter_difference_t<Iterator>;

 public:
  /// Elements [first, last), of which a thief sorts some.
  struct range {
    Iterator first, last;
    std::uint64_t from;  ///< the position of `first`
    unsigned depth;

    [[nodiscard]] std::uint64_t size() const { return static_cast<std::uint64_t>(last - first); }
  };
  struct done {};

  quicksort(control& all, Less& less, std::uint64_t leaf, std::uint64_t large)
      : all_{all}, less_{less}, leaf_{std::max<std::uint64_t>(leaf, 16)}, large_{large} {}

  void operator()(Iterator first, Iterator last) {
    branches mine(all_);
    const auto n = static_cast<std::uint64_t>(last - first);
    (*this)(range{first, last, 0, 2 * static_cast<unsigned>(std::bit_width(n))}, mine);
  }

  done operator()(range r, branches& mine) {
    while (r.size() > leaf_ && r.depth-- != 0) {
      if (all_.is_over(0)) return {};
      auto [left, right] = divide(r, mine);
      if (left.size() > right.size()) std::swap(left, right);  // what is put aside is the larger one
      if (left.size() < 2) {
        r = right;
        continue;
      }
      stolen_range<range, done, quicksort> aside(all_, *this, right);
      mine.put_aside(aside);
      try {
        (*this)(left, mine);
      } catch (...) {
        static_cast<void>(mine.reclaim(aside, true));
        throw;
      }
      if (!mine.reclaim(aside)) return aside.result();
      if (mine.measured()) return mine.in_place(aside, [&, rest = right] { return (*this)(rest, mine); });
      r = right;
    }
    sort_leaf(r, mine);
    return {};
  }

 private:
  /// Any exception ends everything.
  template <class F>
  auto or_end(F f) {
    try {
      return f();
    } catch (...) {
      all_.end_at(0);
      throw;
    }
  }

  void sort_leaf(const range& r, branches& mine) {
    if (all_.is_over(0)) return;
    or_end([&] {
      all_.begin_chunk();
      std::sort(r.first, r.last, std::ref(less_));
    });
    mine.end_chunk(r.size());
  }

  struct halves {
    range left, right;
  };
  /// What is less than a pivot and what is not, without the pivot, which is then in its place. If few are less, also
  /// without those that equal it.
  halves divide(const range& r, branches& mine) {
    return or_end([&] {
      all_.begin_chunk();
      const Iterator pivot = r.first;
      std::ranges::iter_swap(pivot, choose(r));
      const auto is_less = [&](auto&& item) { return bool(std::invoke(less_, item, *pivot)); };
      Iterator middle = partition(r.first + 1, r.last, is_less, mine) - 1;
      std::ranges::iter_swap(pivot, middle);
      Iterator after = middle + 1;
      if (static_cast<std::uint64_t>(middle - r.first) < r.size() / 8) {
        const auto is_equal = [&](auto&& item) { return !std::invoke(less_, *middle, item); };
        after = partition(after, r.last, is_equal, mine);
      }
      return halves{{r.first, middle, r.from, r.depth},
                    {after, r.last, r.from + static_cast<std::uint64_t>(after - r.first), r.depth}};
    });
  }

  template <class Is>
  Iterator partition(Iterator first, Iterator last, const Is& is, branches& mine) {
    const auto n = static_cast<std::uint64_t>(last - first);
    Iterator middle = first;
    if (n < large_) {
      middle = partition_more(first, first, last, is);
    } else {
      divides<Iterator, const Is> body{first, is};
      loop over(all_, body, &mine);
      middle = at_offset(first, over({0, n}).middle);
    }
    mine.end_chunk(n, false);
    return middle;
  }

  /// The median of three, or of three medians of three.
  Iterator choose(const range& r) {
    const offset n = r.last - r.first;
    const Iterator middle = r.first + n / 2;
    const offset step = n / 8;
    return median(median(r.first, r.first + step, r.first + 2 * step), median(middle - step, middle, middle + step),
                  median(r.last - 1 - 2 * step, r.last - 1 - step, r.last - 1));
  }
  Iterator median(Iterator a, Iterator b, Iterator c) {
    const auto less = [&](Iterator x, Iterator y) { return bool(std::invoke(less_, *x, *y)); };
    if (less(a, b)) return less(b, c) ? b : less(a, c) ? c : a;
    return less(a, c) ? a : less(b, c) ? c : b;
  }

  control& all_;
  Less& less_;
  const std::uint64_t leaf_;
  const std::uint64_t large_;  ///< a range of so many elements is divided in parallel
};

/// What std::sort gets at least. Measured: smaller ones cost more than they share out.
inline constexpr std::uint64_t sort_leaf = 1024;
inline constexpr std::uint64_t divided_in_parallel = 1 << 15;

}  // namespace detail

/// Sorts [first, last) in place, as std::sort: equal elements in any order, which differs from run to run. `less` is a
/// strict weak order. Elements need only move and swap. Compares O(n log n) times, and allocates nothing.
///
/// If `less` throws, one of its exceptions is rethrown. The elements are then valid, and in any order; std::sort, which
/// sorts the small parts, may have left one of them moved-from. After a stop they are a permutation of what they were.
/// `grain` (by default 1,024, at least 16) is how many std::sort gets at most. Otherwise as parallel_for_each.
template <std::input_iterator Iterator, class Sentinel, class Less = std::less<>>
  requires std::sentinel_for<Sentinel, Iterator>
void parallel_sort(Iterator first, Sentinel last, Less less = {}, const parallel_options& options = {}) {
  detail::require_sorts<Iterator>();
  const std::size_t n = detail::length_of("parallel_sort", first, last);
  const parallel_options quiet{.grain = options.grain, .stop = options.stop};
  detail::control all("parallel_sort", quiet, n);
  if (n == 0) return;
  detail::quicksort<Iterator, Less> sorts(all, less, options.grain.value_or(detail::sort_leaf),
                                          detail::divided_in_parallel);
  sorts(first, detail::at_offset(first, n));
}
template <std::ranges::input_range Range, class Less = std::less<>>
  requires detail::no_end_of<Less, Range>
void parallel_sort(Range&& range, Less less = {}, const parallel_options& options = {}) {
  parallel_sort(std::ranges::begin(range), std::ranges::end(range), std::move(less), options);
}

}  // namespace licit::inline v0

#endif
