/// Running a client program under the exhaustive checker, as the other checkers run it.
#ifndef LICIT_MODELS_EXHAUSTIVE_HPP
#define LICIT_MODELS_EXHAUSTIVE_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "checker/run.hpp"
#include "verdict.hpp"

namespace licit::models::exhaustive {

struct settings {
  checker::release_sequences sequences = checker::release_sequences::cxx20;
  std::optional<unsigned> stall = {};  ///< this thread is stopped for good, after each number of its steps in turn
  std::uint64_t limit = 0;             ///< executions: more ends in verdict `limit`
};

inline std::string bound_of(const settings& s) {
  const std::string rule = s.sequences == checker::release_sequences::cxx20 ? "none, c++20" : "none, c++11";
  return s.stall ? rule + ", stall " + std::to_string(*s.stall) : rule;
}

inline outcome_of_check outcome_of(checker::ending e) {
  switch (e) {
    case checker::ending::ok: return outcome_of_check::ok;
    case checker::ending::violation: return outcome_of_check::violation;
    case checker::ending::limit: return outcome_of_check::limit;
  }
  return outcome_of_check::limit;
}

/// With the thread stopped after none of its steps, after one, … until it is never stopped any more.
template <template <class> class Program>
checker::verdict run_stalled(checker::options o, unsigned thread) {
  checker::verdict sum;
  for (o.stalled = {.thread = thread};; ++o.stalled.after) {
    checker::verdict v = checker::run<Program>(o);
    const bool last = v.end != checker::ending::ok || !v.stalled;
    v.executions += sum.executions;
    v.blocked += sum.blocked;
    v.seconds += sum.seconds;
    o.max_executions -= v.executions - sum.executions;
    sum = std::move(v);
    if (last) return sum;
  }
}

template <template <class> class Program>
verdict run(const settings& s) {
  const checker::options o{.sequences = s.sequences, .max_executions = s.limit};
  const checker::verdict v = s.stall ? run_stalled<Program>(o, *s.stall) : checker::run<Program>(o);
  return {.outcome = outcome_of(v.end),
          .exhaustive = true,
          .bound = bound_of(s),
          .executions = v.executions,
          .blocked = v.blocked,
          .seconds = v.seconds,
          .failure =
              v.end == checker::ending::limit ? "stopped after " + std::to_string(s.limit) + " executions" : v.message,
          .history = v.trace};
}

}  // namespace licit::models::exhaustive

#endif
