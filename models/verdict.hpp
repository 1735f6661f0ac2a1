/// What a checker says of a program, and the trace of what went wrong.
#ifndef LICIT_MODELS_VERDICT_HPP
#define LICIT_MODELS_VERDICT_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <licit/checker/execution.hpp>
#include <licit/checker/options.hpp>

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

/// Which share of a search a verdict is of.
struct shard {
  unsigned index;  ///< from 0
  unsigned count;
  std::uint64_t pieces;    ///< of the whole search
  std::uint64_t explored;  ///< of them, in this share
};

struct verdict {
  outcome_of_check outcome = outcome_of_check::ok;
  bool exhaustive = false;  ///< every execution that the checker's model has, without a bound; not of a share
  std::string bound;        ///< "none", "3 preemptions", "100000 random"
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  double seconds = 0;
  std::string failure = {};         ///< what was violated
  std::string history = {};         ///< of the violating execution, a line an operation, a column a thread
  std::string kind = {};            ///< of the violation, where the checker tells
  checker::record steps = {};       ///< of the violating execution, where it can be replayed
  checker::options how = {};        ///< that it was found with
  std::string ended = {};           ///< what is violated in the history, if not in the same words
  std::string client = {};          ///< the smaller client whose history it is; empty: it is the program's own
  checker::execution picture = {};  ///< of the history, if the checker draws one
  std::optional<shard> only = {};   ///< empty: the whole, and only then `ok` says that the program is right
};

}  // namespace licit::models

#endif
