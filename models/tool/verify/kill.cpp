#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <fmt/core.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <licit/checker/process_pool.hpp>

#include "audit/findings.hpp"
#include "rows.hpp"
#include "verify/inspection.hpp"

namespace licit::tool {

namespace {

using clock = std::chrono::steady_clock;
using suites::mutant;
using suites::structure;

/// Looks for the smallest client that finds the structure's mutant, of those that do not meet the limit. Most are found
/// in the first executions of a client, so all clients are begun before one is explored to its end.
class kill_search {
 public:
  kill_search(const structure& s, const verify_options& o) : of_{s}, limit_{o.limit} {
    for (unsigned calls = 1; calls <= o.every; ++calls) {
      for (const suites::specified_structure& every : s.every) {
        for_each_client(shape_of(every, o), calls, [&](const std::string& line) {
          left_.push_back({calls, &every, line});
          return true;
        });
      }
    }
  }

  /// The row of the mutant: a violation, the number of calls and the client that has it; or ok.
  result run(const mutant& m) {
    const auto start = clock::now();
    result r{.structure = std::string(of_.name),
             .program = "every client",
             .checker = std::string(exhaustive_name),
             .mutant = std::string(m.name),
             .expected = checker::outcome::violation,
             .limit = limit_};
    of_.apply(m.what);
    for (const std::uint64_t most : {std::uint64_t{300}, std::uint64_t{10'000}, limit_})
      look(std::min(most, limit_), r);
    of_.reset();
    // Each of these met the limit. Those of as many calls as the one that was found are not smaller.
    r.undecided = static_cast<std::uint64_t>(
        std::ranges::count_if(left_, [&](const client& c) { return r.calls == 0 || c.calls < r.calls; }));
    if (r.calls == 0 && r.undecided != 0) r.got.outcome = checker::outcome::limit;
    r.got.executions = executions_;
    r.got.seconds = std::chrono::duration<double>(clock::now() - start).count();
    r.got.exhaustive = true;
    r.got.bound = "none, c++20";
    return r;
  }

 private:
  struct client {
    unsigned calls;
    const suites::specified_structure* every;
    std::string line;
  };

  /// The first executions of all clients that are left, and smaller than the one that was found. Those that have no
  /// more are not left.
  void look(std::uint64_t most, result& r) {
    std::vector<client> longer;
    for (client& c : left_) {
      if (r.calls != 0 && c.calls >= r.calls) break;
      checker::verdict v = c.every->made(c.line).explore({.max_executions = most});
      executions_ += v.executions;
      ++r.clients;
      if (v.outcome == checker::outcome::limit) {
        longer.push_back(std::move(c));
        continue;
      }
      if (v.outcome != checker::outcome::violation) continue;
      r.calls = c.calls;
      r.line = c.line;
      if (!c.every->name.empty()) r.program = fmt::format("every client, {}", c.every->name);
      r.got = std::move(v);
    }
    left_ = std::move(longer);
  }

  const structure& of_;
  std::uint64_t limit_;
  std::vector<client> left_ = {};
  std::uint64_t executions_ = 0;
};

/// Why no generated client finds the mutant; empty: one should.
std::string_view reason(const structure& s, std::string_view mutant_name) {
  const auto known = std::ranges::find(s.unreached, mutant_name, &suites::unreached::mutant);
  return known == s.unreached.end() ? std::string_view{} : known->why;
}

/// The row as JSON, with its text.
json told(const structure& s, const verify_options& o, const mutant& m) {
  result r = kill_search(s, o).run(m);
  r.full = o.full;
  r.edges = o.edges;
  r.got.trace.clear();
  r.got.picture = {};
  std::string text =
      r.calls != 0 ? fmt::format("{:>6}  {}{}", r.calls, r.line, r.program.substr(12)) : fmt::format("{:>6}  ", "-");
  if (r.calls != 0 && r.undecided != 0) {
    text += fmt::format("  (the smallest decided: {} met the limit)", counted(r.undecided, "smaller client"));
  } else if (r.undecided != 0) {
    text += fmt::format("not found up to {} calls: {} met the limit; ", o.every, counted(r.undecided, "client"));
  } else if (r.calls == 0 && reason(s, m.name).empty()) {
    text += fmt::format("NOT FOUND up to {} calls", o.every);
  }
  if (const std::string_view why = reason(s, m.name); !why.empty()) {
    r.note = why;
    r.expected = checker::outcome::ok;
    text += r.calls == 0 ? r.note : "  NOT AS EXPECTED: listed as out of reach";
  }
  if (text.ends_with("; ")) text.resize(text.size() - 2);
  return {{"row", to_json(r, this_command())}, {"text", fmt::format("  {:<34}{}\n", m.name, text)}};
}

}  // namespace

exit_status print_kills(const structure& s, const verify_options& o, unsigned jobs, std::vector<json>& rows) {
  for (const suites::specified_structure& every : s.every) fmt::print("{}: {}\n", s.name, text_of(shape_of(every, o)));
  fmt::print("  {:<34}{:>6}  {}\n", "mutant", "calls", "the smallest client that finds it");
  (void)this_command();  // reads the executable: once, not in each process
  std::vector<checker::process_pool::task> tasks;
  for (const mutant& m : s.mutants) {
    tasks.emplace_back([&] { return told(s, o, m).dump(-1, ' ', false, json::error_handler_t::replace); });
  }
  std::vector<std::optional<json>> made(tasks.size());
  std::size_t printed = 0;
  checker::run_all(tasks, jobs, [&](const checker::process_pool::ended& e) {
    if (!e.failure.empty()) throw std::runtime_error(std::string(s.name) + ": a process " + e.failure);
    made[e.number] = json::parse(e.output);
    for (; printed != made.size() && made[printed]; ++printed)
      fmt::print("{}", (*made[printed])["text"].get<std::string>());
    std::fflush(stdout);
  });
  std::size_t found = 0;
  std::size_t open = 0;
  exit_status worst = as_expected;
  for (std::optional<json>& m : made) {
    json& row = (*m)["row"];  // NOLINT(bugprone-unchecked-optional-access): all have ended
    found += row["verdict"] == "violation" ? 1U : 0U;
    open += row.contains("undecided") ? 1U : 0U;
    if (row["verdict"] != row["expected"] && worst != violated)
      worst = row["verdict"] == "limit" ? undecided : violated;
    rows.push_back(std::move(row));
  }
  fmt::print("{} of {} mutants are found by a client of up to {} calls{}\n\n", found, made.size(), o.every,
             open == 0 ? "" : fmt::format("; for {} of them clients met the limit", open));
  return worst == as_expected && open != 0 ? undecided : worst;
}

}  // namespace licit::tool
