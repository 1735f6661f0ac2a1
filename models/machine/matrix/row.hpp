/// One row of the kill matrix: one thing made wrong in a structure, or a control in which nothing is.
#ifndef LICIT_MODELS_MATRIX_ROW_HPP
#define LICIT_MODELS_MATRIX_ROW_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "suites/mutant.hpp"

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

}  // namespace licit::matrix

#endif
