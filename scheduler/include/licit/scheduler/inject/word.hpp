/// An end of the inject queue in one word: a segment, and how many of its tickets are out.
#ifndef LICIT_SCHEDULER_INJECT_WORD_HPP
#define LICIT_SCHEDULER_INJECT_WORD_HPP

#include <bit>
#include <cstddef>
#include <cstdint>

#include <licit/scheduler/inject/inject_queue_rules.hpp>

namespace licit::inline v0::detail {

/// From the high bits down: the segment's 48-bit address without the bits that its alignment makes zero; its number,
/// which wraps; tickets. So adding 1 takes a ticket.
template <class Policy>
class inject_word {
  static constexpr auto rules = rules_of<inject_queue_rules, Policy>();

 public:
  using bits = std::uint64_t;

  static constexpr unsigned ticket_bits = 14;
  static constexpr bits most_tickets = (bits{1} << ticket_bits) - 1;
  static constexpr unsigned address_bits = 48;

  constexpr inject_word() = default;
  explicit constexpr inject_word(bits b) : bits_{b} {}

  /// Precondition: the address fits.
  static inject_word of(const void* segment, bits number, std::size_t tickets) {
    const auto address = reinterpret_cast<std::uintptr_t>(segment);
    return inject_word{(address >> dropped) << address_at | (number & numbers) << number_at | tickets};
  }
  static bool fits(const void* segment) { return reinterpret_cast<std::uintptr_t>(segment) >> address_bits == 0; }

  [[nodiscard]] constexpr bits raw() const { return bits_; }
  /// Tickets that are out, those beyond the segment's cells included.
  [[nodiscard]] constexpr std::size_t tickets() const { return bits_ & most_tickets; }
  /// The segment's cells whose tickets are out.
  [[nodiscard]] constexpr std::size_t used() const { return tickets() < rules.cells ? tickets() : rules.cells; }
  [[nodiscard]] constexpr bits number() const { return bits_ >> number_at & numbers; }
  template <class Segment>
  [[nodiscard]] Segment* segment() const {
    return reinterpret_cast<Segment*>((bits_ >> address_at) << dropped);  // NOLINT: the address that `of` took
  }
  /// Whether both are in one segment; in one life of it only as far as the numbers tell.
  [[nodiscard]] constexpr bool same_segment(inject_word o) const { return (bits_ ^ o.bits_) >> number_at == 0; }
  /// By how many segments `o` is ahead.
  [[nodiscard]] constexpr std::int64_t segments_to(inject_word o) const {
    const bits apart = (o.number() - number()) & numbers;
    return apart <= numbers / 2 ? static_cast<std::int64_t>(apart)
                                : static_cast<std::int64_t>(apart) - static_cast<std::int64_t>(numbers) - 1;
  }
  /// The first word of the next segment.
  [[nodiscard]] inject_word followed_by(inject_word next, std::size_t tickets) const {
    return of(next.segment<const void>(), number() + 1, tickets);
  }

 private:
  static constexpr unsigned dropped = std::countr_zero(rules.alignment);
  static constexpr unsigned number_at = ticket_bits;
  static constexpr unsigned address_at = 64 - address_bits + dropped;
  static constexpr bits numbers = (bits{1} << rules.number_bits) - 1;
  static_assert(number_at + rules.number_bits <= address_at);
  static_assert(rules.cells <= most_tickets / 2, "half of the tickets are for threads that meet at a segment's end");

  bits bits_ = 0;
};

}  // namespace licit::inline v0::detail

#endif
