/// What a checker says of a program, and the trace of what went wrong.
#ifndef LICIT_MODELS_VERDICT_HPP
#define LICIT_MODELS_VERDICT_HPP

#include <cstdint>
#include <string>
#include <string_view>

#include "checker/record.hpp"

namespace licit::models {

enum class outcome_of_check { ok, violation, limit };

constexpr std::string_view name(outcome_of_check o) {
  switch (o) {
    case outcome_of_check::ok: return "ok";
    case outcome_of_check::violation: return "violation";
    case outcome_of_check::limit: return "limit";
  }
  return "";
}

struct verdict {
  outcome_of_check outcome = outcome_of_check::ok;
  bool exhaustive = false;  ///< every execution that the checker's model has, without a bound
  std::string bound;        ///< "none", "3 preemptions", "100000 random"
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  double seconds = 0;
  std::string failure;    ///< what was violated
  std::string history;    ///< of the violating execution, a line an operation, a column a thread
  std::string kind;       ///< of the violation, where the checker tells
  checker::record steps;  ///< of the violating execution, where it can be replayed
};

}  // namespace licit::models

#endif
