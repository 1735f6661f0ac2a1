/// The fields of an A64 word, and an instruction begun from them: for `decode`, and for the machine that runs them.
#ifndef LICIT_MODELS_ARM_ENCODING_HPP
#define LICIT_MODELS_ARM_ENCODING_HPP

#include <cstdint>
#include <optional>

#include "machine/arm/instruction.hpp"

namespace licit::arm::encoding {

/// The bits of a word from `high` down to `low`.
constexpr std::uint32_t bits(std::uint32_t word, unsigned high, unsigned low) {
  return (word >> low) & static_cast<std::uint32_t>((std::uint64_t{1} << (high - low + 1)) - 1);
}

constexpr bool bit(std::uint32_t word, unsigned place) { return ((word >> place) & 1) != 0; }

constexpr std::int64_t signed_bits(std::uint32_t word, unsigned high, unsigned low) {
  const unsigned unused = 64 - (high - low + 1);
  return static_cast<std::int64_t>(std::uint64_t{bits(word, high, low)} << unused) >> unused;
}

// Register 31 is the zero register, or the stack pointer.
constexpr registers general(std::uint32_t number) { return number == 31 ? 0 : registers{1} << number; }
constexpr registers or_stack(std::uint32_t number) { return registers{1} << number; }
constexpr registers vector(std::uint32_t number) { return registers{1} << (first_vector + number % 32); }
constexpr std::uint8_t general_number(std::uint32_t number) {
  return number == 31 ? no_register : static_cast<std::uint8_t>(number);
}

constexpr std::uint32_t rd(std::uint32_t w) { return bits(w, 4, 0); }
constexpr std::uint32_t rn(std::uint32_t w) { return bits(w, 9, 5); }
constexpr std::uint32_t ra(std::uint32_t w) { return bits(w, 14, 10); }
constexpr std::uint32_t rm(std::uint32_t w) { return bits(w, 20, 16); }

/// Nothing: the word is not understood.
using result = std::optional<instruction>;

inline instruction of(std::uint32_t word, kind k) {
  instruction i;
  i.word = word;
  i.kind = k;
  return i;
}

inline instruction computes(std::uint32_t word, registers reads, registers writes) {
  instruction i = of(word, kind::other);
  i.reads = reads;
  i.writes = writes;
  return i;
}

inline instruction with_flags(instruction i, bool reads, bool writes) {
  i.reads_flags = reads;
  i.writes_flags = writes;
  return i;
}

/// Of a word in the group of loads and stores: memory_instruction.cpp. Never fails.
result decode_memory(std::uint32_t w);

}  // namespace licit::arm::encoding

#endif
