#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "machine/qemu/history.hpp"

namespace licit::qemu {

namespace {

using bytes = std::vector<char>;

// A table of T at that place; nothing if the file is shorter.
template <class T>
std::vector<T> table(const bytes& file, std::uint64_t offset, std::uint64_t count) {
  if (offset > file.size() || count > (file.size() - offset) / sizeof(T)) return {};
  std::vector<T> result(count);
  std::memcpy(result.data(), file.data() + offset, count * sizeof(T));
  return result;
}

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text{abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free};
  return status == 0 ? text.get() : name;
}

// Without its arguments and template arguments, which fill a line.
std::string shortened(std::string name) {
  constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at = name.find(unnamed); at != std::string::npos; at = name.find(unnamed))
    name.erase(at, unnamed.size());
  std::string result;
  int depth = 0;
  for (const char c : name) {
    if (c == '(' && depth == 0 && !result.empty()) break;
    if (c == '<') ++depth;
    if (depth == 0) result += c;
    if (c == '>') --depth;
  }
  const std::size_t space = result.rfind(' ');  // a return type before it
  return space == std::string::npos || space + 1 == result.size() ? result : result.substr(space + 1);
}

std::uint64_t lowest(const bytes& file, const Elf64_Ehdr& header) {
  std::uint64_t result = UINT64_MAX;
  for (const auto& part : table<Elf64_Phdr>(file, header.e_phoff, header.e_phnum)) {
    if (part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0U) result = std::min<std::uint64_t>(result, part.p_vaddr);
  }
  return result;
}

}  // namespace

symbols::symbols(const std::string& file, std::uint64_t loaded) {
  std::ifstream in(file, std::ios::binary);
  const bytes content{std::istreambuf_iterator<char>(in), {}};
  const auto header = table<Elf64_Ehdr>(content, 0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return;
  const std::uint64_t moved = header[0].e_type == ET_DYN ? loaded - lowest(content, header[0]) : 0;
  const auto sections = table<Elf64_Shdr>(content, header[0].e_shoff, header[0].e_shnum);
  for (const auto& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const std::uint64_t names = sections[section.sh_link].sh_offset;
    for (const auto& s : table<Elf64_Sym>(content, section.sh_offset, section.sh_size / sizeof(Elf64_Sym))) {
      if (ELF64_ST_TYPE(s.st_info) != STT_FUNC || names + s.st_name >= content.size()) continue;
      functions_[s.st_value + moved] = {s.st_size, shortened(demangled(content.data() + names + s.st_name))};
    }
  }
}

std::string symbols::name(std::uint64_t pc) const {
  char number[32];
  auto after = functions_.upper_bound(pc);
  if (after != functions_.begin()) {
    const auto& [begin, f] = *std::prev(after);
    if (pc - begin < std::max<std::uint64_t>(f.size, 4)) {
      std::snprintf(number, sizeof number, "+0x%llx", static_cast<unsigned long long>(pc - begin));
      return f.name + number;
    }
  }
  std::snprintf(number, sizeof number, "0x%llx", static_cast<unsigned long long>(pc));
  return number;
}

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
