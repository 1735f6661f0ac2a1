#include <cstring>
#include <elf.h>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include <licit/deque/version.hpp>

#include "machine/binary/client.hpp"
#include "machine/codegen/process.hpp"
#include "machine/codegen/target.hpp"

namespace licit::binary {

namespace {

/// A file's bytes, read as the structures of elf.h, with its name for errors.
class image {
 public:
  explicit image(const std::filesystem::path& file) : name_(file.string()) {
    std::ifstream in(file, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
    if (!in) throw std::runtime_error(name_ + ": cannot read");
  }

  template <class T>
  [[nodiscard]] T read(std::uint64_t offset) const {
    const std::string_view bytes = part(offset, sizeof(T));
    T all;
    std::memcpy(&all, bytes.data(), bytes.size());
    return all;
  }
  [[nodiscard]] std::string_view part(std::uint64_t offset, std::uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) throw wrong("ends early");
    return std::string_view(bytes_).substr(offset, size);
  }
  [[nodiscard]] std::string text(std::uint64_t offset) const {
    const std::string_view rest = part(offset, bytes_.size() - offset);
    return std::string(rest.substr(0, rest.find('\0')));
  }
  [[nodiscard]] std::runtime_error wrong(const char* what) const { return std::runtime_error(name_ + ": " + what); }

 private:
  std::string name_;
  std::string bytes_;
};

void load_segments(const image& file, const Elf64_Ehdr& header, arm::memory& to) {
  for (unsigned k = 0; k != header.e_phnum; ++k) {
    const auto s = file.read<Elf64_Phdr>(header.e_phoff + k * sizeof(Elf64_Phdr));
    if (s.p_type == PT_GNU_RELRO) to.make_constant(s.p_vaddr, s.p_memsz);
    if (s.p_type != PT_LOAD) continue;
    std::uint64_t at = s.p_vaddr;
    for (const char c : file.part(s.p_offset, s.p_filesz)) to.write(at++, 1, static_cast<unsigned char>(c));
    if ((s.p_flags & PF_W) == 0) to.make_constant(s.p_vaddr, s.p_memsz);
  }
}

void read_symbols(const image& file, const Elf64_Ehdr& header, executable& to) {
  const auto section = [&](unsigned k) { return file.read<Elf64_Shdr>(header.e_shoff + k * sizeof(Elf64_Shdr)); };
  for (unsigned k = 0; k != header.e_shnum; ++k) {
    const Elf64_Shdr table = section(k);
    if (table.sh_type != SHT_SYMTAB) continue;
    const Elf64_Shdr names = section(table.sh_link);
    for (std::uint64_t at = 0; at != table.sh_size; at += sizeof(Elf64_Sym)) {
      const auto s = file.read<Elf64_Sym>(table.sh_offset + at);
      const unsigned type = ELF64_ST_TYPE(s.st_info);
      if (type != STT_FUNC && type != STT_OBJECT) continue;
      to.symbols[file.text(names.sh_offset + s.st_name)] = {s.st_value, s.st_size, type == STT_FUNC};
    }
  }
}

}  // namespace

const symbol& executable::at(std::string_view name) const {
  const auto found = symbols.find(name);
  if (found == symbols.end()) throw std::runtime_error(fmt::format("the executable has no symbol {}", name));
  return found->second;
}

std::string executable::code() const {
  std::string all;
  for (const auto& [name, s] : symbols) {
    if (!s.is_function || (name.find("licit") == std::string::npos && name.find("looked_at") == std::string::npos)) {
      continue;
    }
    all += fmt::format("{} {:#x}:", name, s.address);
    for (std::uint64_t at = 0; at < s.size; at += 4) all += fmt::format(" {:08x}", memory.read(s.address + at, 4));
    all += '\n';
  }
  return all;
}

std::string executable::place(std::uint64_t address) const {
  for (const auto& [name, s] : symbols) {
    if (address >= s.address && address < s.address + s.size) return fmt::format("{}+{:#x}", name, address - s.address);
  }
  return fmt::format("{:#x}", address);
}

executable read_executable(const std::filesystem::path& path) {
  const image file(path);
  const auto header = file.read<Elf64_Ehdr>(0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) {
    throw file.wrong("is no 64-bit ELF file");
  }
  if (header.e_machine != EM_AARCH64 || header.e_type != ET_EXEC) {
    throw file.wrong("is no AArch64 executable at fixed addresses (link it -static -no-pie)");
  }
  executable all;
  load_segments(file, header, all.memory);
  read_symbols(file, header, all);
  if (all.symbols.empty()) throw file.wrong("has no symbols");
  return all;
}

executable build(const codegen::structure& s, const codegen::compiler& by, std::string_view headers,
                 const std::optional<std::vector<codegen::change>>& changes) {
  const codegen::scratch place;
  const std::string source = (place / "client.cpp").string();
  const std::string made = (place / "client").string();
  if (!(std::ofstream(source) << codegen::operations_source << client_source).flush()) {
    throw std::runtime_error("cannot write " + source);
  }
  std::vector<std::string> compile = by.command;
  std::ranges::copy(std::vector<std::string>{"-std=c++20", "-O2", "-static", "-no-pie", source, "-o", made,
                                             fmt::format("-DLICIT_VERSION=\"{}\"", header_version)},
                    std::back_inserter(compile));
  std::ranges::move(codegen::include_flags(headers), std::back_inserter(compile));
  std::ranges::copy(s.definitions(), std::back_inserter(compile));
  if (changes) {
    std::string changed = "-DLICIT_CHANGES=";
    for (const codegen::change& c : *changes) changed += fmt::format("{{{}, change::{}}},", c.row, c.how);
    compile.push_back(changed);
  }
  const codegen::finished compiled = codegen::run(compile);
  if (compiled.status != 0) throw std::runtime_error(codegen::shown(compile) + " failed:\n" + compiled.output);
  return read_executable(made);
}

namespace {

/// One step down, whatever the operation.
std::vector<order> below(order o) {
  switch (o) {
    case order::seq_cst: return {order::acq_rel};
    case order::acq_rel: return {order::acquire, order::release};
    case order::acquire:
    case order::release: return {order::relaxed};
    case order::relaxed: break;
  }
  return {};
}

bool lawful_with(row r, order o) {
  r.success = o;
  return detail::lawful(r);
}

/// The weaker orders that the operation can have, the next ones first; then relaxed.
std::vector<order> weaker(const row& r) {
  std::vector<order> all;
  std::vector<order> level = below(r.success);
  while (!level.empty() && all.empty()) {
    std::vector<order> next;
    for (const order o : level) {
      if (lawful_with(r, o)) all.push_back(o);
      for (const order lower : below(o)) next.push_back(lower);
    }
    level = next;
  }
  if (!all.empty() && all.front() != order::relaxed) all.push_back(order::relaxed);
  return all;
}

}  // namespace

std::vector<codegen::change> weakenings(const codegen::structure& s) {
  std::vector<codegen::change> all;
  for (std::size_t k = 0; k != s.rows.size(); ++k) {
    for (const order o : weaker(s.rows[k])) {
      const bool seen = !all.empty() && all.back().row == k && all.back().how == detail::name(o);
      if (!seen) all.push_back({k, std::string(detail::name(o))});
    }
  }
  return all;
}

}  // namespace licit::binary
