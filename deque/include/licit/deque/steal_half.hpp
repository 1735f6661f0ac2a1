/// Steal-half on the Chase-Lev deque: a thief takes several items, each by a claim of its own.
///
/// One compare-exchange of `top` cannot claim several items: the owner pops every item but the last without a claim, so
/// a claim of several may cover an item that the owner has taken (models/gallery shows the execution). So the thief
/// reads `bottom` again between two claims. The claim and that load are seq_cst, which orders them as a fence would: a
/// pop cannot slip in between unseen. If the owner's fence is light, each claim has a heavy fence instead.
///
/// The rows are in chase_lev_orders.hpp; the handles are in owner.hpp and stealer.hpp.
#ifndef LICIT_DEQUE_STEAL_HALF_HPP
#define LICIT_DEQUE_STEAL_HALF_HPP

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>

#include <licit/deque/chase_lev.hpp>
#include <licit/deque/rules.hpp>

namespace licit::inline v0 {

/// What a theft does before each claim but the first.
struct steal_half_rules {
  bool looks_again = true;  ///< at the victim's bottom: its owner may have popped the item
  bool makes_room = true;   ///< in the own deque, so that no claim is won in vain
};

namespace detail {

/// How many items a theft claims, and the claims one after the other. `Policy::halves` replaces it.
struct machine_halves {
  /// Half, rounded up, at most `most`, which is at least one.
  static index share(index items, std::size_t most) {
    const auto half = static_cast<std::size_t>(items) - static_cast<std::size_t>(items) / 2;
    return static_cast<index>(std::clamp<std::size_t>(most, 1, half));
  }
  /// As long as `claim(i)` is true.
  template <class Claim>
  [[gnu::always_inline]] static void each(index first, index last, Claim&& claim) {
    for (index i = first; i != last && claim(i); ++i) {
    }
  }
};

template <class Policy>
struct halves_by : std::type_identity<machine_halves> {};
template <class Policy>
  requires requires { typename Policy::halves; }
struct halves_by<Policy> : std::type_identity<typename Policy::halves> {};

/// `Own`: the thief's own deque, or what a proof puts in its place.
template <class T, class Policy, class Own = chase_lev<T, Policy>>
class half_thief {
  template <fixed_string Name>
  static constexpr auto at = site_of<chase_lev_orders, Name>;

 public:
  using deque = chase_lev<T, Policy>;
  using index = typename addressing<T, Policy>::index;

  half_thief(deque& victim, Own& own) : victim_{victim}, own_{own} {}

  stolen<T> steal(std::size_t most) {
    const index t = victim_.top_.load(at<"half.top">);
    Policy::fence(at<"half.fence">);  // with pop.fence
    const index b = victim_.bottom_.load(at<"half.bottom">);
    if (t >= b) return stolen<T>::empty();
    const index end = t + halves::share(b - t, most);
    const std::optional<T> first = claim(t);
    if (!first) return stolen<T>::lost();
    std::size_t moved = 0;
    halves::each(t + 1, end, [&](index i) {
      if (!bring_home(i)) return false;
      ++moved;
      return true;
    });
    return stolen<T>::taken(*first, moved);
  }

  /// For light owner fences: every claim is a steal, whose heavy fence separates it from the claim before.
  stolen<T> steal_singly(std::size_t most) {
    const std::size_t seen = victim_.size();
    const stolen<T> first = victim_.steal();
    if (!first) return first;
    const index share = halves::share(static_cast<index>(std::max<std::size_t>(seen, 1)), most);
    std::size_t moved = 0;
    while (static_cast<index>(moved) + 1 < share && own_.make_room_for_one()) {
      const stolen<T> next = victim_.steal();
      if (!next) break;
      own_.push(*next);
      ++moved;
    }
    return stolen<T>::taken(*first, moved);
  }

 private:
  using halves = typename halves_by<Policy>::type;
  static constexpr auto rules = rules_of<steal_half_rules, Policy>();

  /// Takes one more item, if the own deque has room. It makes that room first, so no claim is won in vain.
  bool bring_home(index t) {
    if (rules.makes_room && !own_.make_room_for_one()) return false;
    if (rules.looks_again && t >= victim_.bottom_.load(at<"half.again">)) return false;  // with pop.fence
    const std::optional<T> item = claim(t);
    if (item) own_.push(*item);
    return item.has_value();
  }

  std::optional<T> claim(index t) {
    const T guess = victim_.ring_.load(at<"half.ring">)->slot(t).load(at<"half.item">);
    if (!victim_.top_.compare_exchange(t, t + 1, at<"half.claim">)) return std::nullopt;  // read by push.room, pop.top
    return guess;
  }

  deque& victim_;
  Own& own_;
};

/// As steal_half below. A proof has something else for the thief's own deque.
template <class T, class Policy, class Own>
stolen<T> steal_half_into(chase_lev<T, Policy>& victim, Own& own, std::size_t most) {
  if (most == 0) return stolen<T>::empty();
  half_thief<T, Policy, Own> thief(victim, own);
  if constexpr (Policy::asymmetric) {
    return thief.steal_singly(most);
  } else {
    return thief.steal(most);
  }
}

}  // namespace detail

/// The thread that owns `own`, which must be another deque than `victim`. Takes half of the items that it sees, rounded
/// up, at most `most`, the oldest first. Returns the oldest and pushes the others to `own` in the order of their push.
/// Stops early when another thread claims an item meanwhile, when the victim is empty, and when `own` is full and
/// cannot grow. It makes room before each claim, so it loses nothing and throws nothing.
///
/// `empty` and `lost` refer to the first item, as for `steal`. With `most` 0 it takes nothing: it reports `empty` and
/// accesses neither deque. Wait-free apart from the growth of `own`: at most `most`
/// claims of O(1) each. On x86 a claim costs a locked instruction, and the theft one fence (with asymmetric fences a
/// heavy one a claim).
template <class T, class Policy>
stolen<T> steal_half(chase_lev<T, Policy>& victim, chase_lev<T, Policy>& own, std::size_t most = most_at_once) {
  return detail::steal_half_into(victim, own, most);
}

}  // namespace licit::inline v0

#endif
