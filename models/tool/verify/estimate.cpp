#include <cstdint>
#include <cstdio>
#include <fmt/core.h>
#include <stdexcept>
#include <string>
#include <utility>
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
  if (!o.client.empty()) return all;
  for (const auto* list : {&s.programs, &s.longer, &s.sampled}) {
    for (const program& p : *list) {
      if (chosen(o.programs, p.about.name)) all.push_back(&p);
    }
  }
  return all;
}

bool is_cxx11(const verify_options& o) { return !o.rules.empty() && o.rules[0] == "c++11"; }

std::string number(double n) { return n < 1e7 ? fmt::format("{:.0f}", n) : fmt::format("{:.2g}", n); }

std::string duration(double seconds) {
  if (seconds < 600) return fmt::format("{:.1f} s", seconds);
  if (seconds < 36'000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.2g} h", seconds / 3600);
}

/// What the mean of a few probes was says little about where the number may lie.
std::string spread(const checker::estimate& e) {
  constexpr std::uint64_t enough = 30;
  return e.probes < enough ? "too few probes" : fmt::format("{} to {}", number(e.least), number(e.most));
}

int print(const structure& s, const program& p, const verify_options& o) {
  checker::options how{.equal = o.symmetric ? p.equal : decltype(p.equal){}, .how = checker::mode::estimate};
  if (is_cxx11(o)) how.sequences = checker::release_sequences::cxx11;
  const checker::verdict v = p.explore(how);
  const checker::estimate& e = v.size;
  fmt::print("{:<22} {:<30} {:>12} {:>24} {:>10} {:>8}\n", s.name, p.about.name, number(e.executions), spread(e),
             duration(e.seconds), e.probes);
  if (v.outcome == checker::outcome::violation) fmt::print("  violation: {}: {}\n", name(v.kind), v.message);
  std::fflush(stdout);
  return v.outcome == checker::outcome::violation ? violated : as_expected;
}

void print_heading() {
  fmt::print("{:<22} {:<30} {:>12} {:>24} {:>10} {:>8}\n", "structure", "program", "executions", "spread of the mean",
             "search", "probes");
}

void refuse_options_of_a_search(const verify_options& o) {
  const bool searches = o.wants_execution() || o.shard || !o.mode.empty() || !o.stall.empty() || o.rules.size() > 1;
  if (searches || !o.json.empty() || o.iterations || o.limit != verify_options().limit || o.jobs != 0) {
    throw std::runtime_error(
        "--estimate has none of --json, --trace, --dot, --svg, --mode, --iterations, --limit, --stall, --shard and "
        "--jobs, and one name of --release-sequences at most");
  }
}

}  // namespace

int estimate(const verify_options& options) {
  refuse_options_of_a_search(options);
  expect_structure(options);
  int worst = as_expected;
  bool any = false;
  for (const structure& s : suites::structures()) {
    if (!chosen(options.structures, s.name) || !has_mutant(s, options.broken_by)) continue;
    if (!std::exchange(any, true)) print_heading();
    break_by(s, options.broken_by);
    const auto add = [&](const program& p) { worst = print(s, p, options) == violated ? violated : worst; };
    if (!options.client.empty()) add(own_program(s, options.client));
    for (const program* p : programs_of(s, options)) add(*p);
    s.reset();
  }
  if (!any) {
    throw std::runtime_error("nothing to estimate: no chosen structure has the mutant \"" + options.broken_by + "\"");
  }
  fmt::print(
      "\nBy probes of the search, for half a second each; under {} release sequences, on one processor. The spread is "
      "that of means of as many probes, drawn again from these, in 95 of 100 draws. Parts of the tree that few probes "
      "come to may be most of it: an estimate is more often too low than too high.\n",
      is_cxx11(options) ? "C++11's" : "C++20's");
  return worst;
}

}  // namespace licit::tool
