/// What A64 instructions compute: the registers of one thread.
///
/// Those that compilers make of integer code; others are refused. Memory is not here: the caller loads and stores.
#ifndef LICIT_MODELS_ARM_MACHINE_HPP
#define LICIT_MODELS_ARM_MACHINE_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "machine/arm/execution.hpp"
#include "machine/arm/instruction.hpp"

namespace licit::arm {

struct machine {
  std::array<std::uint64_t, 32> x{};  ///< and the stack pointer, 31
  std::array<std::array<std::uint64_t, 2>, 32> v{};
  bool negative = false, zero = false, carry = false, overflow = false;
  std::uint64_t pc = 0;

  /// Computes, or branches, and goes on. Throws refused, with the word and where it stands, for an instruction that it
  /// does not know. Barriers and hints do nothing here.
  void run(const instruction& i);

  [[nodiscard]] std::uint64_t address_of(const instruction& i) const {
    return i.effective_address(pc, [&](unsigned n) { return n == no_register ? 0 : x.at(n); });
  }
  /// What a store stores, element by element.
  [[nodiscard]] values stored(const instruction& i) const;
  /// Takes the elements that were loaded, writes back and goes on. Of an update or compare-and-swap the old value.
  void load(const instruction& i, std::uint64_t address, const values& elements);
  /// Writes back and goes on, after a store; of an exclusive one, whether it was made.
  void store(const instruction& i, std::uint64_t address, bool made = true);
  /// What an update or compare-and-swap writes that reads this; nothing if it does not compare equal.
  [[nodiscard]] std::optional<std::uint64_t> updated(const instruction& i, std::uint64_t read) const;

 private:
  [[nodiscard]] std::uint64_t general(unsigned n) const { return n == 31 ? 0 : x.at(n); }
  void set(unsigned n, std::uint64_t value, bool is_64);
  void write_back(const instruction& i, std::uint64_t address);
  [[noreturn]] void refuse(const instruction& i) const;
  [[nodiscard]] bool holds(unsigned condition) const;
  std::uint64_t sum(std::uint64_t a, std::uint64_t b, bool carry_in, bool is_64, bool sets_flags);
  void logic_flags(std::uint64_t value, bool is_64);

  void branch(const instruction& i);
  void immediate(const instruction& i);
  void bitfield(const instruction& i);
  void logic_of_immediate(const instruction& i);
  void of_registers(const instruction& i);
  void logic(const instruction& i);
  void arithmetic(const instruction& i);
  void conditional_compare(const instruction& i);
  void select(const instruction& i);
  void of_one_or_two(const instruction& i);
  void of_three(const instruction& i);
  void vector(const instruction& i);
};

/// Little-endian; zero where nothing was written.
class memory {
 public:
  [[nodiscard]] std::uint64_t read(std::uint64_t address, unsigned size) const {
    std::uint64_t value = 0;
    for (unsigned k = 0; k != size; ++k) value |= std::uint64_t{byte(address + k)} << (8 * k);
    return value;
  }
  void write(std::uint64_t address, unsigned size, std::uint64_t value) {
    for (unsigned k = 0; k != size; ++k) {
      pages_[(address + k) / page][(address + k) % page] = static_cast<std::uint8_t>(value >> (8 * k));
    }
  }

  /// Nobody writes there.
  void make_constant(std::uint64_t from, std::uint64_t bytes) { constants_.push_back({from, from + bytes}); }
  [[nodiscard]] bool is_constant(std::uint64_t address) const {
    return std::ranges::any_of(constants_, [&](const range& r) { return address >= r.from && address < r.to; });
  }

 private:
  static constexpr std::uint64_t page = 4096;
  struct range {
    std::uint64_t from, to;
  };

  [[nodiscard]] std::uint8_t byte(std::uint64_t address) const {
    const auto found = pages_.find(address / page);
    return found == pages_.end() ? 0 : found->second[address % page];
  }

  std::unordered_map<std::uint64_t, std::array<std::uint8_t, page>> pages_;
  std::vector<range> constants_;
};

}  // namespace licit::arm

#endif
