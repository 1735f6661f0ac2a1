#include "verify/every.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <licit/checker/process_pool.hpp>

#include "audit/json.hpp"
#include "suites/every/clients.hpp"
#include "suites/structure.hpp"
#include "verify/inspection.hpp"

namespace licit::tool {

namespace {

using clock = std::chrono::steady_clock;
using suites::structure;

/// What was found in all clients of one number of calls, or in a share of them.
struct census_of_clients {
  std::uint64_t clients = 0;
  std::uint64_t executions = 0;
  std::uint64_t wrong_at = ~std::uint64_t{0};  ///< the number of the first client that fails; else none
  std::string wrong = {};                      ///< its line
  std::string why = {};
  bool limit = false;  ///< a client has more executions than --limit, and is not judged

  [[nodiscard]] bool failed() const { return !wrong.empty(); }

  void add(const census_of_clients& share) {
    clients += share.clients;
    executions += share.executions;
    limit = limit || share.limit;
    if (share.wrong_at >= wrong_at) return;
    wrong_at = share.wrong_at;
    wrong = share.wrong;
    why = share.why;
  }
};

std::string packed(const census_of_clients& c) {
  return json{{"clients", c.clients},   {"executions", c.executions},
              {"wrong_at", c.wrong_at}, {"wrong", c.wrong},
              {"why", c.why},           {"limit", c.limit}}
      .dump();
}
census_of_clients unpacked_census(const std::string& text) {
  const json j = json::parse(text);
  return {j["clients"], j["executions"], j["wrong_at"], j["wrong"], j["why"], j["limit"]};
}

std::vector<unsigned> capacities(const structure& s, const verify_options& o) {
  return o.capacities.empty() ? std::vector<unsigned>(s.every.capacities.begin(), s.every.capacities.end())
                              : o.capacities;
}

suites::client_size size_of(const structure& s, const verify_options& o, unsigned calls) {
  return {s.every.owner, s.every.thief, o.thieves, calls};
}

/// The clients whose number modulo `of` is `share`. Ends at the first that fails.
census_of_clients explore_share(const structure& s, const verify_options& o, unsigned calls, unsigned share,
                                unsigned of) {
  census_of_clients found;
  std::uint64_t number = 0;
  checker::options how{.max_executions = o.limit};
  const auto one = [&](const std::string& line) {
    if (number++ % of != share) return true;
    const checker::verdict v = s.every.made(line).explore(how);
    ++found.clients;
    found.executions += v.executions;
    if (v.outcome == checker::outcome::limit) found.limit = true;
    if (v.outcome != checker::outcome::violation) return true;
    found.wrong_at = number - 1;
    found.wrong = line;
    found.why = fmt::format("{}: {}\n{}", name(v.kind), v.message, v.trace);
    return false;
  };
  for (unsigned filling = 0; filling <= o.filling; ++filling) {
    for (const unsigned capacity : capacities(s, o)) {
      if (s.every.owner[0] == std::string_view("try") && filling > capacity) continue;
      std::string before = fmt::format("capacity={}", capacity);
      for (unsigned i = 0; i != filling; ++i) before += fmt::format(" {}", s.every.owner[0]);
      suites::client_generator(size_of(s, o, calls), [&](const std::string& calls_of_threads) {
        return one(before + ":" + calls_of_threads);
      }).run();
      if (found.failed()) return found;
    }
  }
  return found;
}

census_of_clients explore_all(const structure& s, const verify_options& o, unsigned calls, unsigned jobs) {
  if (jobs == 1) return explore_share(s, o, calls, 0, 1);
  std::vector<checker::process_pool::task> tasks;
  for (unsigned share = 0; share != jobs; ++share) {
    tasks.emplace_back([&, share] { return packed(explore_share(s, o, calls, share, jobs)); });
  }
  census_of_clients all;
  checker::run_all(tasks, jobs, [&](const checker::process_pool::ended& e) {
    if (!e.failure.empty()) throw std::runtime_error(std::string(s.name) + ": a process " + e.failure);
    all.add(unpacked_census(e.output));
  });
  return all;
}

/// A line for each number of calls, up to the first at which a client fails.
census_of_clients check(const structure& s, const verify_options& o, unsigned jobs) {
  fmt::print("{}: an owner ({}) and up to {} {} ({}), {} {}\n", s.name, fmt::join(s.every.owner, ", "), o.thieves,
             o.thieves == 1 ? "thief" : "thieves", fmt::join(s.every.thief, ", "),
             capacities(s, o).size() == 1 ? "capacity" : "capacities", fmt::join(capacities(s, o), ", "));
  fmt::print("{:>6} {:>12} {:>16} {:>9}\n", "calls", "clients", "executions", "seconds");
  bool limit = false;
  for (unsigned calls = 1; calls <= o.every; ++calls) {
    const auto start = clock::now();
    census_of_clients found = explore_all(s, o, calls, jobs);
    const double seconds = std::chrono::duration<double>(clock::now() - start).count();
    fmt::print("{:>6} {:>12} {:>16} {:>9.1f}\n", calls, found.clients, found.executions, seconds);
    std::fflush(stdout);
    limit = found.limit = found.limit || limit;
    if (found.failed() || calls == o.every) return found;
  }
  return {};
}

int report(const structure& s, const verify_options& o, const census_of_clients& found) {
  if (found.failed()) {
    fmt::print("violation: {}\n{}\n", found.wrong, found.why);
    return violated;
  }
  if (found.limit) {
    fmt::print("limit: a client has more executions than --limit\n");
    return out_of_limit;
  }
  fmt::print(
      "ok: {}: every client of up to {} calls, an owner and up to {} thieves, capacities {}, up to {} items "
      "before: linearizable with respect to happens-before, as specified\n",
      s.name, o.every, o.thieves, fmt::join(capacities(s, o), " and "), o.filling);
  return as_expected;
}

/// The smallest number of calls at which a generated client finds each mutant.
void print_kill_depths(const structure& s, const verify_options& o, unsigned jobs) {
  fmt::print("kill depth of {}'s mutants\n", s.name);
  for (const suites::mutant& m : s.mutants) {
    s.apply(m.what);
    census_of_clients found;
    unsigned calls = 0;
    while (!found.failed() && calls != o.every) found = explore_all(s, o, ++calls, jobs);
    s.reset();
    fmt::print("  {:<34} {}\n", m.name,
               found.failed() ? fmt::format("{}  {}", calls, found.wrong) : fmt::format("not up to {}", o.every));
    std::fflush(stdout);
  }
}

void break_by(const structure& s, const std::string& mutant) {
  const auto m = std::ranges::find(s.mutants, mutant, &suites::mutant::name);
  if (m != s.mutants.end()) s.apply(m->what);
}

}  // namespace

int verify_every(const verify_options& options) {
  if (!options.json.empty() || options.wants_execution() || options.shard || !options.mode.empty() ||
      !options.stall.empty() || !options.rules.empty()) {
    throw std::runtime_error(
        "--every has none of --json, --trace, --dot, --svg, --shard, --mode, --stall and "
        "--release-sequences");
  }
  const unsigned jobs = options.jobs == 0 ? std::max(1U, std::thread::hardware_concurrency()) : options.jobs;
  bool any = false;
  int worst = as_expected;
  for (const structure& s : suites::structures()) {
    if (!chosen(options.structures, s.name) || !s.every.made) continue;
    if (!options.broken_by.empty() &&
        std::ranges::find(s.mutants, options.broken_by, &suites::mutant::name) == s.mutants.end())
      continue;
    any = true;
    break_by(s, options.broken_by);
    const int status = report(s, options, check(s, options, jobs));
    s.reset();
    if (options.all && options.broken_by.empty()) print_kill_depths(s, options, jobs);
    if (worst != violated && status != as_expected) worst = status;
  }
  if (!any) throw std::runtime_error("nothing to check: no chosen structure has a specification");
  return worst;
}

}  // namespace licit::tool
