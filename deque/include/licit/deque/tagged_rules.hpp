/// The arithmetic of the tagged deque: how index and tag share a word, what a thief may take, and what the owner may
/// take without changing `top`.
#ifndef LICIT_DEQUE_TAGGED_RULES_HPP
#define LICIT_DEQUE_TAGGED_RULES_HPP

#include <algorithm>
#include <cstdint>

#include <licit/deque/ring.hpp>

namespace licit::inline v0 {

/// `top` as one number: the index above, the tag below. A claim raises the index and clears the tag, the owner raises
/// the tag, so the number only grows.
template <unsigned TagBits>
struct tagged_word {
  using index = detail::index;

  static constexpr std::uint64_t mask = (std::uint64_t{1} << TagBits) - 1;
  static constexpr std::uint64_t tag = std::min(mask, std::uint64_t{1});  ///< what raises it by one

  static constexpr index last =
      static_cast<index>(~std::uint64_t{0} >> std::max(TagBits, 1U));  ///< no push goes beyond

  static constexpr std::uint64_t of(index i) { return static_cast<std::uint64_t>(i) << TagBits; }
  static constexpr index index_of(std::uint64_t word) { return static_cast<index>(word >> TagBits); }
  static constexpr bool exhausted(std::uint64_t word) { return mask != 0 && (word & mask) == mask; }
};

/// What a thief sees: `top`, the index of the oldest item, and how many there are.
struct tagged_sight {
  std::uint64_t top;
  detail::index oldest;
  detail::index size;
};

/// What a tagged deque decides apart from memory orders. A policy may replace it (rules.hpp).
struct tagged_rules {
  using index = detail::index;

  unsigned tag_bits = 8;
  index first = 0;                         ///< of a new deque's indices
  bool claims_before_it_publishes = true;  ///< a thief of half

  /// How many of so many items a thief may take by one claim: half, rounded up.
  static constexpr index share(index size) { return size - size / 2; }

  /// The first item b that no thief that sees a bottom up to `high` can reach from index t: t + share(high - t) <= b,
  /// that is b - t >= high - b.
  static constexpr index first_free(index t, index high) { return t + share(high - t); }

  /// Whether to remember a bottom as the highest.
  static constexpr bool is_higher(index bottom, index high) { return bottom > high; }
};

}  // namespace licit::inline v0

#endif
