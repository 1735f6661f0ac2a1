/// A verdict as text: a row of the table, and the execution that violates.
#ifndef LICIT_MODELS_TOOL_REPORT_HPP
#define LICIT_MODELS_TOOL_REPORT_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <licit/checker/verdict.hpp>

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

/// Of every command.
enum exit_status : int {
  as_expected = 0,
  violated = 1,      ///< something is not as expected: a violation, or a mutant that was not caught
  bad_usage = 2,     ///< a wrong option, or a file that cannot be read, parsed or written
  out_of_limit = 3,  ///< nothing is wrong so far, but a search ended at its limit
};

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

}  // namespace licit::tool

#endif
