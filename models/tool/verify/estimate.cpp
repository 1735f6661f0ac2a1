#include <cstdio>
#include <fmt/core.h>
#include <string>
#include <vector>

#include "suites/structure.hpp"
#include "verify/command.hpp"
#include "verify/inspection.hpp"

namespace licit::tool {

namespace {

using suites::program;
using suites::structure;

/// Those too large to explore among them.
std::vector<const program*> programs_of(const structure& s, const verify_options& o) {
  std::vector<const program*> all;
  for (const auto* list : {&s.programs, &s.longer, &s.sampled}) {
    for (const program& p : *list) {
      if (chosen(o.programs, p.about.name)) all.push_back(&p);
    }
  }
  return all;
}

std::string number(double n) { return n < 1e7 ? fmt::format("{:.0f}", n) : fmt::format("{:.2g}", n); }

std::string duration(double seconds) {
  if (seconds < 600) return fmt::format("{:.1f} s", seconds);
  if (seconds < 36'000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.2g} h", seconds / 3600);
}

int print(const structure& s, const program& p, bool symmetric) {
  checker::options how{.equal = symmetric ? p.equal : decltype(p.equal){}, .how = checker::mode::estimate};
  const checker::verdict v = p.explore(how);
  const checker::estimate& e = v.size;
  const std::string between = fmt::format("{} to {}", number(e.least), number(e.most));
  fmt::print("{:<22} {:<30} {:>12} {:>24} {:>10} {:>8}\n", s.name, p.about.name, number(e.executions), between,
             duration(e.seconds), e.probes);
  if (v.outcome == checker::outcome::violation) fmt::print("  violation: {}: {}\n", name(v.kind), v.message);
  std::fflush(stdout);
  return v.outcome == checker::outcome::violation ? violated : as_expected;
}

}  // namespace

int estimate(const verify_options& options) {
  fmt::print("{:<22} {:<30} {:>12} {:>24} {:>10} {:>8}\n", "structure", "program", "executions", "95 of 100 between",
             "search", "probes");
  int worst = as_expected;
  for (const structure& s : suites::structures()) {
    if (!chosen(options.structures, s.name)) continue;
    if (!options.client.empty()) return print(s, own_program(s, options.client), options.symmetric);
    for (const program* p : programs_of(s, options))
      worst = print(s, *p, options.symmetric) == violated ? violated : worst;
  }
  fmt::print(
      "\nBy probes of the search, for half a second each; under C++20's release sequences, on one processor. Parts of "
      "the tree that few probes come to may be most of it: an estimate is more often too low than too high.\n");
  return worst;
}

}  // namespace licit::tool
