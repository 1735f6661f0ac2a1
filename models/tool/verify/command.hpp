/// `licit verify`: the client programs of the structures, and their mutants, under the checkers.
#ifndef LICIT_MODELS_TOOL_VERIFY_COMMAND_HPP
#define LICIT_MODELS_TOOL_VERIFY_COMMAND_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <licit/checker/explore.hpp>

#include "drawings.hpp"
#include "report.hpp"

namespace licit::tool {

inline constexpr std::string_view exhaustive_name = "exhaustive";
inline constexpr std::string_view relacy_name = "relacy";
inline constexpr std::string_view walk_name = "walk";

struct verify_options {
  std::vector<std::string> checkers;    ///< empty: all
  std::vector<std::string> structures;  ///< empty: all
  std::vector<std::string> programs;    ///< empty: all, and the mutants
  std::vector<std::string> mutants;     ///< not empty: these only, each with its history
  std::string client;                   ///< a line: a program of the user's, for the only structure; or empty
  unsigned every = 0;                   ///< all clients of up to so many calls, and nothing else; 0: not asked for
  bool kill = false;                    ///< the smallest of them that finds each mutant, and nothing else
  bool full = false;                    ///< their calls are all that are specified, not the core's only
  bool edges = false;                   ///< they are judged with an edge from outside, too
  unsigned thieves = 2;                 ///< in them, at most
  unsigned filling = 0;                 ///< items pushed before their threads start, at most
  std::vector<unsigned> capacities;     ///< of their structure; empty: as the specification says
  bool symmetric = false;               ///< one execution of those that equal threads make of each other
  bool estimate = false;                ///< how large the searches are, and nothing else
  bool longer = false;                  ///< the programs that take minutes, too
  std::optional<checker::share> shard;  ///< of each program's search; the exhaustive checker's only, and no mutants
  unsigned jobs = 0;                    ///< processes; 0: as many as the machine has processors
  std::string broken_by;                ///< a mutant to run the programs with, as if it were the code
  std::vector<std::string> rules;       ///< of release sequences, for the exhaustive checker; empty: both
  std::vector<unsigned> stall;  ///< these threads are stopped for good, one a verdict; there are no other verdicts
  std::optional<std::uint64_t> iterations;  ///< executions of a random search
  std::uint64_t limit = 50'000'000;         ///< executions of any other search
  std::string mode;                         ///< "random" or "pct": a sample by the exhaustive checker's model of memory
  std::uint64_t seed = 1;                   ///< of the sample
  unsigned depth = 3;                       ///< of "pct"
  std::string trace;                        ///< file for the first violating execution that can be replayed, or empty
  std::string json;                         ///< file for the results, or empty
  drawings draw;                            ///< of the first violation
  bool all = false;                         ///< print every row
  bool quiet = false;                       ///< no progress bar

  [[nodiscard]] bool wants_execution() const { return draw.wanted() || !trace.empty(); }
};

/// Runs and prints; the exit status. Throws std::runtime_error when a file cannot be written, a process of a search
/// died, --client is no line of the structure's, or a shard of anything but the exhaustive checker is asked for.
int verify(const verify_options& options);

/// `--estimate`: how many executions the programs have, before they are explored. Prints a row for each. `violated` if
/// a probe came to an execution that is wrong.
int estimate(const verify_options& options);

/// `--every N`: all clients of up to N calls, judged by the structures' specifications; with `--kill`, the smallest
/// that finds each mutant. Throws std::runtime_error if no chosen structure has a specification, or a process died.
int verify_every(const verify_options& options);

/// Prints the programs, the mutants and what they are about.
void list();

}  // namespace licit::tool

#endif
