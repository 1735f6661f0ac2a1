/// What threads did to shared memory, for a reader.
#ifndef LICIT_MODELS_QEMU_HISTORY_HPP
#define LICIT_MODELS_QEMU_HISTORY_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/arm/execution.hpp"
#include "machine/qemu/emulator.hpp"

namespace licit::qemu {

/// Names of the guest's functions, from its executable.
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

/// One access to shared memory, or a barrier.
struct deed {
  unsigned thread = 0;
  const located* at = nullptr;
  std::uint64_t address = 0;
  arm::values read{};
  arm::values written{};
  std::uint64_t caller = 0;  ///< what the link register said: an outlined atomic belongs to the line that calls it
  bool reads = false;
  bool writes = false;
  bool foretold = false;  ///< it read a store that came later
  bool stale = false;     ///< it read a value that was not the latest
  bool earlier = false;   ///< its store came before another in coherence
};

/// What histories call places of the region.
class places {
 public:
  void clear() { names_.clear(); }
  void name(std::uint64_t address, std::uint64_t bytes, std::string text);
  /// "bottom", "payload+0x4", or how far into the region.
  [[nodiscard]] std::string text(std::uint64_t address, std::uint64_t region) const;

 private:
  struct place {
    std::uint64_t bytes;
    std::string name;
  };
  std::map<std::uint64_t, place> names_;
};

/// The guest's executable, for the names of its code.
struct executable {
  std::string file;
  std::uint64_t loaded = 0;  ///< its lowest address
  std::string lines;         ///< the addr2line for it
};

/// A line for each, in the order in which they ran: thread, what, where in memory, values, and the site, source line or
/// function.
std::string to_text(const std::vector<deed>& deeds, const executable& guest, const places& names, std::uint64_t region);

}  // namespace licit::qemu

#endif
