#include "machine/matrix/compiled.hpp"

#include <algorithm>
#include <fmt/core.h>

#include "machine/arm/execution.hpp"
#include "machine/binary/build.hpp"
#include "machine/binary/client.hpp"
#include "machine/codegen/missing.hpp"
#include "machine/codegen/structure.hpp"
#include "machine/codegen/target.hpp"
#include "machine/matrix/changes.hpp"

namespace licit::matrix {

namespace {

exploration explore(const binary::executable& on, std::uint64_t limit) {
  std::uint64_t executions = 0;
  unsigned count = 0;
  for (const binary::client& c : binary::clients()) {
    if (!binary::suits(c, on)) continue;
    const binary::verdict v = binary::run(c, on, {.executions = limit});
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
    exploration e = explore(binary::build(*s, by, LICIT_HEADERS, changes), limit);
    if (e.found.empty()) return e;
    e.found = fmt::format("licit binary, {} by g++: {}", target, e.found.substr(0, e.found.find('\n')));
    return e;
  } catch (const codegen::missing&) {
    return {};
  } catch (const arm::refused&) {
    return {};
  }
}

}  // namespace licit::matrix
