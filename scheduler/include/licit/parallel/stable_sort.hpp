/// Parallel stable sort: merge sort, with merges in parallel.
#ifndef LICIT_PARALLEL_STABLE_SORT_HPP
#define LICIT_PARALLEL_STABLE_SORT_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <ranges>
#include <type_traits>
#include <utility>

#include <licit/parallel/detail/loop.hpp>
#include <licit/parallel/detail/partition.hpp>
#include <licit/parallel/detail/serial_stable_sort.hpp>
#include <licit/parallel/detail/tree.hpp>
#include <licit/parallel/for_each.hpp>
#include <licit/parallel/parallel_options.hpp>

namespace licit::inline v0 {

namespace detail {

/// Whether the elements of the destination exist: the buffer's are made by the first merge that writes there.
enum class target : std::uint32_t { exists, raw };

/// Two sorted ranges that are merged to one place.
template <class From, class To>
struct two_runs {
  From left, left_end, right, right_end;
  To to;
  std::uint64_t at = 0;  ///< the position of `to`

  [[nodiscard]] std::uint64_t size() const {
    return static_cast<std::uint64_t>((left_end - left) + (right_end - right));
  }
  [[nodiscard]] std::uint64_t position() const { return at; }
};

/// Moves the elements of two sorted ranges to one. Whatever throws, all are moved; then in no order.
template <class From, class To, class Less>
class merges {
 public:
  struct range : two_runs<From, To> {
    const merges* by = nullptr;

    /// Keeps the left half of the output and returns the right one. Compares O(log n) times.
    range split() {
      range other = *this;
      const auto half = static_cast<std::iter_difference_t<From>>(this->size() / 2);
      const auto taken = by->of_left(*this, half);
      this->left_end = other.left = this->left + taken;
      this->right_end = other.right = this->right + (half - taken);
      other.to = this->to + half;
      other.at = this->at + static_cast<std::uint64_t>(half);
      return other;
    }
  };
  struct state {};

  merges(Less& less, target how) : less_{less}, how_{how} {}

  state begin(const range& /*r*/) { return {}; }
  void merge(state& /*left*/, state&& /*right*/) {}
  void run(range& r, std::uint64_t count, state& /*s*/) {
    how_ == target::raw ? step<target::raw>(r, count) : step<target::exists>(r, count);
  }
  void abandon(range& r) { how_ == target::raw ? move_all<target::raw>(r) : move_all<target::exists>(r); }

 private:
  template <target How>
  [[gnu::noinline]] void step(range& r, std::uint64_t count) {
    struct written_back {
      range& r;
      From left = r.left, right = r.right;
      To to = r.to;
      ~written_back() {
        r.at += static_cast<std::uint64_t>(to - r.to);
        r.left = left, r.right = right, r.to = to;
      }
    } now{r};
    const To end = now.to + static_cast<std::iter_difference_t<To>>(count);
    while (now.to != end && now.left != r.left_end && now.right != r.right_end) {
      if constexpr (moves_freely<From>) {
        const bool right_first = std::invoke(less_, *now.right, *now.left);
        *now.to++ = right_first ? *now.right : *now.left;
        now.right += right_first;
        now.left += !right_first;
      } else {
        put<How>(now.to, std::invoke(less_, *now.right, *now.left) ? now.right : now.left);
      }
    }
    while (now.to != end && now.left != r.left_end) put<How>(now.to, now.left);
    while (now.to != end) put<How>(now.to, now.right);
  }
  template <target How>
  void move_all(range& r) {
    r.at += r.size();
    while (r.left != r.left_end) put<How>(r.to, r.left);
    while (r.right != r.right_end) put<How>(r.to, r.right);
  }
  template <target How>
  static void put(To& to, From& from) {
    if constexpr (How == target::raw && std::is_pointer_v<To>) {
      std::construct_at(to, std::ranges::iter_move(from));
    } else {
      *to = std::ranges::iter_move(from);
    }
    ++to;
    ++from;
  }

  /// How many of the first `half` elements of the output are from the left range.
  std::iter_difference_t<From> of_left(const range& r, std::iter_difference_t<From> half) const {
    const auto lefts = r.left_end - r.left;
    const auto rights = r.right_end - r.right;
    auto low = half > rights ? half - rights : 0;
    auto high = std::min(half, lefts);
    while (low < high) {
      const auto middle = low + (high - low) / 2;
      if (std::invoke(less_, r.right[half - middle - 1], r.left[middle])) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  Less& less_;
  const target how_;
};

/// All leaves have the same even depth. They are sorted in place; each merge goes to the other of the two places, and
/// the last one to the range. Whatever throws, each step moves all elements that it should, so that all are in the
/// range in the end; and then an exception is the result.
template <class Iterator, class Less>
class merge_sort {
  using element = std::iter_value_t<Iterator>;

 public:
  struct range {
    std::uint64_t first, last;
    unsigned depth;  ///< of merges
    [[nodiscard]] std::uint64_t size() const { return last - first; }
  };

  merge_sort(control& all, Less& less, Iterator place, element* buffer)
      : all_{all}, less_{less}, place_{place}, buffer_{buffer} {}

  /// Even depths end in the range, odd ones in the buffer.
  std::exception_ptr operator()(range r, branches& mine) {
    if (r.depth == 0) return sort_leaf(r, mine);
    const std::uint64_t middle = r.first + r.size() / 2;
    stolen_range<range, std::exception_ptr, merge_sort> right(all_, *this, {middle, r.last, r.depth - 1});
    mine.put_aside(right);
    std::exception_ptr first = (*this)({r.first, middle, r.depth - 1}, mine);
    // After an exception nothing is run while waiting: a recursion without end would begin another one at each level.
    std::exception_ptr second = mine.reclaim(right, first != nullptr)
                                    ? mine.in_place(right, [&] { return (*this)(right.what, mine); })
                                    : right.result();
    std::exception_ptr third = merge_halves(r, middle, mine);
    return first != nullptr ? first : second != nullptr ? second : third;
  }

 private:
  template <class F>
  std::exception_ptr ended_by(F f) noexcept {
    try {
      f();
      return nullptr;
    } catch (...) {
      all_.end_at(0);
      return std::current_exception();
    }
  }
  std::exception_ptr sort_leaf(const range& r, branches& mine) {
    if (all_.is_over(0)) return nullptr;
    return ended_by([&] {
      all_.begin_chunk();
      serial_stable_sort(at_offset(place_, r.first), at_offset(place_, r.last), less_);
      mine.end_chunk(r.size());
    });
  }
  std::exception_ptr merge_halves(const range& r, std::uint64_t middle, branches& mine) {
    if (r.depth % 2 == 0) {
      return merge(buffer_ + r.first, buffer_ + middle, buffer_ + r.last, at_offset(place_, r.first), target::exists,
                   mine);
    }
    return merge(at_offset(place_, r.first), at_offset(place_, middle), at_offset(place_, r.last), buffer_ + r.first,
                 r.depth == 1 ? target::raw : target::exists, mine);
  }
  template <class From, class To>
  std::exception_ptr merge(From first, From middle, From last, To to, target how, branches& mine) {
    using merging = merges<From, To, Less>;
    merging body(less_, how);
    return ended_by([&] {
      loop over(all_, body, &mine);
      over(typename merging::range{{first, middle, middle, last, to}, &body});
    });
  }

  control& all_;
  Less& less_;
  const Iterator place_;
  element* const buffer_;
};

/// Memory for n elements, which its user makes and ends; or none.
template <class T>
class raw_buffer {
 public:
  explicit raw_buffer(std::size_t n) noexcept
      : place_{n <= std::numeric_limits<std::size_t>::max() / sizeof(T)
                   ? static_cast<T*>(::operator new(n * sizeof(T), alignment, std::nothrow))
                   : nullptr} {}
  ~raw_buffer() { ::operator delete(place_, alignment); }
  raw_buffer(const raw_buffer&) = delete;
  raw_buffer& operator=(const raw_buffer&) = delete;
  [[nodiscard]] T* get() const { return place_; }

 private:
  static constexpr std::align_val_t alignment{alignof(T)};
  T* place_;
};

/// What std::stable_sort gets at most.
inline constexpr std::size_t stable_leaf = 2048;

}  // namespace detail

/// Sorts [first, last), as std::stable_sort: equal elements stay in their order, so the result does not depend on which
/// thread ran what. `less` is a strict weak order.
///
/// Allocates a buffer for n elements. Without that memory, or if moving an element may throw, the calling thread alone
/// sorts, by std::stable_sort. If `less` throws, one of its exceptions is rethrown. The elements are then valid, and in
/// any order; std::stable_sort, which sorts the small parts, may have left some of such a part moved-from. After a stop
/// they are a permutation of what they were. `grain` (by default 2,048) is how many std::stable_sort gets at most. A
/// slower sort without a buffer takes its place for elements of an alignment that operator new does not give of itself,
/// and for iterators that are random access by their concept alone, since their references are proxies.
/// Otherwise as parallel_for_each.
template <std::input_iterator Iterator, class Sentinel, class Less = std::less<>>
  requires std::sentinel_for<Sentinel, Iterator>
void parallel_stable_sort(Iterator first, Sentinel last, Less less = {}, const parallel_options& options = {}) {
  detail::require_sorts<Iterator>();
  using element = std::iter_value_t<Iterator>;
  const std::size_t n = detail::length_of("parallel_stable_sort", first, last);
  const parallel_options quiet{.grain = options.grain, .stop = options.stop};
  detail::control all("parallel_stable_sort", quiet, n);
  if (n == 0) return;
  unsigned depth = 0;
  while (((n - 1) >> depth) >= options.grain.value_or(detail::stable_leaf)) depth += 2;
  constexpr bool moves = std::is_nothrow_move_constructible_v<element> && std::is_nothrow_move_assignable_v<element> &&
                         std::is_lvalue_reference_v<std::iter_reference_t<Iterator>>;
  if constexpr (moves) {
    if (const detail::raw_buffer<element> buffer(depth == 0 ? 0 : n); depth != 0 && buffer.get() != nullptr) {
      detail::merge_sort<Iterator, Less> sorts(all, less, first, buffer.get());
      detail::branches mine(all);
      std::exception_ptr thrown = sorts({0, n, depth}, mine);
      if constexpr (!std::is_trivially_destructible_v<element>) {
        const auto destroy = [&](std::uint64_t b, std::uint64_t e) {
          std::destroy(buffer.get() + b, buffer.get() + e);
        };
        try {
          detail::run_chunks("parallel_stable_sort", n, {}, destroy);
        } catch (const stack_exhausted&) {  // none is destroyed
          destroy(0, n);
        }
      }
      if (thrown != nullptr) std::rethrow_exception(std::move(thrown));
      return;
    }
  }
  all.begin_chunk();
  detail::serial_stable_sort(first, detail::at_offset(first, n), less);
}
template <std::ranges::input_range Range, class Less = std::less<>>
  requires detail::no_end_of<Less, Range>
void parallel_stable_sort(Range&& range, Less less = {}, const parallel_options& options = {}) {
  parallel_stable_sort(std::ranges::begin(range), std::ranges::end(range), std::move(less), options);
}

}  // namespace licit::inline v0

#endif
