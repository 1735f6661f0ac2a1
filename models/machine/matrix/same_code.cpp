#include "machine/matrix/same_code.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "machine/arm/execution.hpp"
#include "machine/binary/client.hpp"
#include "machine/codegen/listing.hpp"
#include "machine/codegen/process.hpp"
#include "machine/codegen/target.hpp"
#include "machine/matrix/results.hpp"
#include "machine/matrix/rows.hpp"

namespace licit::matrix {

namespace {

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

/// The row's changes as compared.cpp takes them.
std::string constants_of(const row& r) {
  constexpr std::array hows{std::pair{suites::change::weaken, "weaken"}, std::pair{suites::change::drop, "drop"},
                            std::pair{suites::change::drop_first, "drop_first"},
                            std::pair{suites::change::blind_store, "blind_store"},
                            std::pair{suites::change::symmetric, "symmetric"}};
  std::string all;
  for (const suites::mutation& m : r.changes) {
    const auto* const how = std::ranges::find(hows, m.how, [](const auto& h) { return h.first; });
    all += fmt::format("{}{{\"{}\",change::{},licit::order::{},licit::order::{}}}", all.empty() ? "" : ",", m.site,
                       how->second, licit::detail::name(m.success), licit::detail::name(m.failure));
  }
  return all;
}

/// The structure's client programs with that code, on the way of the row through the model.
std::vector<codegen::function> compile_programs(const row& r, const std::string& code, const codegen::compiler& by) {
  const std::string models = LICIT_MODELS;
  const codegen::scratch place;
  const std::string object = (place / "compared.o").string();
  std::vector<std::string> compile = by.command;
  // Functions of one code stay apart: which of them is the other's name depends on all.
  if (by.name == "g++") compile.emplace_back("-fno-ipa-icf");
  compile.insert(compile.end(),
                 {"-std=c++20", "-O2", "-I" + models, "-I" + models + "/checker/include",
                  fmt::format("-DLICIT_HEADER=<suites/{}>", suite_of(r.structure).filename().string()),
                  "-DLICIT_SUITE=licit::suites::" + suite_name(r.structure), "-DLICIT_ROW=" + constants_of(r),
                  "-DLICIT_CODE=" + code, "-c", models + "/machine/stress/compared.cpp", "-o", object});
  std::ranges::move(codegen::include_flags(codegen::headers_of_this_build()), std::back_inserter(compile));
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
    return by_function(compile_programs(r, constants_of(r), by)) == by_function(compile_programs(r, "", by));
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
      return text_of(
          codegen::disassemble_operations(*s, by, codegen::headers_of_this_build(), {"-DLICIT_CHANGES=" + with}));
    };
    return made("") == made(*changes);
  } catch (const codegen::missing&) {
    return std::nullopt;
  }
}

std::optional<std::vector<codegen::change>> changes_of(const codegen::structure& s, const row& r) {
  std::vector<codegen::change> all;
  for (const suites::mutation& m : r.changes) {
    const auto found = std::ranges::find(s.rows, m.site, &licit::row::site);
    if (found == s.rows.end() || m.how != suites::change::weaken || m.failure != found->failure) return std::nullopt;
    all.push_back({static_cast<std::size_t>(found - s.rows.begin()), std::string(licit::detail::name(m.success))});
  }
  return all.empty() ? std::nullopt : std::optional(all);
}

namespace {

exploration explore(const binary::executable& on, std::uint64_t limit) {
  std::uint64_t executions = 0;
  unsigned count = 0;
  for (const binary::client& c : binary::clients()) {
    if (!binary::suits(c, on)) continue;
    const binary::verdict v = binary::run(c, on, {.executions = limit, .load_buffering = false});  // as the plugin
    if (!v.violation.empty()) return {fmt::format("its client {} is wrong: {}", c.name, v.violation), true};
    if (!v.counts.complete || v.counts.too_long != 0) return {};
    executions += v.counts.executions;
    ++count;
  }
  return {fmt::format("right in all {} executions of {} clients, load buffering apart", executions, count)};
}

}  // namespace

exploration explored_on_arm(const row& r, std::string_view target, std::uint64_t limit) {
  const auto known = codegen::structures();
  const auto s = std::ranges::find(known, r.structure, &codegen::structure::name);
  const auto* const t = std::ranges::find(codegen::targets, target, &codegen::target::name);
  if (s == known.end() || t == codegen::targets.end()) return {};
  const auto changes = changes_of(*s, r);
  if (!changes) return {};
  try {
    const codegen::compiler by = codegen::find_compiler("g++", *t);
    exploration e = explore(binary::build(*s, by, codegen::headers_of_this_build(), changes), limit);
    if (e.found.empty()) return e;
    e.found = fmt::format("{}: licit binary, {} by g++: {}",
                          e.wrong ? "the compiled operations are wrong" : "the compiled operations are right", target,
                          e.found.substr(0, e.found.find('\n')));
    return e;
  } catch (const codegen::missing&) {
    return {};
  } catch (const arm::refused&) {
    return {};
  }
}

namespace {

struct explored {
  std::uint64_t executions = 0;
  unsigned programs = 0;
  bool complete = true;
  std::string wrong = {};
  bool raced = false;
};

/// No machine knows of these: it shows them by a value that is wrong, or not at all.
bool is_race(checker::violation kind) {
  return kind == checker::violation::race || kind == checker::violation::use_after_free ||
         kind == checker::violation::bad_free;
}

explored explore(const row& r, std::uint64_t limit, checker::release_sequences sequences) {
  explored e;
  for (const suites::program* p : programs_of(r)) {
    const checker::verdict v = p->explore({.sequences = sequences, .max_executions = limit, .ghosts = false});
    e.executions += v.executions;
    ++e.programs;
    if (v.outcome == checker::outcome::limit) e.complete = false;
    if (v.outcome != checker::outcome::violation) continue;
    const bool raced = is_race(v.kind);
    if (!e.wrong.empty() && raced) continue;
    e.wrong = fmt::format("{}: {}: {}", p->about.name, name(v.kind), v.message);
    e.raced = raced;
    if (!raced) return e;
  }
  return e;
}

}  // namespace

without_language explored_without_language(const row& r, std::uint64_t limit) {
  const applied change(r);
  const auto right = [](const explored& e, std::string_view how) {
    return fmt::format("right {}: all {} executions of {} programs, by the exhaustive checker", how, e.executions,
                       e.programs);
  };
  const explored plain = explore(r, limit, checker::release_sequences::cxx20);
  if (plain.wrong.empty()) {
    return {.right = plain.complete ? right(plain, "without load buffering") : ""};
  }
  const explored older = explore(r, limit, checker::release_sequences::cxx11);
  if (!older.wrong.empty()) return {.wrong = older.wrong, .raced = older.raced && older.complete};
  if (!older.complete) return {};
  return {.right = right(older, "under C++11's release sequences and without load buffering")};
}

}  // namespace licit::matrix
