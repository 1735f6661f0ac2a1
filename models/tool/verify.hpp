/// `licit verify`: the programs, and their must-fail mutants, under the checkers.
#ifndef LICIT_MODELS_TOOL_VERIFY_HPP
#define LICIT_MODELS_TOOL_VERIFY_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <licit/checker/split.hpp>

#include "drawings.hpp"
#include "report.hpp"

namespace licit::tool {

/// The command's exit status.
enum exit_status : int {
  as_expected = 0,
  violated = 1,  ///< a verdict differs from what is expected: a violation, or a mutant that was let pass
  bad_usage = 2,
  out_of_limit = 3,  ///< no surprise, but a search ended at its limit
};

inline constexpr std::string_view exhaustive_name = "exhaustive";
inline constexpr std::string_view relacy_name = "relacy";

struct verify_options {
  std::vector<std::string> checkers;    ///< empty: all
  std::vector<std::string> structures;  ///< empty: all
  std::vector<std::string> programs;    ///< empty: all, and the mutants
  std::vector<std::string> mutants;     ///< not empty: these only, each with its history
  std::optional<checker::share> shard;  ///< of each program's search; the exhaustive checker's only, and no mutants
  unsigned jobs = 1;                    ///< processes of an exhaustive search
  std::string broken_by;                ///< a mutant to run the programs with, as if it were the code
  std::vector<std::string> rules;       ///< of release sequences, for the exhaustive checker; empty: both
  std::vector<unsigned> stall;  ///< these threads are stopped for good, one a verdict; there are no other verdicts
  std::uint64_t iterations = 100'000;  ///< of a random search
  std::uint64_t limit = 50'000'000;    ///< executions of any other search
  std::string mode;                    ///< "random" or "pct": a sample by the exhaustive checker's model of memory
  std::uint64_t seed = 1;              ///< of the sample
  unsigned depth = 3;                  ///< of "pct"
  std::string trace;                   ///< file for the first violating execution that can be replayed, or empty
  std::string json;                    ///< file for the results, or empty
  drawings draw;                       ///< of the first violation
  bool quiet = false;
};

/// Of these results.
exit_status status(const std::vector<result>& results);

/// Prints how many of the results are as expected.
void print_summary(const std::vector<result>& results);

/// Runs and prints; the exit status. Throws std::runtime_error when the JSON or the trace cannot be written, a process
/// of a search crashed, or a shard of anything but the exhaustive checker is asked for.
int verify(const verify_options& options);

/// Prints the programs, the mutants and what they are about.
void list();

}  // namespace licit::tool

#endif
