#include "machine/matrix/same_code.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "machine/codegen/disassembly.hpp"
#include "machine/codegen/listing.hpp"
#include "machine/codegen/missing.hpp"
#include "machine/codegen/process.hpp"
#include "machine/codegen/structure.hpp"
#include "machine/codegen/target.hpp"
#include "machine/matrix/changes.hpp"

namespace licit::matrix {

namespace {

constexpr std::string_view correct_code = "correct code";  // the name of each structure's row without a change

/// As codegen/operations.cpp has it.
std::optional<std::string> text_of(const std::optional<std::vector<codegen::change>>& changes) {
  if (!changes) return std::nullopt;
  std::string all;
  for (const codegen::change& c : *changes) all += fmt::format("{{{}, change::{}}},", c.row, c.how);
  return all;
}

/// Of each function its instructions, and what they refer to.
std::vector<std::string> text_of(const std::vector<codegen::function>& functions) {
  std::vector<std::string> all;
  for (const codegen::function& f : functions) {
    all.push_back(f.name);
    for (const codegen::line& l : f.lines) all.push_back(l.text + " " + l.symbol);
  }
  return all;
}

/// The row's programs with the code of that row.
std::vector<codegen::function> compile_programs(const row& r, std::string_view code, const codegen::compiler& by) {
  std::string structure = r.structure;
  std::ranges::replace(structure, '-', '_');
  const codegen::scratch place;
  const std::string object = (place / "compared.o").string();
  std::vector<std::string> compile = by.command;
  // Functions of one code stay apart: which of them is the other's name depends on all.
  if (by.name == "g++") compile.emplace_back("-fno-ipa-icf");
  compile.insert(
      compile.end(),
      {"-std=c++20", "-O2", std::string("-I") + LICIT_MODELS, std::string("-I") + LICIT_HEADERS,
       fmt::format("-DLICIT_HEADER=\"stress/structures/{}.hpp\"", structure), "-DLICIT_STRUCTURE=" + structure,
       fmt::format("-DLICIT_PROGRAMS=\"{}\"", r.name), fmt::format("-DLICIT_CODE=\"{}\"", code), "-c",
       std::string(LICIT_MODELS) + "/stress/compared.cpp", "-o", object});
  const codegen::finished made = codegen::run(compile);
  if (made.status != 0) throw std::runtime_error(codegen::shown(compile) + " failed:\n" + made.output);
  const codegen::finished read = codegen::run({by.objdump, "-t", "-d", "-r", "--no-show-raw-insn", object});
  if (read.status != 0) throw std::runtime_error(by.objdump + " failed: " + read.output);
  return codegen::read_disassembly(read.output);
}

/// In an order of their own: a compiler's is not always the same.
std::vector<std::vector<std::string>> by_function(const std::vector<codegen::function>& functions) {
  std::vector<std::vector<std::string>> all;
  all.reserve(functions.size());
  for (const codegen::function& f : functions) all.push_back(text_of({f}));
  std::ranges::sort(all);
  return all;
}

}  // namespace

std::optional<bool> same_programs(const row& r, std::string_view target, std::string_view compiler) {
  const auto* const t = std::ranges::find(codegen::targets, target, &codegen::target::name);
  if (t == codegen::targets.end() || r.changes.empty()) return std::nullopt;
  try {
    const codegen::compiler by = codegen::find_compiler(compiler, *t);
    return by_function(compile_programs(r, r.name, by)) == by_function(compile_programs(r, correct_code, by));
  } catch (const codegen::missing&) {
    return std::nullopt;
  }
}

std::optional<bool> same_code(const row& r, std::string_view target, std::string_view compiler) {
  const auto known = codegen::structures();
  const auto s = std::ranges::find(known, r.structure, &codegen::structure::name);
  const auto* const t = std::ranges::find(codegen::targets, target, &codegen::target::name);
  if (s == known.end() || t == codegen::targets.end()) return std::nullopt;
  const auto changes = text_of(changes_of(*s, r));
  if (!changes) return std::nullopt;
  try {
    const codegen::compiler by = codegen::find_compiler(compiler, *t);
    const auto made = [&](const std::string& with) {
      return text_of(codegen::disassemble_operations(*s, by, LICIT_HEADERS, {"-DLICIT_CHANGES=" + with}));
    };
    return made("") == made(*changes);
  } catch (const codegen::missing&) {
    return std::nullopt;
  }
}

std::optional<bool> same_code_everywhere(const row& r) {
  for (const codegen::target& t : codegen::targets) {
    for (const std::string_view by : codegen::compilers) {
      const auto same = same_code(r, t.name, by);
      if (!same || !*same) return same;
    }
  }
  return true;
}

}  // namespace licit::matrix
