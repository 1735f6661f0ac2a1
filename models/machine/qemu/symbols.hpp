/// Names of the guest's functions, from its executable.
#ifndef LICIT_MODELS_QEMU_SYMBOLS_HPP
#define LICIT_MODELS_QEMU_SYMBOLS_HPP

#include <cstdint>
#include <map>
#include <string>

namespace licit::qemu {

class symbols {
 public:
  /// Reads the symbol table of a 64-bit ELF file that was loaded with its lowest address at `loaded`. A file that is no
  /// such file, or is stripped, has no names.
  symbols(const std::string& file, std::uint64_t loaded);

  /// "function+0x1c", demangled; the bare number if no function is there.
  [[nodiscard]] std::string name(std::uint64_t pc) const;

 private:
  struct function {
    std::uint64_t size;
    std::string name;
  };
  std::map<std::uint64_t, function> functions_;  // by their first address
};

}  // namespace licit::qemu

#endif
