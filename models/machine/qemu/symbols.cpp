#include "symbols.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

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

}  // namespace licit::qemu
