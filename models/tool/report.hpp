/// A verdict as text: a row of the table, and the execution that violates; and how far the work has come.
#ifndef LICIT_MODELS_TOOL_REPORT_HPP
#define LICIT_MODELS_TOOL_REPORT_HPP

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <licit/checker/verdict.hpp>

#include "checker/show/exit_status.hpp"

namespace licit::tool {

/// One verdict: a program as it is, or a mutant under the programs that were tried on it.
struct result {
  std::string structure;
  std::string program;
  std::string checker;
  std::string mutant = {};  ///< empty: the program as it is
  std::string note = {};    ///< why the expectation is what it is, where that needs saying
  checker::verdict got = {};
  checker::outcome expected = checker::outcome::ok;
  std::string line = {};       ///< of a program that was given as a line (--client)
  std::string broken_by = {};  ///< the mutant that the program was run with as if it were the code
  std::uint64_t limit = 0;     ///< of the executions
  unsigned calls = 0;          ///< of generated clients, at most; 0: it is of a client that was not generated
  std::uint64_t clients = 0;   ///< how many of them were explored
  bool full = false;           ///< they have the full alphabet, not the core
  bool edges = false;          ///< they were judged with an edge from outside, too
  std::vector<unsigned> capacities = {};  ///< theirs at the beginning; none: the structure has no capacity
  std::uint64_t undecided = 0;            ///< of `--kill`: clients that might be smaller ones, and met the limit

  [[nodiscard]] bool as_expected() const { return got.outcome == expected; }
};

/// Above the rows of one structure.
std::string heading_text(std::string_view structure);
std::string row_text(const result& r);
/// The execution that violates; empty if there is none.
std::string history_text(const result& r);

using checker::exit_status;
using enum checker::exit_status;

/// Throws std::runtime_error if anything that was printed could not be written: a full disk would else look like
/// success.
void flush_output();

/// How many processes a command starts that was asked for so many; 0: one per processor.
unsigned processes(unsigned asked);

/// "1 row", "2 rows"
inline std::string counted(std::uint64_t number, std::string_view one) {
  return std::to_string(number) + " " + std::string(one) + (number == 1 ? "" : "s");
}

/// For the end of a command's help.
inline constexpr std::string_view statuses =
    "Exit status: 0 everything is as expected; 1 something is not; 2 a wrong option, or a file\n"
    "that cannot be read or written; 3 a search stopped at its limit, and nothing was wrong before.";

/// How far the work has come and how long the rest will take, on standard error: one line on a terminal, nothing in a
/// pipe.
class progress {
 public:
  /// `total`: the work, in any unit.
  progress(double total, bool wanted);
  ~progress();
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  void add(double work) { done_ += work; }
  /// Draws the line, with what is going on now.
  void show(std::string_view what) const;
  /// Takes the line away, so that something can be printed.
  void clear() const;

 private:
  using clock = std::chrono::steady_clock;

  double total_;
  double done_ = 0;
  clock::time_point start_ = clock::now();
  bool wanted_;
};

/// "[####....]  42 %  35 s left  NAME"; without the time where too little is done to say.
std::string progress_text(double done, double total, double seconds, std::string_view what);

}  // namespace licit::tool

#endif
