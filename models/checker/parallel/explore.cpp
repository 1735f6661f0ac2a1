#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <licit/checker/explore.hpp>
#include <licit/checker/shrink.hpp>

#include "parallel/split.hpp"

namespace licit::checker {

namespace {

const std::string cxx20_rule = "none, c++20";
const std::string cxx11_rule = "none, c++11";
const std::string both_rules = "none, both";

/// What is explored, in words.
std::string bound_of(const settings& how, const verdict& v) {
  const options& o = how.options;
  const std::string executions = std::to_string(o.sample.executions);
  const std::string seed = ", seed " + std::to_string(o.sample.seed);
  switch (o.how) {
    case mode::random: return executions + " random" + seed;
    case mode::pct: return executions + " pct depth " + std::to_string(o.sample.depth) + seed;
    case mode::bytes: return "1 by bytes";
    case mode::replay: return "1 as recorded";
    case mode::estimate: return "estimated by " + std::to_string(v.size.probes) + " probes" + seed;
    case mode::exhaustive: break;
  }
  const std::string& rule = o.sequences == release_sequences::cxx20 ? cxx20_rule : cxx11_rule;
  const std::string threads = v.symmetric ? rule + ", symmetric" : rule;
  return how.stall ? threads + ", stall " + std::to_string(*how.stall) : threads;
}

/// With the thread stopped after none of its steps, after one, … until it is never stopped any more.
verdict run_stalled(const explorer& program, options o, unsigned thread) {
  o.leaks = false;
  verdict sum;
  for (o.stalled = {.thread = thread};; ++o.stalled.after) {
    verdict v = program(o);
    const bool last = v.outcome != outcome::ok || !v.stalled;
    o.max_executions -= v.executions;
    o.max_seconds = std::max(o.max_seconds - v.seconds, 0.0);
    v.executions += sum.executions;
    v.represented += sum.represented;
    v.blocked += sum.blocked;
    v.seconds += sum.seconds;
    v.rules_differ = v.rules_differ || sum.rules_differ;
    sum = std::move(v);
    if (last) return sum;
  }
}

verdict run_as(const explorer& program, const settings& how) {
  if (how.options.how != mode::exhaustive) {
    if (how.share.count != 1) throw std::invalid_argument("licit: only an exhaustive search has shares");
    return program(how.options);
  }
  if (how.stall) return run_stalled(program, how.options, *how.stall);
  return detail::explore_share(program, how.options, how.share, how.jobs, how.progress);
}

/// Shows the violation by a smaller client. Not with a thread stopped: after which of its steps would be another
/// matter.
void show_smaller(verdict& v, const explorer& program, const settings& how) {
  if (how.stall || how.options.how != mode::exhaustive) return;
  const auto smaller = shrink(program, how.options, v);
  if (!smaller) return;
  v.client = smaller->client;
  v.trace = smaller->trace;
  v.picture = smaller->picture;
}

}  // namespace

verdict explore(const explorer& program, const settings& how) {
  verdict v = run_as(program, how);
  v.bound = bound_of(how, v);
  v.share.index = how.share.index;
  v.share.count = how.share.count;
  v.exhaustive = v.exhaustive && how.share.count == 1;
  if (v.outcome == outcome::limit) v.message = "stopped after " + std::to_string(v.executions) + " executions";
  if (v.sampled && v.outcome == outcome::violation) v.bound += ", number " + std::to_string(v.number);
  if (how.shrink) show_smaller(v, program, how);
  return v;
}

std::vector<verdict> explore_by_both_rules(const explorer& program, settings how) {
  how.options.sequences = release_sequences::cxx20;
  std::vector<verdict> all{explore(program, how)};
  const bool whole = how.options.how == mode::exhaustive && how.share.count == 1;
  if (whole && all[0].outcome == outcome::ok && !all[0].rules_differ) {
    all[0].bound = both_rules + all[0].bound.substr(cxx20_rule.size());
    return all;
  }
  how.options.sequences = release_sequences::cxx11;
  all.push_back(explore(program, how));
  return all;
}

}  // namespace licit::checker
