/// Parallel loops: over indices, iterators, ranges and blocks; and calls side by side.
#ifndef LICIT_PARALLEL_FOR_EACH_HPP
#define LICIT_PARALLEL_FOR_EACH_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <ranges>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <licit/parallel/detail/loop.hpp>
#include <licit/parallel/detail/tree.hpp>
#include <licit/parallel/parallel_options.hpp>
#include <licit/scheduler/fork/join.hpp>
#include <licit/scheduler/task/task.hpp>

namespace licit::inline v0 {

namespace detail {

/// Calls `each` with chunks [begin, end) of positions.
template <class F>
struct chunk_calls {
  using range = positions;
  struct state {};
  F each;

  state begin(const range& /*r*/) { return {}; }
  void merge(state& /*left*/, state&& /*right*/) {}
  [[gnu::noinline]] void run(range& r, std::uint64_t count, state& /*s*/) {
    const positions chunk = r.take(count);
    each(chunk.first, chunk.last);
  }
  void abandon(range& r) { r.first = r.last; }
};

/// Calls `each(begin, end)` for chunks of [0, n).
template <class F>
void run_chunks(const char* algorithm, std::uint64_t n, const parallel_options& options, F each) {
  control all(algorithm, options, n);
  chunk_calls<F> body{std::move(each)};
  loop<chunk_calls<F>> over(all, body);
  over({0, n});
  all.end_call();
}

template <class T>
inline constexpr bool is_coroutine = false;
template <class T>
inline constexpr bool is_coroutine<task<T>> = true;

/// What a loop calls for an item. Its result is dropped.
template <class F, class Item>
void call_for(F& f, Item&& item) {
  static_assert(!is_coroutine<std::invoke_result_t<F&, Item>>,
                "licit: a parallel loop calls functions: it would drop this coroutine before it has begun (spawn it)");
  static_cast<void>(std::invoke(f, std::forward<Item>(item)));
}

/// One of these types.
template <class T, class... Of>
concept any_of = (std::same_as<T, Of> || ...);
/// Integers that count: no bool, no character.
template <class I>
concept counts = std::integral<I> && sizeof(I) <= sizeof(std::uint64_t) &&
                 !any_of<std::remove_cv_t<I>, bool, char, wchar_t, char8_t, char16_t, char32_t>;

/// A bound in the type of both bounds.
template <class I, class Bound>
[[nodiscard]] I bound_as(const char* algorithm, Bound bound) {
  if (!std::in_range<I>(bound)) {
    throw std::out_of_range(std::string("licit: ") + algorithm +
                            ": a bound does not fit into the common type of both bounds");
  }
  return static_cast<I>(bound);
}

template <class I>
[[nodiscard]] constexpr I index_at(I first, std::uint64_t offset) {
  return static_cast<I>(static_cast<std::uint64_t>(first) + offset);  // modulo 2^64: never overflows
}
template <class I>
[[nodiscard]] constexpr std::uint64_t number_of(I first, I last) {
  return first < last ? static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) : 0;
}

}  // namespace detail

/// Calls `f(i)` for each i of [first, last), as the loop `for (i = first; i < last; ++i)` would, in any order and in
/// parallel: so for nothing if last is before first. `i` has the common type of the bounds. Blocks until all calls have
/// ended, and runs some of them itself.
///
/// Of calls that throw, the one with the lowest index counts: those after it are left out as far as they have not
/// begun, those before it run, and its exception is rethrown. Allocates nothing. Throws std::out_of_range if a bound is
/// not in the common type's range (-1 and a std::size_t), and as parallel_options say.
template <detail::counts First, detail::counts Last, class F>
void parallel_for(First first, Last last, F f, const parallel_options& options = {}) {
  using number = std::common_type_t<First, Last>;
  static_assert(std::invocable<F&, number>, "licit: parallel_for calls its function with an index");
  const number from = detail::bound_as<number>("parallel_for", first);
  const number to = detail::bound_as<number>("parallel_for", last);
  detail::run_chunks("parallel_for", detail::number_of(from, to), options, [&](std::uint64_t b, std::uint64_t e) {
    const number end = detail::index_at(from, e);
    for (number i = detail::index_at(from, b); i != end; ++i)
      detail::call_for(f, number{i});  // a copy, which `f` may change
  });
}

/// Calls `f(*i)` for each iterator of [first, last), and drops the results; otherwise as parallel_for. Throws
/// std::invalid_argument if last is before first. Of a std::vector<bool>, whose elements share words, `f` may read
/// elements, but write none.
template <std::input_iterator Iterator, class Sentinel, class F>
  requires std::sentinel_for<Sentinel, Iterator>
void parallel_for_each(Iterator first, Sentinel last, F f, const parallel_options& options = {}) {
  detail::require_reads<Iterator>();
  const std::size_t n = detail::length_of("parallel_for_each", first, last);
  detail::run_chunks("parallel_for_each", n, options, [&](std::uint64_t b, std::uint64_t e) {
    const Iterator end = detail::at_offset(first, e);
    for (Iterator i = detail::at_offset(first, b); i != end; ++i) detail::call_for(f, *i);
  });
}
template <std::ranges::input_range Range, class F>
void parallel_for_each(Range&& range, F f, const parallel_options& options = {}) {
  parallel_for_each(std::ranges::begin(range), std::ranges::end(range), std::move(f), options);
}

/// The same for the n elements from `first`. Returns the end of them. Throws std::invalid_argument if n is negative,
/// and std::out_of_range if it is no difference of two such iterators.
template <std::input_iterator Iterator, std::integral Number, class F>
Iterator parallel_for_each_n(Iterator first, Number n, F f, const parallel_options& options = {}) {
  detail::require_reads<Iterator>();
  if constexpr (std::random_access_iterator<Iterator>) {  // else one message is enough
    const auto number = +n;                               // std::cmp_less takes no char and no bool
    if (std::cmp_less(number, 0)) {
      throw std::invalid_argument("licit: parallel_for_each_n: a negative number of elements");
    }
    using difference = std::iter_difference_t<Iterator>;
    if constexpr (std::integral<difference>) {  // else it is wider than any of them
      if (!std::in_range<difference>(number)) throw std::out_of_range("licit: parallel_for_each_n: too many elements");
    }
    const Iterator last = first + static_cast<difference>(number);
    parallel_for_each(first, last, std::move(f), options);
    return last;
  } else {
    return first;
  }
}

/// Writes `f(x)` for each x of [first, last), in order, to the elements from `out` on. Returns their end. `out` may be
/// `first`. Otherwise as parallel_for_each.
template <std::input_iterator Iterator, class Sentinel, std::input_or_output_iterator Out, class F>
  requires(std::sentinel_for<Sentinel, Iterator> && std::invocable<F&, std::iter_reference_t<Iterator>>)
Out parallel_transform(Iterator first, Sentinel last, Out out, F f, const parallel_options& options = {}) {
  detail::require_reads<Iterator>();
  detail::require_writes<Out>();
  const std::size_t n = detail::length_of("parallel_transform", first, last);
  detail::run_chunks("parallel_transform", n, options, [&](std::uint64_t b, std::uint64_t e) {
    const Iterator end = detail::at_offset(first, e);
    Out to = detail::at_offset(out, b);
    for (Iterator i = detail::at_offset(first, b); i != end; ++i, ++to) *to = std::invoke(f, *i);
  });
  return detail::at_offset(out, n);
}
template <std::ranges::input_range Range, class Out, class F>
Out parallel_transform(Range&& range, Out out, F f, const parallel_options& options = {}) {
  return parallel_transform(std::ranges::begin(range), std::ranges::end(range), out, std::move(f), options);
}
/// Writes `f(x, y)` for each x of [first, last) and the y at the same place from `second` on.
template <std::input_iterator Iterator, class Sentinel, std::input_iterator Second, std::input_or_output_iterator Out,
          class F>
  requires std::sentinel_for<Sentinel, Iterator>
Out parallel_transform(Iterator first, Sentinel last, Second second, Out out, F f,
                       const parallel_options& options = {}) {
  detail::require_reads<Iterator>();
  detail::require_reads<Second>();
  detail::require_writes<Out>();
  const std::size_t n = detail::length_of("parallel_transform", first, last);
  detail::run_chunks("parallel_transform", n, options, [&](std::uint64_t b, std::uint64_t e) {
    const Iterator end = detail::at_offset(first, e);
    Second other = detail::at_offset(second, b);
    Out to = detail::at_offset(out, b);
    for (Iterator i = detail::at_offset(first, b); i != end; ++i, ++other, ++to) *to = std::invoke(f, *i, *other);
  });
  return detail::at_offset(out, n);
}
/// The same for two ranges, as far as the shorter one reaches. One of them may have no end.
template <std::ranges::input_range Range, std::ranges::input_range Second, class Out, class F>
Out parallel_transform(Range&& range, Second&& second, Out out, F f, const parallel_options& options = {}) {
  const auto first = std::ranges::begin(range);
  const std::size_t n = detail::shorter_of("parallel_transform", range, second);
  return parallel_transform(first, detail::at_offset(first, n), std::ranges::begin(second), out, std::move(f), options);
}

/// The indices [first, last) of one dimension.
struct index_span {
  std::size_t first = 0;
  std::size_t last = 0;

  [[nodiscard]] std::size_t size() const { return last > first ? last - first : 0; }
};
/// A block of a matrix.
struct index_block {
  index_span rows;
  index_span columns;
};

namespace detail {

/// A part of a matrix that is divided at the middle of its longer side until it has at most `grain` items.
struct divided_block {
  index_block block;
  std::uint64_t grain = 1;
  std::uint64_t path = 0;  ///< its place among the parts: from the top, a bit for each division, 1 for the right part
  std::uint64_t bit = std::uint64_t{1} << 63;

  [[nodiscard]] std::uint64_t size() const { return std::uint64_t{block.rows.size()} * block.columns.size(); }
  [[nodiscard]] std::uint64_t position() const { return path; }
  [[nodiscard]] bool divisible() const { return bit != 1 && size() > grain; }
  divided_block split() {
    divided_block right = *this;
    const bool by_rows = block.rows.size() >= block.columns.size();
    index_span& left_side = by_rows ? block.rows : block.columns;
    index_span& right_side = by_rows ? right.block.rows : right.block.columns;
    left_side.last = right_side.first = left_side.first + left_side.size() / 2;
    right.path |= bit;
    bit = right.bit >>= 1;
    return right;
  }
};

template <class F>
struct block_calls {
  using range = divided_block;
  struct value {};
  F& each;

  value leaf(const range& r) {
    call_for(each, r.block);
    return {};
  }
  value combine(value&& /*left*/, value&& /*right*/) { return {}; }
};

}  // namespace detail

/// Calls `f(const index_block&)` for disjoint blocks that make up rows x columns. A block has at most `grain` items, by
/// default as many as a chunk of parallel_reduce, and is about square: neighbouring blocks run after one another, which
/// caches like. Nothing if a side is empty. The exception of the first block counts, in the order of division. Throws
/// std::out_of_range if rows times columns overflow. Otherwise as parallel_for.
template <class F>
  requires std::invocable<F&, const index_block&>
void parallel_for_blocks(index_span rows, index_span columns, F f, const parallel_options& options = {}) {
  const std::uint64_t height = rows.size();
  const std::uint64_t width = columns.size();
  if (width != 0 && height > std::numeric_limits<std::uint64_t>::max() / width) {
    throw std::out_of_range("licit: parallel_for_blocks: rows times columns overflow");
  }
  detail::control all("parallel_for_blocks", options, height * width);
  if (height * width != 0) {
    detail::block_calls<F> body{f};
    detail::tree over(all, body);
    over({.block = {rows, columns}, .grain = detail::grain_or_chunk(options, height * width)});
  }
  all.end_call();
}

/// Calls all callables, in parallel, and blocks until all have ended. The first exception by the order of arguments is
/// rethrown; no call is left out for it, unless it is stack_exhausted. As `join`, which also returns their results.
template <std::invocable... F>
  requires(sizeof...(F) > 1)
void parallel_invoke(F&&... callables) {
  static_cast<void>(licit::join([&] { static_cast<void>(std::invoke(std::forward<F>(callables))); }...));
}

}  // namespace licit::inline v0

#endif
