/// Where in the sources an instruction comes from, for histories.
#ifndef LICIT_MODELS_QEMU_SOURCE_LINES_HPP
#define LICIT_MODELS_QEMU_SOURCE_LINES_HPP

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace licit::qemu {

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
