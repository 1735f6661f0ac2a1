#include <algorithm>
#include <fmt/core.h>
#include <stdexcept>

#include <licit/deque/version.hpp>

#include "arguments.hpp"
#include "report.hpp"
#include "suites/structure.hpp"
#include "trace_file.hpp"
#include "verify/inspection.hpp"

namespace licit::tool {

namespace {

const suites::structure& structure_of(const trace_file& t, const std::string& file) {
  const auto all = suites::structures();
  const auto found = std::ranges::find(all, t.structure, &suites::structure::name);
  if (found == all.end()) throw std::runtime_error(fmt::format("{}: there is no structure '{}'", file, t.structure));
  return *found;
}

suites::program program_of(const suites::structure& s, const trace_file& t, const std::string& file) {
  if (!t.line.empty()) return own_program(s, t.line);
  for (const auto* all : {&s.programs, &s.broken, &s.longer, &s.sampled}) {
    const auto found = std::ranges::find(*all, t.program, [](const suites::program& p) { return p.about.name; });
    if (found != all->end()) return *found;
  }
  throw std::runtime_error(fmt::format("{}: {} has no program '{}'", file, s.name, t.program));
}

void break_by(const suites::structure& s, const trace_file& t, const std::string& file) {
  if (t.mutant.empty()) return;
  for (const suites::mutant& m : s.mutants) {
    if (m.name == t.mutant) return s.apply(m.what);
  }
  throw std::runtime_error(fmt::format("{}: there is no mutant '{}'", file, t.mutant));
}

}  // namespace

int replay(const std::string& file) {
  const trace_file t = read_trace(file);
  const suites::structure& s = structure_of(t, file);
  const suites::program p = program_of(s, t, file);
  break_by(s, t, file);
  checker::options o = t.how;
  o.how = checker::mode::replay;
  o.sample.steps = &t.steps;
  const checker::verdict v = p.explore(o);
  s.reset();

  fmt::print("{}: {}{}, {} steps, found by: {}\n", t.structure, t.program,
             t.mutant.empty() ? "" : " with '" + t.mutant + "'", t.steps.steps.size(), t.found);
  fmt::print("recorded: {}: {}\n", t.kind, t.message);
  if (v.outcome == checker::outcome::ok) {
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
