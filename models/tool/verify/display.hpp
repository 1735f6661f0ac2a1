/// What `licit verify` prints: a line a structure, or every row; each failure in full; what was and was not shown.
#ifndef LICIT_MODELS_TOOL_VERIFY_DISPLAY_HPP
#define LICIT_MODELS_TOOL_VERIFY_DISPLAY_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "report.hpp"
#include "verify/command.hpp"

namespace licit::tool {

/// A row as a process reports it.
struct reported {
  nlohmann::ordered_json row;  ///< as --json writes it
  std::string text;
  std::string history;
};
std::vector<reported> reports_of(const std::vector<result>& made);
std::string packed(const std::vector<reported>& all);
std::vector<reported> unpacked(std::string_view message);

/// What a structure's generated clients come to, by one set of its rules, over one alphabet.
struct generated {
  std::string of = {};          ///< "tagged, tags of one bit"
  bool full = false;            ///< the alphabet; then an edge from outside, too
  std::string capacities = {};  ///< "capacities 1 and 2"; empty: it has none
  unsigned calls = 0;           ///< of a client, at most
  std::uint64_t clients = 0;
  std::uint64_t executions = 0;
  double seconds = 0;
  bool right = true;
  bool limited = false;  ///< some client has more executions than the limit

  void add(const reported& r);
};

/// What the rows of a structure add up to.
struct tally {
  std::set<std::string> clients = {};
  std::set<std::string> mutants = {};
  std::set<std::string> missed = {};  ///< mutants that some checker should have caught, and did not
  std::uint64_t executions = 0;
  double seconds = 0;
  std::size_t rows = 0;
  std::size_t surprises = 0;  ///< rows that are not as expected, limits apart
  std::size_t limits = 0;
  std::map<std::string, generated> every = {};  ///< by program and alphabet: "every client, no tag"

  void add(const reported& r);
  void add(const tally& t);
};

class display {
 public:
  struct part {
    std::string structure;
    double work;  ///< an estimate, in any unit
    std::size_t pieces;
  };

  display(const verify_options& options, std::vector<part> parts);

  void began(std::size_t part);
  /// What the part's piece of work `piece` has come to. Pieces may end in any order.
  void heard(std::size_t part, std::size_t piece, std::vector<reported> rows);
  void idle() const;
  /// Prints the sum, and what it says.
  void close() const;

  [[nodiscard]] exit_status status() const;
  /// In the order of the parts.
  [[nodiscard]] nlohmann::ordered_json rows() const;

 private:
  [[nodiscard]] bool by_row() const;
  void print_row(std::size_t part, const reported& r);
  void print_line(std::size_t part) const;
  static void print_generated(const std::string& name, const generated& every);
  void ended(std::size_t part);
  [[nodiscard]] tally sum() const;

  const verify_options& options_;
  std::vector<part> parts_;
  std::vector<tally> tallies_;
  std::vector<std::vector<std::vector<reported>>> reports_;  ///< of each piece of each part
  std::vector<std::size_t> done_;                            ///< pieces of each part
  std::set<std::size_t> running_;
  progress bar_;
  std::size_t under_ = SIZE_MAX;  ///< the part whose heading was printed last
};

/// One sentence: what was shown, and what was not.
std::string conclusion(const tally& t, std::size_t structures, const verify_options& options);

}  // namespace licit::tool

#endif
