/// Parallel prefix sums, and copies of what a condition holds for.
#ifndef LICIT_PARALLEL_SCAN_HPP
#define LICIT_PARALLEL_SCAN_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include <licit/parallel/detail/sweep.hpp>
#include <licit/parallel/parallel_options.hpp>

namespace licit::inline v0 {

namespace detail {

/// In a chunk the elements are added up from its first one; what is before the chunk is then added to each of these
/// sums. So the grouping depends on the chunks alone. A value is none before the first element if there is no initial
/// one.
template <class T, class Iterator, class Out, class Op, bool Inclusive>
struct prefix_sums {
  using value = std::optional<T>;
  Iterator first;
  Out out;
  Op& op;

  T sum(const T& left, const T& right) { return combined<T>(op, left, right); }
  value after(const value& before, const value& chunk) {
    return before.has_value() ? value(sum(*before, *chunk)) : chunk;
  }
  /// An element that `pass` will read again: so it is copied even where the iterator says that it may be moved from.
  T look_at(std::uint64_t i) {
    using reference = std::iter_reference_t<Iterator>;
    if constexpr (std::is_rvalue_reference_v<reference>) {
      const std::remove_reference_t<reference>& element = *at_offset(first, i);
      return static_cast<T>(element);
    } else {
      return static_cast<T>(*at_offset(first, i));
    }
  }
  [[gnu::noinline]] value measure(const chunks& r) {
    T made = look_at(r.first);
    // A value first: `op` may return a reference to its own argument.
    for (std::uint64_t i = r.first + 1; i != r.last; ++i) {
      made = combined<T>(op, std::move(made), look_at(i));
    }
    return made;
  }
  [[gnu::noinline]] value pass(const chunks& r, const value& before) {
    T made = static_cast<T>(*at_offset(first, r.first));
    write(r.first, before.has_value() ? (Inclusive ? sum(*before, made) : *before) : made);
    for (std::uint64_t i = r.first + 1; i != r.last; ++i) {
      T next = combined<T>(op, made, static_cast<T>(*at_offset(first, i)));  // read before it is written
      const T& here = Inclusive ? next : made;
      write(i, before.has_value() ? sum(*before, here) : here);
      made = std::move(next);
    }
    return made;
  }
  void finish(const chunks& r, const value& before) { static_cast<void>(pass(r, before)); }
  void write(std::uint64_t i, T&& made) { *at_offset(out, i) = std::move(made); }
  void write(std::uint64_t i, const T& made) { *at_offset(out, i) = made; }
};

template <bool Inclusive, class Iterator, class Out, class T, class Op>
Out scan(const char* algorithm, Iterator first, std::uint64_t n, Out out, std::optional<T> init, Op& op,
         const parallel_options& options) {
  require_reads<Iterator>();
  require_writes<Out>();
  static_assert(std::is_invocable_r_v<T, Op&, T, T>, "licit: a scan combines two values of one type");
  static_assert(std::is_copy_constructible_v<T>, "licit: a scan copies its values: it writes one and goes on with it");
  control all(algorithm, options, n);
  prefix_sums<T, Iterator, Out, Op, Inclusive> body{first, out, op};
  sweep over(all, body, n, grain_or_chunk(options, n));
  static_cast<void>(over(init));
  all.end_call();
  return at_offset(out, n);
}

}  // namespace detail

/// Combines by `op`, in their order, `init` (if there is one) and the elements of [first, last) up to the i-th one, and
/// writes the result to the i-th element from `out` on. Returns the end of what was written. `out` may be `first`.
/// `op(T, T)` must be associative, and T copies. Determinism and chunks are as for parallel_reduce. Allocates a value a
/// chunk: throws std::bad_alloc before it has written anything. An element of a chunk that was stolen is read twice.
/// Otherwise as parallel_for_each.
///
/// `op` is called up to twice an element, on one worker too; up to three times in a chunk that was stolen. If it throws
/// in such a part, what is before may not have been written.
template <std::input_iterator Iterator, class Sentinel, std::input_or_output_iterator Out, class Op = std::plus<>>
  requires std::sentinel_for<Sentinel, Iterator>
Out parallel_inclusive_scan(Iterator first, Sentinel last, Out out, Op op = {}, const parallel_options& options = {}) {
  const std::size_t n = detail::length_of("parallel_inclusive_scan", first, last);
  return detail::scan<true>("parallel_inclusive_scan", first, n, out, std::optional<std::iter_value_t<Iterator>>(), op,
                            options);
}
template <std::input_iterator Iterator, class Sentinel, std::input_or_output_iterator Out, class Op, class T>
  requires(std::sentinel_for<Sentinel, Iterator> && !std::same_as<T, parallel_options>)
Out parallel_inclusive_scan(Iterator first, Sentinel last, Out out, Op op, T init,
                            const parallel_options& options = {}) {
  const std::size_t n = detail::length_of("parallel_inclusive_scan", first, last);
  return detail::scan<true>("parallel_inclusive_scan", first, n, out, std::optional<T>(std::move(init)), op, options);
}

template <std::ranges::input_range Range, class Out, class Op = std::plus<>>
  requires(detail::no_end_of<Op, Range> && detail::no_output<Op>)
Out parallel_inclusive_scan(Range&& range, Out out, Op op = {}, const parallel_options& options = {}) {
  return parallel_inclusive_scan(std::ranges::begin(range), std::ranges::end(range), out, std::move(op), options);
}
template <std::ranges::input_range Range, class Out, class Op, class T>
  requires(detail::no_end_of<Op, Range> && detail::no_output<Op> && !std::same_as<T, parallel_options>)
Out parallel_inclusive_scan(Range&& range, Out out, Op op, T init, const parallel_options& options = {}) {
  return parallel_inclusive_scan(std::ranges::begin(range), std::ranges::end(range), out, std::move(op),
                                 std::move(init), options);
}

/// The same up to the element before the i-th one: the first one written is `init`.
template <std::input_iterator Iterator, class Sentinel, std::input_or_output_iterator Out, class T,
          class Op = std::plus<>>
  requires std::sentinel_for<Sentinel, Iterator>
Out parallel_exclusive_scan(Iterator first, Sentinel last, Out out, T init, Op op = {},
                            const parallel_options& options = {}) {
  const std::size_t n = detail::length_of("parallel_exclusive_scan", first, last);
  return detail::scan<false>("parallel_exclusive_scan", first, n, out, std::optional<T>(std::move(init)), op, options);
}

template <std::ranges::input_range Range, class Out, class T, class Op = std::plus<>>
  requires(detail::no_end_of<T, Range> && detail::first_value_of<T, Op>)
Out parallel_exclusive_scan(Range&& range, Out out, T init, Op op = {}, const parallel_options& options = {}) {
  return parallel_exclusive_scan(std::ranges::begin(range), std::ranges::end(range), out, std::move(init),
                                 std::move(op), options);
}

namespace detail {

/// A chunk comes to the number of elements that are copied. Of a measured chunk, a bit each says which, in words that
/// are its own.
template <class Iterator, class Out, class Is>
struct copies {
  using value = std::uint64_t;
  using word = std::uint64_t;
  static constexpr std::uint64_t bits = 64;

  Iterator first;
  Out out;
  Is& is;
  word* which;

  [[nodiscard]] static std::size_t words_of(std::size_t elements) {
    return elements / bits + (elements % bits != 0 ? 1 : 0);
  }
  [[nodiscard]] word* words_at(const chunks& r) const { return which + r.first / r.grain * words_of(r.grain); }

  value after(const value& before, const value& chunk) { return before + chunk; }
  [[gnu::noinline]] value measure(const chunks& r) {
    value number = 0;
    word* to = words_at(r);
    for (std::uint64_t i = r.first; i < r.last; i += bits) {
      word made = 0;
      const std::uint64_t end = std::min(r.last, i + bits);
      for (std::uint64_t j = i; j != end; ++j) {
        const bool holds = static_cast<bool>(std::invoke(is, *at_offset(first, j)));
        made |= word{holds} << (j - i);
        number += holds;
      }
      *to++ = made;
    }
    return number;
  }
  [[gnu::noinline]] value pass(const chunks& r, const value& before) {
    Out to = at_offset(out, before);
    for (std::uint64_t i = r.first; i != r.last; ++i) {
      if (!std::invoke(is, *at_offset(first, i))) continue;
      *to = *at_offset(first, i);
      ++to;
    }
    return static_cast<value>(to - at_offset(out, before));
  }
  [[gnu::noinline]] void finish(const chunks& r, const value& before) {
    Out to = at_offset(out, before);
    const word* const holds = words_at(r);
    for (std::uint64_t i = r.first; i != r.last; ++i) {
      const std::uint64_t at = i - r.first;
      if ((holds[at / bits] >> (at % bits) & 1) == 0) continue;
      *to = *at_offset(first, i);
      ++to;
    }
  }
};

}  // namespace detail

/// Copies the elements for which `is(x)` holds, in order, to `out` on. Returns the end of what was written. Calls `is`
/// once for each element. The ranges must not overlap. Allocates a bit an element, and a number and up
/// to 63 bits more a chunk: throws std::bad_alloc before it has called anything. If `is` throws in a part that was
/// stolen, what is before may not have been written. Otherwise as parallel_for_each.
template <std::input_iterator Iterator, class Sentinel, std::input_or_output_iterator Out, class Is>
  requires std::sentinel_for<Sentinel, Iterator>
Out parallel_copy_if(Iterator first, Sentinel last, Out out, Is is, const parallel_options& options = {}) {
  detail::require_reads<Iterator>();
  detail::require_writes<Out>();
  const std::size_t n = detail::length_of("parallel_copy_if", first, last);
  using body = detail::copies<Iterator, Out, Is>;
  detail::control all("parallel_copy_if", options, n);
  const std::size_t grain = std::min(detail::grain_or_chunk(options, n), std::max<std::size_t>(n, 1));
  const auto which = std::make_unique_for_overwrite<std::uint64_t[]>((n / grain + 1) * body::words_of(grain));
  body made{first, out, is, which.get()};
  detail::sweep over(all, made, n, grain);
  const std::uint64_t number = over(0);
  all.end_call();
  return detail::at_offset(out, number);
}
template <std::ranges::input_range Range, class Out, class Is>
Out parallel_copy_if(Range&& range, Out out, Is is, const parallel_options& options = {}) {
  return parallel_copy_if(std::ranges::begin(range), std::ranges::end(range), out, std::move(is), options);
}

}  // namespace licit::inline v0

#endif
