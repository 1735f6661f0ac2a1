/// Parallel searches, which end early and find the first.
#ifndef LICIT_PARALLEL_FIND_HPP
#define LICIT_PARALLEL_FIND_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <utility>

#include <licit/parallel/detail/loop.hpp>
#include <licit/parallel/parallel_options.hpp>

namespace licit::inline v0 {

namespace detail {

/// Looks for the first position at which `is` holds, and ends the call there.
template <class Is>
struct search {
  using range = positions;
  struct state {};
  control& all;
  Is is;

  state begin(const range& /*r*/) { return {}; }
  void merge(state& /*left*/, state&& /*right*/) {}
  [[gnu::noinline]] void run(range& r, std::uint64_t count, state& /*s*/) {
    const positions chunk = r.take(count);
    for (std::uint64_t i = chunk.first; i != chunk.last; ++i) {
      if (is(i)) return all.end_at(i);
    }
  }
  void abandon(range& r) { r.first = r.last; }
};

}  // namespace detail

/// The first element for which `is(x)` holds, as std::find_if; or last. What lies after an element that was found is
/// left, chunk by chunk; `is` may have been called for some of it. If `is` throws at an element before all that were
/// found, that is rethrown. Otherwise as parallel_for_each; makes no progress calls.
template <std::input_iterator Iterator, class Sentinel, class Is>
  requires std::sentinel_for<Sentinel, Iterator>
Iterator parallel_find_if(Iterator first, Sentinel last, Is is, const parallel_options& options = {}) {
  detail::require_reads<Iterator>();
  const std::size_t n = detail::length_of("parallel_find_if", first, last);
  const parallel_options quiet{.grain = options.grain, .stop = options.stop};
  detail::control all("parallel_find_if", quiet, n);
  const auto holds = [&](std::uint64_t i) { return bool(std::invoke(is, *detail::at_offset(first, i))); };
  detail::search<decltype(holds)> body{all, holds};
  detail::loop over(all, body);
  over({0, n});
  return detail::at_offset(first, std::min<std::uint64_t>(all.end(), n));
}
template <std::ranges::input_range Range, class Is>
std::ranges::borrowed_iterator_t<Range> parallel_find_if(Range&& range, Is is, const parallel_options& options = {}) {
  return parallel_find_if(std::ranges::begin(range), std::ranges::end(range), std::move(is), options);
}

/// Whether `is(x)` holds for any element, for all of them, for none of them. End early, as parallel_find_if.
template <std::input_iterator Iterator, class Sentinel, class Is>
  requires std::sentinel_for<Sentinel, Iterator>
bool parallel_any_of(Iterator first, Sentinel last, Is is, const parallel_options& options = {}) {
  return parallel_find_if(first, last, std::move(is), options) != last;
}
template <std::input_iterator Iterator, class Sentinel, class Is>
  requires std::sentinel_for<Sentinel, Iterator>
bool parallel_none_of(Iterator first, Sentinel last, Is is, const parallel_options& options = {}) {
  return !parallel_any_of(first, last, std::move(is), options);
}
template <std::input_iterator Iterator, class Sentinel, class Is>
  requires std::sentinel_for<Sentinel, Iterator>
bool parallel_all_of(Iterator first, Sentinel last, Is is, const parallel_options& options = {}) {
  return parallel_none_of(first, last, std::not_fn(std::move(is)), options);
}
template <std::ranges::input_range Range, class Is>
bool parallel_any_of(Range&& range, Is is, const parallel_options& options = {}) {
  return parallel_find_if(range, std::move(is), options) != std::ranges::end(range);
}
template <std::ranges::input_range Range, class Is>
bool parallel_none_of(Range&& range, Is is, const parallel_options& options = {}) {
  return !parallel_any_of(range, std::move(is), options);
}
template <std::ranges::input_range Range, class Is>
bool parallel_all_of(Range&& range, Is is, const parallel_options& options = {}) {
  return parallel_none_of(range, std::not_fn(std::move(is)), options);
}

}  // namespace licit::inline v0

#endif
