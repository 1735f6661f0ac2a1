/// The word of a split deque: the beginning and the length of its public part, and a tag that counts reclaims.
#ifndef LICIT_DEQUE_SPLIT_WORD_HPP
#define LICIT_DEQUE_SPLIT_WORD_HPP

#include <cstdint>

#include <licit/deque/ring.hpp>
#include <licit/deque/rules.hpp>

namespace licit::inline v0 {

/// What a split deque decides apart from memory orders. A policy may replace it (rules.hpp).
struct split_rules {
  using index = detail::index;

  unsigned tag_bits = 6;
  unsigned count_bits = 10;
  index first = 0;           ///< of a new deque's indices
  bool renumbers = true;     ///< the tag never goes round: after its last value the indices begin elsewhere
  bool clears_first = true;  ///< a request, before the items that answer it become public
};

/// 64 bits: `top` in the high ones, then a tag, then the number of public items. Every change makes the word larger as
/// a number: a claim adds to top, a reclaim to the tag, a publication to the count. So it does not return to a value
/// that a slow thief may hold until top wraps (48 bits unless a policy changes that: after 2^48 stolen items).
template <class Policy>
class split_word {
  using index = detail::index;
  static constexpr auto rules = rules_of<split_rules, Policy>();

 public:
  using bits = std::uint64_t;

  static constexpr unsigned tag_bits = rules.tag_bits;
  static constexpr unsigned count_bits = rules.count_bits;
  static constexpr unsigned top_bits = 64 - tag_bits - count_bits;

  static constexpr bits most_public = (bits{1} << count_bits) - 1;
  static constexpr bits last_tag = (bits{1} << tag_bits) - 1;

  static constexpr index first = rules.first;
  static constexpr bool renumbers = rules.renumbers;

  constexpr explicit split_word(bits value) : value_{value} {}
  static constexpr split_word of(index top, bits tag, bits count) {
    return split_word((static_cast<bits>(top) << (tag_bits + count_bits)) | ((tag & last_tag) << count_bits) | count);
  }

  [[nodiscard]] constexpr bits value() const { return value_; }
  [[nodiscard]] constexpr bits count() const { return value_ & most_public; }
  [[nodiscard]] constexpr bits tag() const { return (value_ >> count_bits) & last_tag; }
  /// Modulo 2^top_bits: enough for the slot, and for the distance from another index.
  [[nodiscard]] constexpr index top() const { return static_cast<index>(value_ >> (tag_bits + count_bits)); }

  /// The word after a thief has claimed the oldest n.
  [[nodiscard]] constexpr split_word claimed(bits n) const { return of(top() + static_cast<index>(n), 0, count() - n); }
  /// The word after the owner has taken back the youngest n.
  [[nodiscard]] constexpr split_word reclaimed(bits n) const { return of(top(), tag() + 1, count() - n); }

  /// The number of items below `bottom`. Negative if bottom is older than the word.
  [[nodiscard]] constexpr index below(index bottom) const {
    constexpr unsigned unused = 64 - top_bits;
    return static_cast<index>(static_cast<bits>(bottom - top()) << unused) >> unused;
  }

 private:
  bits value_;
};

}  // namespace licit::inline v0

#endif
