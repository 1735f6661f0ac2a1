/// The rows of the kill matrix, its columns, which are means of testing, and what one says of a row: its cell.
#ifndef LICIT_MODELS_MATRIX_CELL_HPP
#define LICIT_MODELS_MATRIX_CELL_HPP

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "suites/program.hpp"

namespace licit::matrix {

enum class kind : std::uint8_t {
  ordering,  ///< an order of the table is weaker
  logic,     ///< an operation is left out, or does not look
  broken,    ///< the algorithm is another: a program of the catalogue by itself
  control,   ///< nothing is wrong: whoever complains raises a false alarm
};

constexpr std::string_view name(kind k) {
  switch (k) {
    case kind::ordering: return "ordering";
    case kind::logic: return "logic";
    case kind::broken: return "broken algorithm";
    case kind::control: return "control";
  }
  return "";
}

/// One thing made wrong in a structure, or a control in which nothing is.
struct row {
  std::string structure = {};  ///< the table's name
  std::string name = {};       ///< no other row of the structure has it: "push.publish relaxed"
  kind what = kind::ordering;
  std::vector<suites::mutation> changes = {};  ///< of the table, one after another; none where the code is as written
  std::string program = {};                    ///< of a broken algorithm: the program that it is
  std::string says = {};                       ///< what was changed: "store release → relaxed"
  std::string relacy_blind = {};               ///< why Relacy cannot see it; empty: no reason is known

  /// What no other row of any structure has.
  [[nodiscard]] std::string id() const { return structure + "/" + name; }
  [[nodiscard]] bool is_control() const { return what == kind::control; }
};

enum class finding : std::uint8_t {
  caught,
  not_caught,  ///< within what was run
  cannot_see,  ///< for a stated reason
  not_run,     ///< for a stated reason
};

constexpr std::string_view name(finding f) {
  switch (f) {
    case finding::caught: return "caught";
    case finding::not_caught: return "not caught";
    case finding::cannot_see: return "cannot see";
    case finding::not_run: return "not run";
  }
  return "";
}

struct cell {
  finding found = finding::not_run;
  std::uint64_t executions = 0;  ///< caught: until then, of several seeds the median; else: all of all seeds
  double seconds = 0;            ///< of everything that was run for the cell
  unsigned seeds = 0;            ///< 0: nothing is left to chance
  unsigned caught_by = 0;        ///< of them
  bool complete = false;         ///< every execution of every program was explored
  std::string program = {};      ///< that caught it
  std::string what = {};         ///< the complaint
  std::string reason = {};       ///< why it cannot be seen, or was not run
  std::string note = {};
  std::string only = {};    ///< what the mutant is caught by alone: language rules that a processor need not show
  std::string excuse = {};  ///< of a false alarm: the known fault of the means that raises it

  [[nodiscard]] bool caught() const { return found == finding::caught; }
};

inline cell not_run(std::string reason) { return {.reason = std::move(reason)}; }
inline cell cannot_see(std::string reason) { return {.found = finding::cannot_see, .reason = std::move(reason)}; }

/// Of at least one.
inline std::uint64_t median(std::vector<std::uint64_t> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>((all.size() - 1) / 2);
  std::ranges::nth_element(all, middle);
  return *middle;
}

struct budget {
  std::string_view name;
  std::uint64_t exhaustive;  ///< executions of one program, before its search is given up
  bool both_rules;           ///< C++11's release sequences beside C++20's
  std::uint64_t sample;      ///< executions by one seed
  std::uint64_t relacy;      ///< of one program, at random
  std::uint64_t fuzz;        ///< inputs by one seed
  std::uint64_t stress;      ///< executions by one seed, on real threads, of all the row's programs together
  double stress_seconds;     ///< the same
  unsigned seeds;
  std::uint64_t control;   ///< executions of a control, by all seeds together, where they are a sample
  double control_seconds;  ///< on real threads, instead of stress_seconds
};

/// What a column may spend on the row. A control has to be right for longer than a mutant may hide.
budget budget_for(const row& r, const budget& b);

/// "ci", "normal", "nightly": each says more and takes longer. Throws std::invalid_argument that names those there are.
const budget& find_budget(std::string_view name);

std::vector<std::string> budget_names();

struct column {
  std::string name;          ///< "exhaustive": for the command line, and in JSON
  std::string title;         ///< as a table's heading
  std::string how;           ///< a sentence: what it is, and what its numbers count
  std::string machine = {};  ///< on which it ran, if that is another than this one
  /// In a process of its own: orders that are changed stay so. Empty programs: all of the row's.
  std::function<cell(const row&, const budget&, std::string_view program)> judge;
};

/// Where what is not in this process lies.
struct places {
  std::string fuzzer;  ///< the libFuzzer executable
  std::string stress;  ///< the folder that has a folder of stress executables for each target
  std::string plugin;  ///< of qemu-aarch64, for weak memory
  /// The folder of an arm64 runner's results: <structure>.json, as a stress executable writes it.
  std::string hardware;
};

column exhaustive_column();
column relacy_column();
column random_column();
column pct_column();
column fuzzing_column(const std::string& fuzzer);
std::vector<column> stress_columns(const std::string& folder, const std::string& plugin);
column hardware_column(const std::string& folder);

}  // namespace licit::matrix

#endif
