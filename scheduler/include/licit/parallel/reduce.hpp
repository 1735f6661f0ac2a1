/// Parallel reductions, whose results do not depend on which thread ran what.
#ifndef LICIT_PARALLEL_REDUCE_HPP
#define LICIT_PARALLEL_REDUCE_HPP

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include <licit/parallel/detail/loop.hpp>
#include <licit/parallel/detail/tree.hpp>
#include <licit/parallel/parallel_options.hpp>

namespace licit::inline v0 {

namespace detail {

/// `at(i)` is the i-th value, `op` combines two.
template <class T, class Op, class At>
struct folds {
  using range = chunks;
  using value = T;
  Op& op;
  At at;

  [[gnu::noinline]] T leaf(const chunks& r) { return fold(at(r.first), r.first + 1, r.last); }
  [[gnu::noinline]] T combine(T&& left, T&& right) { return combined<T>(op, std::move(left), std::move(right)); }
  [[gnu::noinline]] T fold(T made, std::uint64_t i, std::uint64_t last) {
    if constexpr (regrouped<T, Op>::value) {
      if (last - i >= 8) made = fours(made, i, last);
    }
    // A value first: `op` may return a reference to its own argument.
    for (; i != last; ++i) made = combined<T>(op, std::move(made), at(i));
    return made;
  }
  /// Four sums that do not wait for one another; leaves fewer than four values.
  T fours(T made, std::uint64_t& i, std::uint64_t last) {
    using as = typename regrouped<T, Op>::as;
    const typename regrouped<T, Op>::in with;
    std::array<as, 4> sums;
    for (as& sum : sums) sum = static_cast<as>(at(i++));
    while (last - i >= 4) {
      for (as& sum : sums) sum = with(sum, static_cast<as>(at(i++)));
    }
    return static_cast<T>(with(static_cast<as>(made), with(with(sums[0], sums[1]), with(sums[2], sums[3]))));
  }
};

template <class T, class Op, class At>
T reduce_chunks(const char* algorithm, std::uint64_t n, T init, Op& op, At at, const parallel_options& options) {
  control all(algorithm, options, n);
  if (n == 0) {
    all.end_call();
    return init;
  }
  folds<T, Op, At> body{op, std::move(at)};
  tree over(all, body);
  T made = over({0, n, grain_or_chunk(options, n)});
  all.end_call();
  return combined<T>(op, std::move(init), std::move(made));
}

/// The same in the loop's parts, which depend on thefts.
template <class T, class Op, class At>
struct loose_folds : folds<T, Op, At> {
  using range = positions;
  using state = std::optional<T>;

  state begin(const range& /*r*/) { return {}; }
  void merge(state& left, state&& right) {
    if (!right.has_value()) return;
    left = left.has_value() ? this->combine(std::move(*left), std::move(*right)) : std::move(*right);
  }
  void run(range& r, std::uint64_t count, state& s) {
    const positions chunk = r.take(count);
    if (s.has_value()) {
      s = this->fold(std::move(*s), chunk.first, chunk.last);
    } else {
      s = this->fold(this->at(chunk.first), chunk.first + 1, chunk.last);
    }
  }
  void abandon(range& r) { r.first = r.last; }
};

template <class Iterator>
[[nodiscard]] auto reads_of(const Iterator& first) {
  return [first](std::uint64_t i) -> decltype(auto) { return first[static_cast<std::iter_difference_t<Iterator>>(i)]; };
}

}  // namespace detail

/// Combines `init` and the elements of [first, last) by `op`, each once and in their order. Their grouping depends on
/// their number and the grain alone. So the result is the same, also for floating point, whatever the number of workers
/// and whichever thread ran what. `op(T, T)` must be associative, as far as the grouping should not matter; it need not
/// be commutative, and needs no neutral element. Elements convert to T, which moves.
///
/// The elements form chunks of `grain`, the last one smaller. By default a chunk is a 512th of all, but at least one
/// element, at least 32 from 2,048 elements on, and at most 16,384. A chunk is folded from left to right; integers by a
/// function object such as std::plus in four sums, which gives the same number. A row of k chunks is combined from the
/// largest power of two below k, and the rest. Throws as parallel_for_each.
template <std::input_iterator Iterator, class Sentinel, class T = std::iter_value_t<Iterator>, class Op = std::plus<>>
  requires std::sentinel_for<Sentinel, Iterator>
T parallel_reduce(Iterator first, Sentinel last, T init = {}, Op op = {}, const parallel_options& options = {}) {
  detail::require_reads<Iterator>();
  static_assert(std::is_invocable_r_v<T, Op&, T, T>, "licit: a reduction combines two values of the type of `init`");
  const std::size_t n = detail::length_of("parallel_reduce", first, last);
  const auto at = [read = detail::reads_of(first)](std::uint64_t i) -> T { return static_cast<T>(read(i)); };
  return detail::reduce_chunks("parallel_reduce", n, std::move(init), op, at, options);
}
template <std::ranges::input_range Range, class T = std::ranges::range_value_t<Range>, class Op = std::plus<>>
  requires detail::no_end_of<T, Range>
T parallel_reduce(Range&& range, T init = {}, Op op = {}, const parallel_options& options = {}) {
  return parallel_reduce(std::ranges::begin(range), std::ranges::end(range), std::move(init), std::move(op), options);
}

/// The same, for `each(x)` of each element x.
template <std::input_iterator Iterator, class Sentinel, class T, class Op, class Each>
  requires(std::sentinel_for<Sentinel, Iterator> && detail::first_value_of<T, Op> &&
           std::invocable<Each&, std::iter_reference_t<Iterator>>)
T parallel_transform_reduce(Iterator first, Sentinel last, T init, Op op, Each each,
                            const parallel_options& options = {}) {
  detail::require_reads<Iterator>();
  static_assert(std::is_invocable_r_v<T, Op&, T, T>, "licit: a reduction combines two values of the type of `init`");
  const std::size_t n = detail::length_of("parallel_transform_reduce", first, last);
  const auto at = [&each, read = detail::reads_of(first)](std::uint64_t i) -> T {
    return static_cast<T>(std::invoke(each, read(i)));
  };
  return detail::reduce_chunks("parallel_transform_reduce", n, std::move(init), op, at, options);
}
template <std::ranges::input_range Range, class T, class Op, class Each>
  requires(!std::input_iterator<Range> && detail::no_end_of<T, Range> && !detail::second_of<T, Op>)
T parallel_transform_reduce(Range&& range, T init, Op op, Each each, const parallel_options& options = {}) {
  return parallel_transform_reduce(std::ranges::begin(range), std::ranges::end(range), std::move(init), std::move(op),
                                   std::move(each), options);
}
/// The same, for `each(x, y)` of each x of [first, last) and the y at the same place from `second` on.
template <std::input_iterator Iterator, class Sentinel, std::input_iterator Second, class T, class Op = std::plus<>,
          class Each = std::multiplies<>>
  requires std::sentinel_for<Sentinel, Iterator>
T parallel_transform_reduce(Iterator first, Sentinel last, Second second, T init, Op op = {}, Each each = {},
                            const parallel_options& options = {}) {
  detail::require_reads<Iterator>();
  detail::require_reads<Second>();
  static_assert(std::is_invocable_r_v<T, Op&, T, T>, "licit: a reduction combines two values of the type of `init`");
  const std::size_t n = detail::length_of("parallel_transform_reduce", first, last);
  const auto at = [&each, x = detail::reads_of(first), y = detail::reads_of(second)](std::uint64_t i) -> T {
    return static_cast<T>(std::invoke(each, x(i), y(i)));
  };
  return detail::reduce_chunks("parallel_transform_reduce", n, std::move(init), op, at, options);
}
/// The same for two ranges, as far as the shorter one reaches. One of them may have no end.
template <std::ranges::input_range Range, std::ranges::input_range Second, class T, class Op = std::plus<>,
          class Each = std::multiplies<>>
  requires detail::second_of<std::decay_t<Second>, T>
T parallel_transform_reduce(Range&& range, Second&& second, T init, Op op = {}, Each each = {},
                            const parallel_options& options = {}) {
  const auto first = std::ranges::begin(range);
  const std::size_t n = detail::shorter_of("parallel_transform_reduce", range, second);
  return parallel_transform_reduce(first, detail::at_offset(first, n), std::ranges::begin(second), std::move(init),
                                   std::move(op), std::move(each), options);
}

/// As parallel_reduce, but the grouping depends on thefts: the result of an operation that is not associative, such as
/// a sum of floating-point numbers, differs from run to run. Needs no choice of chunks, so it suits elements of very
/// different cost.
template <std::input_iterator Iterator, class Sentinel, class T = std::iter_value_t<Iterator>, class Op = std::plus<>>
  requires std::sentinel_for<Sentinel, Iterator>
T parallel_reduce_unordered(Iterator first, Sentinel last, T init = {}, Op op = {},
                            const parallel_options& options = {}) {
  detail::require_reads<Iterator>();
  static_assert(std::is_invocable_r_v<T, Op&, T, T>, "licit: a reduction combines two values of the type of `init`");
  const std::size_t n = detail::length_of("parallel_reduce_unordered", first, last);
  const auto at = [read = detail::reads_of(first)](std::uint64_t i) -> T { return static_cast<T>(read(i)); };
  detail::control all("parallel_reduce_unordered", options, n);
  detail::loose_folds<T, Op, decltype(at)> body{{op, at}};
  detail::loop over(all, body);
  std::optional<T> made = over({0, n});
  all.end_call();
  return made.has_value() ? detail::combined<T>(op, std::move(init), std::move(*made)) : std::move(init);
}
template <std::ranges::input_range Range, class T = std::ranges::range_value_t<Range>, class Op = std::plus<>>
  requires detail::no_end_of<T, Range>
T parallel_reduce_unordered(Range&& range, T init = {}, Op op = {}, const parallel_options& options = {}) {
  return parallel_reduce_unordered(std::ranges::begin(range), std::ranges::end(range), std::move(init), std::move(op),
                                   options);
}

namespace detail {

/// The position of the first of those that none is `better` than.
template <class Better>
struct best_positions {
  using range = chunks;
  using value = std::uint64_t;
  Better better;  ///< (position, position)

  [[gnu::noinline]] value leaf(const chunks& r) {
    value best = r.first;
    for (value i = r.first + 1; i != r.last; ++i) best = better(i, best) ? i : best;
    return best;
  }
  value combine(value&& left, value&& right) { return better(right, left) ? right : left; }
};

template <class Iterator, class Better>
Iterator best_of(const char* algorithm, Iterator first, std::uint64_t n, Better better,
                 const parallel_options& options) {
  control all(algorithm, options, n);
  std::uint64_t best = 0;
  if (n != 0) {
    best_positions<Better> body{std::move(better)};
    tree over(all, body);
    best = over({0, n, grain_or_chunk(options, n)});
  }
  all.end_call();
  return at_offset(first, best);
}

}  // namespace detail

/// The first of the smallest elements, or last if there is none. Compares n - 1 times. Throws as parallel_for_each.
template <std::input_iterator Iterator, class Sentinel, class Less = std::less<>>
  requires std::sentinel_for<Sentinel, Iterator>
Iterator parallel_min_element(Iterator first, Sentinel last, Less less = {}, const parallel_options& options = {}) {
  detail::require_reads<Iterator>();
  const std::size_t n = detail::length_of("parallel_min_element", first, last);
  const auto read = detail::reads_of(first);
  const auto better = [&](std::uint64_t i, std::uint64_t than) { return bool(std::invoke(less, read(i), read(than))); };
  return detail::best_of("parallel_min_element", first, n, better, options);
}
template <std::ranges::input_range Range, class Less = std::less<>>
  requires detail::no_end_of<Less, Range>
std::ranges::borrowed_iterator_t<Range> parallel_min_element(Range&& range, Less less = {},
                                                             const parallel_options& options = {}) {
  return parallel_min_element(std::ranges::begin(range), std::ranges::end(range), std::move(less), options);
}

/// The first of the largest elements, or last if there is none. Otherwise as parallel_min_element.
template <std::input_iterator Iterator, class Sentinel, class Less = std::less<>>
  requires std::sentinel_for<Sentinel, Iterator>
Iterator parallel_max_element(Iterator first, Sentinel last, Less less = {}, const parallel_options& options = {}) {
  detail::require_reads<Iterator>();
  const std::size_t n = detail::length_of("parallel_max_element", first, last);
  const auto read = detail::reads_of(first);
  const auto better = [&](std::uint64_t i, std::uint64_t than) { return bool(std::invoke(less, read(than), read(i))); };
  return detail::best_of("parallel_max_element", first, n, better, options);
}
template <std::ranges::input_range Range, class Less = std::less<>>
  requires detail::no_end_of<Less, Range>
std::ranges::borrowed_iterator_t<Range> parallel_max_element(Range&& range, Less less = {},
                                                             const parallel_options& options = {}) {
  return parallel_max_element(std::ranges::begin(range), std::ranges::end(range), std::move(less), options);
}

}  // namespace licit::inline v0

#endif
