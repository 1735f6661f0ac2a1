/// Models whose queues count otherwise than in 64 bits: what an index must not be.
#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_NARROW_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_NARROW_HPP

#include <cstddef>
#include <cstdint>

namespace licit::models::on_run_queue {

/// An index of so many bits. Differences are signed, as those of the queue's own indices.
template <unsigned Bits>
struct short_index {
  static constexpr std::size_t mask = (std::size_t{1} << Bits) - 1;
  static constexpr std::int64_t half = std::int64_t{1} << (Bits - 1);

  std::uint8_t bits;  // all public and trivial, as an atomic asks for

  static constexpr short_index of(std::size_t number) { return {static_cast<std::uint8_t>(number & mask)}; }
  friend constexpr short_index operator+(short_index i, std::size_t n) { return of(i.bits + n); }
  friend constexpr short_index operator-(short_index i, std::size_t n) { return of(i.bits - n); }
  friend constexpr std::int64_t operator-(short_index a, short_index b) {
    const auto apart = static_cast<std::int64_t>((std::size_t{a.bits} - b.bits) & mask);
    return apart < half ? apart : apart - 2 * half;
  }
  friend constexpr bool operator==(short_index, short_index) = default;
  explicit constexpr operator std::size_t() const { return bits; }
};

template <class Model, unsigned Bits>
struct narrow : Model {
  using position = short_index<Bits>;
};

/// Differences that are not signed: a head that is newer than the tail gives very many items.
template <class Model>
struct unsigned_differences : Model {
  using position = std::uint32_t;
};

}  // namespace licit::models::on_run_queue

#endif
