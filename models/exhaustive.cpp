#include "exhaustive.hpp"

#include "checker/jobs.hpp"

namespace licit::models::exhaustive {

namespace {

outcome_of_check outcome_of(checker::ending e) {
  switch (e) {
    case checker::ending::ok: return outcome_of_check::ok;
    case checker::ending::violation: return outcome_of_check::violation;
    case checker::ending::limit: return outcome_of_check::limit;
  }
  return outcome_of_check::limit;
}

}  // namespace

verdict run(const checker::explorer& program, const settings& s) {
  const checker::options o{.sequences = s.sequences, .max_executions = s.limit};
  const checker::share which = s.which.value_or(checker::share{});
  const checker::verdict v = checker::explore(program, o, which, {.count = s.jobs, .progress = s.progress});
  verdict got{.outcome = outcome_of(v.end),
              .exhaustive = !s.which,
              .bound = s.sequences == checker::release_sequences::cxx20 ? "none, c++20" : "none, c++11",
              .executions = v.executions,
              .blocked = v.blocked,
              .seconds = v.seconds,
              .failure = v.end == checker::ending::limit ? "stopped after " + std::to_string(s.limit) + " executions"
                                                         : v.message,
              .history = v.trace};
  if (s.which) got.only = {which.index, which.count, v.pieces, v.taken};
  return got;
}

}  // namespace licit::models::exhaustive
