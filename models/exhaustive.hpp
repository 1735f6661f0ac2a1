/// Running a client program under the exhaustive checker, as the other checkers run it.
#ifndef LICIT_MODELS_EXHAUSTIVE_HPP
#define LICIT_MODELS_EXHAUSTIVE_HPP

#include <cstdint>

#include "checker/run.hpp"
#include "verdict.hpp"

namespace licit::models::exhaustive {

struct settings {
  checker::release_sequences sequences = checker::release_sequences::cxx20;
  std::uint64_t limit = 0;  ///< executions: more ends in verdict `limit`
};

inline outcome_of_check outcome_of(checker::ending e) {
  switch (e) {
    case checker::ending::ok: return outcome_of_check::ok;
    case checker::ending::violation: return outcome_of_check::violation;
    case checker::ending::limit: return outcome_of_check::limit;
  }
  return outcome_of_check::limit;
}

template <template <class> class Program>
verdict run(const settings& s) {
  const checker::verdict v = checker::run<Program>({.sequences = s.sequences, .max_executions = s.limit});
  return {.outcome = outcome_of(v.end),
          .exhaustive = true,
          .bound = s.sequences == checker::release_sequences::cxx20 ? "none, c++20" : "none, c++11",
          .executions = v.executions,
          .blocked = v.blocked,
          .seconds = v.seconds,
          .failure =
              v.end == checker::ending::limit ? "stopped after " + std::to_string(s.limit) + " executions" : v.message,
          .history = v.trace,
          .kind = std::string(name(v.kind)),
          .steps = v.steps};
}

}  // namespace licit::models::exhaustive

#endif
