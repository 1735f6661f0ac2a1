/// Names of the guest's functions, from its executable.
#ifndef LICIT_MODELS_QEMU_SYMBOLS_HPP
#define LICIT_MODELS_QEMU_SYMBOLS_HPP

#include <cstdint>
#include <map>
#include <span>
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

/// What addr2line says of these addresses, asked once. A line of a file that names a site of an ordering table,
/// `at<"push.publish">`, is called by that name, whichever inlined function it stands in.
class source_lines {
 public:
  /// `tool` is the addr2line of the guest's machine. Without it, or without line numbers in the file, all are unknown.
  source_lines(const std::string& tool, const std::string& file, std::span<const std::uint64_t> addresses);

  /// A site's name (several, where one line has several), or "file.hpp:12"; empty if nothing is known.
  [[nodiscard]] std::string name(std::uint64_t address) const;

 private:
  std::map<std::uint64_t, std::string> names_;
};

}  // namespace licit::qemu

#endif
