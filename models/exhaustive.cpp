#include "exhaustive.hpp"

#include <string>
#include <utility>

#include <licit/checker/jobs.hpp>
#include <licit/checker/shrink.hpp>

namespace licit::models::exhaustive {

namespace {

std::string bound_of(const settings& s) {
  const std::string rule = s.sequences == checker::release_sequences::cxx20 ? "none, c++20" : "none, c++11";
  return s.stall ? rule + ", stall " + std::to_string(*s.stall) : rule;
}

/// With the thread stopped after none of its steps, after one, … until it is never stopped any more. The options are
/// then those of the last.
checker::verdict run_stalled(const checker::explorer& program, checker::options& o, unsigned thread) {
  checker::verdict sum;
  for (o.stalled = {.thread = thread};; ++o.stalled.after) {
    checker::verdict v = program(o);
    const bool last = v.end != checker::ending::ok || !v.stalled;
    o.max_executions -= v.executions;
    v.executions += sum.executions;
    v.blocked += sum.blocked;
    v.seconds += sum.seconds;
    sum = std::move(v);
    if (last) return sum;
  }
}

/// Shows the violation by a smaller client. Not with a thread stopped: after which of its steps would be another
/// matter.
void shrink(const checker::explorer& program, const checker::options& o, const checker::verdict& v, verdict& got) {
  const auto smaller = checker::shrink(program, o, v);
  if (!smaller) return;
  got.client = checker::text(smaller->calls, smaller->picture.threads);
  got.history = smaller->trace;
  got.ended = smaller->message;
  got.picture = smaller->picture;
}

}  // namespace

outcome_of_check outcome_of(checker::ending e) {
  switch (e) {
    case checker::ending::ok: return outcome_of_check::ok;
    case checker::ending::violation: return outcome_of_check::violation;
    case checker::ending::limit: return outcome_of_check::limit;
  }
  return outcome_of_check::limit;
}

verdict run(const checker::explorer& program, const settings& s) {
  // What a stopped thread holds is lost.
  checker::options o{.sequences = s.sequences, .max_executions = s.limit, .leaks = !s.stall};
  const checker::share which = s.which.value_or(checker::share{});
  const checker::verdict v = s.stall ? run_stalled(program, o, *s.stall)
                                     : checker::explore(program, o, which, {.count = s.jobs, .progress = s.progress});
  verdict got{.outcome = outcome_of(v.end),
              .exhaustive = !s.which,
              .bound = bound_of(s),
              .executions = v.executions,
              .blocked = v.blocked,
              .seconds = v.seconds,
              .failure = v.end == checker::ending::limit ? "stopped after " + std::to_string(s.limit) + " executions"
                                                         : v.message,
              .history = v.trace,
              .kind = std::string(name(v.kind)),
              .steps = v.steps,
              .how = o,
              .picture = v.picture};
  if (s.shrink && !s.stall) shrink(program, o, v, got);
  if (s.which) got.only = {which.index, which.count, v.pieces, v.taken};
  return got;
}

}  // namespace licit::models::exhaustive
