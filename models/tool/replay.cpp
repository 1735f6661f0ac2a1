#include "replay.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <stdexcept>

#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/version.hpp>

#include "catalogue.hpp"
#include "programs/chase_lev/mutants.hpp"
#include "trace_file.hpp"
#include "verify.hpp"

namespace licit::tool {

namespace {

using table = models::live_orders<chase_lev_orders>;

const models::program& program_of(const trace_file& t, const std::string& file) {
  const auto all = models::programs();
  const auto found = std::ranges::find(all, t.program, [](const models::program& p) { return p.about.name; });
  if (found == all.end()) throw std::runtime_error(fmt::format("{}: there is no program '{}'", file, t.program));
  return *found;
}

void break_by(const trace_file& t, const std::string& file) {
  if (t.mutant.empty()) return;
  for (const models::mutant& m : models::chase_lev_mutants) {
    if (m.name == t.mutant) return table::apply(m.what);
  }
  throw std::runtime_error(fmt::format("{}: there is no mutant '{}'", file, t.mutant));
}

}  // namespace

int replay(const std::string& file) {
  const trace_file t = read_trace(file);
  const models::program& p = program_of(t, file);
  break_by(t, file);
  checker::options o = t.how;
  o.how = checker::mode::replay;
  o.sample.steps = &t.steps;
  const checker::verdict v = p.explore(o);
  table::reset();

  fmt::print("{}{}, {} steps, found by: {}\n", t.program, t.mutant.empty() ? "" : " with '" + t.mutant + "'",
             t.steps.steps.size(), t.found);
  fmt::print("recorded: {}: {}\n", t.kind, t.message);
  if (v.end == checker::ending::ok) {
    fmt::print("replayed: no violation\n");
    return as_expected;
  }
  if (v.kind == checker::violation::unlike_record) {
    fmt::print(stderr, "{}: {}\n  the file is spoilt, or the program is no longer what was recorded", file, v.message);
    const std::string version(library_version());
    fmt::print(stderr, "{}\n", t.version == version ? "" : fmt::format(" (by {}; this is {})", t.version, version));
    return bad_usage;
  }
  fmt::print("replayed: {}: {}\n\n{}\n  {}\n", name(v.kind), v.message, v.trace, v.message);
  if (v.message != t.message) fmt::print("  which is another violation than was recorded\n");
  return violated;
}

}  // namespace licit::tool
