/// Options of parallel algorithms, and what an algorithm requires of its arguments.
#ifndef LICIT_PARALLEL_PARALLEL_OPTIONS_HPP
#define LICIT_PARALLEL_PARALLEL_OPTIONS_HPP

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <type_traits>
#include <vector>

namespace licit::inline v0 {

/// How an algorithm runs: `parallel_for_each(v, f, {.grain = 100, .stop = token})`.
struct parallel_options {
  /// A loop gives no part with fewer items to another worker; a reduction's chunks have this size, except the last; a
  /// block, or a part of a sort, has at most so many. Without one, a loop chooses its chunks by time, and the others by
  /// the number of items. Zero: throws std::invalid_argument.
  std::optional<std::size_t> grain = {};
  /// Ends the call early: it then throws parallel_stopped. Asked once a chunk.
  std::stop_token stop = {};
  /// Called with the number of items done and their number, by whichever thread ends a chunk; never by two at once, and
  /// never with a smaller number than before. The last call, before the algorithm returns, has them equal. What it
  /// throws, the algorithm throws. `parallel_sort`, `parallel_stable_sort`, and algorithms that end early make no call.
  std::function<void(std::size_t done, std::size_t all)> progress = {};
  /// The least time between two calls of `progress`, apart from the last one. Zero: a call after each
  /// chunk, unless another thread is in one then.
  std::chrono::nanoseconds progress_every = std::chrono::milliseconds(50);
};

/// Thrown by a parallel algorithm that its stop token ended before its last item.
class parallel_stopped : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override {
    return "licit: a stop request ended a parallel algorithm before its last item";
  }
};

namespace detail {

/// The size of a chunk in a reduction of n items, whose result depends on it: by n alone. Up to 64 items each is a
/// chunk, since few items are mostly long ones.
[[nodiscard]] constexpr std::size_t chunk_of(std::size_t n) {
  const std::size_t few = std::min<std::size_t>(n / 64 + (n % 64 != 0 ? 1 : 0), 32);
  return std::clamp<std::size_t>(n / 512, std::max<std::size_t>(few, 1), 16'384);
}

inline void require_options(const char* algorithm, const parallel_options& options) {
  if (options.grain == 0U) {
    throw std::invalid_argument(std::string("licit: ") + algorithm + ": a grain of 0 items (at least 1, or none)");
  }
}

[[nodiscard]] inline std::size_t grain_or_chunk(const parallel_options& options, std::size_t n) {
  return options.grain.value_or(chunk_of(n));
}

/// An iterator into a std::vector<bool> that is not const, or one over such an iterator.
template <class Iterator>
inline constexpr bool shares_words = false;
template <std::input_or_output_iterator Iterator>
inline constexpr bool shares_words<Iterator> =
    std::is_same_v<std::iter_reference_t<Iterator>, std::vector<bool>::reference>;

/// An array and a pointer into it are the two ends of a call with iterators, and no range with a value or a comparison.
template <class T, class Range>
concept no_end_of = !std::sentinel_for<T, std::ranges::iterator_t<Range>>;

/// No output of a call with iterators, where an array's two ends were taken for a range and its output.
template <class T>
concept no_output = !std::input_or_output_iterator<T>;
/// No second range of a call with iterators, where the first value and Op come after it.
template <class T, class Op>
concept first_value_of = no_output<T> || std::invocable<Op&, T, T>;

/// T is a second range, or an array's pointer, and not the first value of a reduction by Op, which comes after it.
template <class T, class Op>
concept second_of = (std::ranges::input_range<T> || std::is_pointer_v<T>) && !std::invocable<Op&, T, T>;

/// An iterator of what is read.
template <class Iterator>
constexpr void require_reads() {
  static_assert(std::random_access_iterator<Iterator>,
                "licit: a parallel algorithm divides its range: it needs random-access iterators (of a std::vector, "
                "std::array, std::deque or std::span; those of a std::list, std::set or std::map are none)");
}
/// An iterator of what is written.
template <class Iterator>
constexpr void require_writes() {
  static_assert(std::random_access_iterator<Iterator>,
                "licit: a parallel algorithm writes at several positions at once: its output needs a random-access "
                "iterator into elements that exist (a std::back_insert_iterator is none)");
  static_assert(!shares_words<Iterator>,
                "licit: elements of a std::vector<bool> share words, which threads cannot write in parallel");
}

/// Elements that std::sort swaps: a proxy has to bring its own `swap`.
template <class Iterator>
concept sorted_by_std =
    std::is_lvalue_reference_v<std::iter_reference_t<Iterator>> || requires(const Iterator& i) { swap(*i, *i); };

/// An iterator of what is sorted.
template <class Iterator>
constexpr void require_sorts() {
  require_reads<Iterator>();
  require_writes<Iterator>();
  static_assert(sorted_by_std<Iterator>,
                "licit: a parallel sort leaves small parts to the standard's, which needs references to elements (a "
                "view that computes them has none), or proxies with a swap of their own");
}

/// The length of [first, last).
template <class Iterator, class Sentinel>
[[nodiscard]] std::size_t length_of(const char* algorithm, const Iterator& first, const Sentinel& last) {
  static_assert(std::sized_sentinel_for<Sentinel, Iterator>,
                "licit: a parallel algorithm needs to know its range's length: last - first");
  const auto length = last - first;
  if (length < 0) throw std::invalid_argument(std::string("licit: ") + algorithm + ": the range ends before it begins");
  if constexpr (sizeof(length) > sizeof(std::size_t)) {
    if (length > static_cast<decltype(length)>(std::numeric_limits<std::size_t>::max())) {
      throw std::out_of_range(std::string("licit: ") + algorithm + ": more elements than std::size_t counts");
    }
  }
  return static_cast<std::size_t>(length);
}

template <class Iterator>
[[nodiscard]] constexpr Iterator at_offset(const Iterator& first, std::size_t offset) {
  return first + static_cast<std::iter_difference_t<Iterator>>(offset);
}

template <class Range>
inline constexpr bool has_no_end = std::same_as<std::ranges::sentinel_t<Range>, std::unreachable_sentinel_t>;

/// The length of the shorter range. One of them may have no end, such as std::views::iota(0).
template <class Range, class Second>
[[nodiscard]] std::size_t shorter_of(const char* algorithm, Range& one, Second& other) {
  require_reads<std::ranges::iterator_t<Range>>();
  require_reads<std::ranges::iterator_t<Second>>();
  if constexpr (has_no_end<Second> && !has_no_end<Range>) {
    return length_of(algorithm, std::ranges::begin(one), std::ranges::end(one));
  } else if constexpr (has_no_end<Range> && !has_no_end<Second>) {
    return length_of(algorithm, std::ranges::begin(other), std::ranges::end(other));
  } else {
    return std::min(length_of(algorithm, std::ranges::begin(one), std::ranges::end(one)),
                    length_of(algorithm, std::ranges::begin(other), std::ranges::end(other)));
  }
}

}  // namespace detail

}  // namespace licit::inline v0

#endif
