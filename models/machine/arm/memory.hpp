/// Bytes by address, and what is constant: what a program finds in memory before its threads start.
#ifndef LICIT_MODELS_ARM_MEMORY_HPP
#define LICIT_MODELS_ARM_MEMORY_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace licit::arm {

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
