/// An AArch64 executable, as its file has it: what is in memory when it starts, and where its symbols are.
#ifndef LICIT_MODELS_BINARY_ELF_HPP
#define LICIT_MODELS_BINARY_ELF_HPP

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "machine/arm/machine.hpp"

namespace licit::binary {

struct symbol {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool is_function = false;
};

struct executable {
  arm::memory memory;                                  ///< what is not written, or only while it is loaded, is constant
  std::map<std::string, symbol, std::less<>> symbols;  ///< of functions and objects

  /// Throws std::runtime_error that names it when there is none.
  [[nodiscard]] const symbol& at(std::string_view name) const;
  /// The machine code of licit's functions, those whose symbols have that in them, and where it is.
  [[nodiscard]] std::string code() const;
  /// "licit_push+0x10": the function that has this address, or the address.
  [[nodiscard]] std::string place(std::uint64_t address) const;
};

/// A statically linked executable at fixed addresses. Throws std::runtime_error that names the file and what is wrong:
/// not to be read, no such executable, no symbols.
executable read_executable(const std::filesystem::path& path);

}  // namespace licit::binary

#endif
