/// The rows of the kill matrix, and what one means of testing says of one: its cell.
#ifndef LICIT_MODELS_MATRIX_CELL_HPP
#define LICIT_MODELS_MATRIX_CELL_HPP

#include <algorithm>
#include <cstdint>
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

}  // namespace licit::matrix

#endif
