#include "source_lines.hpp"

#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <string_view>

namespace licit::qemu {

namespace {

// What the command prints; nothing when it cannot be run.
std::string output_of(const std::string& command) {
  std::string result;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe{popen(command.c_str(), "r"), &pclose};
  if (pipe == nullptr) return result;
  std::array<char, 4096> part{};
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe.get())) result.append(part.data(), n);
  return result;
}

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string line_of(const std::string& file, unsigned long number) {
  std::ifstream in(file);
  std::string line;
  for (unsigned long i = 0; i != number; ++i) {
    if (!std::getline(in, line)) return {};
  }
  return line;
}

// The sites that a line of source names, of which it is one; empty if it names none.
std::string sites_in(const std::string& line) {
  constexpr std::string_view begin = "at<\"";
  std::string result;
  for (std::size_t at = line.find(begin); at != std::string::npos; at = line.find(begin, at + 1)) {
    const std::size_t name = at + begin.size();
    result += (result.empty() ? "" : " or ") + line.substr(name, line.find('"', name) - name);
  }
  return result;
}

// A frame as addr2line prints it: "/path/file.hpp:12", perhaps " (discriminator 3)" behind it. Sites, or the file's
// name with the line; empty if it is not known, or of a library or a policy: then who uses that is asked for.
std::string name_of(std::string_view frame, bool& is_site) {
  const std::size_t colon = frame.rfind(':');
  if (colon == std::string_view::npos || frame.starts_with("??")) return {};
  const std::string file(frame.substr(0, colon));
  const unsigned long number = std::strtoul(std::string(frame.substr(colon + 1)).c_str(), nullptr, 10);
  if (number == 0) return {};
  if (file.starts_with("/usr/") || file.ends_with("/native.hpp")) return {};
  const std::string site = sites_in(line_of(file, number));
  is_site = !site.empty();
  return is_site ? site : fmt::format("{}:{}", file.substr(file.rfind('/') + 1), number);
}

}  // namespace

source_lines::source_lines(const std::string& tool, const std::string& file, std::span<const std::uint64_t> addresses) {
  std::string command = fmt::format("{} -a -i -e {}", quoted(tool), quoted(file));
  for (const std::uint64_t address : addresses) command += fmt::format(" {:#x}", address);
  const std::string all = output_of(command + " 2>/dev/null");
  std::uint64_t address = 0;
  bool done = false;  // with this address: the innermost site counts, or else the innermost line
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('\n', at), all.size());
    const std::string line = all.substr(at, end - at);
    at = end + 1;
    if (line.starts_with("0x")) {
      address = std::strtoull(line.c_str(), nullptr, 16);
      done = false;
    } else if (!done) {
      std::string name = name_of(line, done);
      if (!name.empty() && (done || !names_.contains(address))) names_[address] = std::move(name);
    }
  }
}

std::string source_lines::name(std::uint64_t address) const {
  const auto found = names_.find(address);
  return found == names_.end() ? std::string() : found->second;
}

}  // namespace licit::qemu
