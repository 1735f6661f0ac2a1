#include "matrix/same_code.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <string>
#include <vector>

#include "codegen/listing.hpp"
#include "codegen/missing.hpp"
#include "codegen/structure.hpp"
#include "codegen/target.hpp"

namespace licit::matrix {

namespace {

/// As codegen/operations.cpp has it; nothing where that cannot be said: it changes the order of success only.
std::optional<std::string> change_of(const codegen::structure& s, const models::mutation& m) {
  const auto found = std::ranges::find(s.rows, m.site, &licit::row::site);
  if (found == s.rows.end() || m.how != models::change::weaken || m.failure != found->failure) return std::nullopt;
  return fmt::format("{{{}, change::{}}},", found - s.rows.begin(), licit::name(m.success));
}

std::optional<std::string> changes_of(const codegen::structure& s, const row& r) {
  std::string all;
  for (const models::mutation& m : r.changes) {
    const auto one = change_of(s, m);
    if (!one) return std::nullopt;
    all += *one;
  }
  return all.empty() ? std::nullopt : std::optional(all);
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

}  // namespace

std::optional<bool> same_code(const row& r, std::string_view target, std::string_view compiler) {
  const auto known = codegen::structures();
  const auto s = std::ranges::find(known, r.structure, &codegen::structure::name);
  const auto* const t = std::ranges::find(codegen::targets, target, &codegen::target::name);
  if (s == known.end() || t == codegen::targets.end()) return std::nullopt;
  const auto changes = changes_of(*s, r);
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
