/// A reduction over a tree that the range alone decides.
#ifndef LICIT_PARALLEL_TREE_HPP
#define LICIT_PARALLEL_TREE_HPP

#include <bit>
#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include <licit/parallel/detail/branches.hpp>

namespace licit::inline v0::detail {

/// Items [first, last) in chunks of `grain`, the last of which may be smaller. Divides after the largest power of two
/// of chunks that leaves some: as a stack does that merges equals, like a binary counter.
struct chunks {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint64_t grain = 1;

  [[nodiscard]] std::uint64_t size() const { return last - first; }
  [[nodiscard]] std::uint64_t position() const { return first; }
  [[nodiscard]] bool divisible() const { return size() > grain; }
  /// Keeps the left part and returns the right one.
  chunks split() {
    const std::uint64_t number = (size() - 1) / grain + 1;
    const std::uint64_t middle = first + std::bit_floor(number - 1) * grain;
    return {middle, std::exchange(last, middle), grain};
  }
};

template <class Op, class... Others>
concept one_of = (std::same_as<Op, Others> || ...);

/// For integers, and an operation that gives the same number in any order: `in` does it, on `as`, without overflow.
template <class T, class Op>
struct regrouped : std::false_type {};
template <class T, template <class> class Op, class U>
  requires(std::integral<T> && !std::same_as<T, bool> && one_of<U, T, void> &&
           one_of<Op<void>, std::plus<>, std::multiplies<>, std::bit_and<>, std::bit_or<>, std::bit_xor<>>)
struct regrouped<T, Op<U>> : std::true_type {
  using in = Op<void>;
  using as = std::common_type_t<std::make_unsigned_t<T>, unsigned>;
};

/// Two values of type T, combined by `op`. Integers without overflow: the sum of some neighbours may overflow where no
/// sum of a serial loop does.
template <class T, class Op, class Left, class Right>
[[nodiscard]] constexpr T combined(Op& op, Left&& left, Right&& right) {
  if constexpr (regrouped<T, Op>::value) {
    using as = typename regrouped<T, Op>::as;
    return static_cast<T>(typename regrouped<T, Op>::in()(static_cast<as>(left), static_cast<as>(right)));
  } else {
    return static_cast<T>(std::invoke(op, std::forward<Left>(left), std::forward<Right>(right)));
  }
}

/// What a thief makes of a stolen range.
template <class Range, class Value, class Work>
class stolen_range final : public branch {
 public:
  stolen_range(control& all, Work& work, Range range)
      : branch{range.size()}, what{std::move(range)}, all_{all}, work_{work} {}

  Range what;

  void run() noexcept override {
    branches mine(all_);
    try {
      made_.emplace(work_(what, mine));
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }
  /// After it has been run. Rethrows what the range threw.
  Value result() {
    if (thrown_ != nullptr) std::rethrow_exception(std::move(thrown_));
    return std::move(*made_);
  }

 private:
  control& all_;
  Work& work_;
  std::optional<Value> made_;
  std::exception_ptr thrown_;
};

/// Body has a `range`, a `value`, `value leaf(const range&)`, and `value combine(value&&, value&&)`, of neighbours. All
/// threads use the same body. Its loops are best in functions of their own: beside handlers of exceptions, compilers
/// keep what a loop adds up in memory. If it says `does_items = false`, its items are not done after it.
template <class Body>
class tree {
 public:
  using range = typename Body::range;
  using value = typename Body::value;

  tree(control& all, Body& body) : all_{all}, body_{body} {}

  value operator()(range whole) {
    branches mine(all_);
    return (*this)(std::move(whole), mine);
  }

  value operator()(range r, branches& mine) {
    if (!r.divisible()) return leaf(r, mine);
    stolen_range<range, value, tree> right(all_, *this, r.split());
    mine.put_aside(right);
    std::optional<value> left;
    try {
      left.emplace((*this)(std::move(r), mine));
    } catch (...) {
      static_cast<void>(mine.reclaim(right, true));
      throw;
    }
    if (!mine.reclaim(right)) return combine(*left, right.result(), right.what);
    return combine(*left, mine.in_place(right, [&] { return (*this)(right.what, mine); }), right.what);
  }

 private:
  static constexpr bool does_items = [] {
    if constexpr (requires { Body::does_items; }) return Body::does_items;
    return true;
  }();

  /// What this throws comes before all that follows `right`.
  value combine(value& left, value&& made, const range& right) {
    try {
      return body_.combine(std::move(left), std::move(made));
    } catch (...) {
      all_.end_at(right.position());
      throw;
    }
  }

  /// Thrown where no exception is seen: one from before this position is rethrown instead.
  struct left_out {};

  value leaf(const range& r, branches& mine) {
    if (all_.is_over(r.position())) throw left_out();
    try {
      all_.begin_chunk();
      value made = body_.leaf(r);
      mine.end_chunk(r.size(), does_items);
      return made;
    } catch (...) {
      all_.end_at(r.position());
      throw;
    }
  }

  control& all_;
  Body& body_;
};

}  // namespace licit::inline v0::detail

#endif
