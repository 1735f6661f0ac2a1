/// Which programs are run on real threads for a row of the kill matrix: those in which the exhaustive checker finds it
/// soonest.
#ifndef LICIT_MODELS_STRESS_WITNESSES_HPP
#define LICIT_MODELS_STRESS_WITNESSES_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "machine/matrix/cell.hpp"
#include "suites/structure.hpp"

namespace licit::stress {

struct witnesses {
  matrix::row row;
  bool shown = false;  ///< the checker finds the row in each of the programs
  std::vector<std::string> programs = {};
};

struct effort {
  std::uint64_t executions = 4'000;  ///< of each row and program
  std::size_t programs = 4;          ///< of a row
  std::size_t controls = 6;          ///< the same, of a control with another table
};

/// In the order of the rows. Broken algorithms are their own program; a row that is found nowhere within the effort has
/// the programs that show most others; the correct code has every program of some row, other controls the first few.
/// A function of these: the same again, on any machine. Some seconds for all structures.
std::vector<witnesses> witnesses_of(const suites::structure& s, const effort& e);

/// Whether the checker finds the row in the program within so many executions.
bool shows(const matrix::row& r, const std::string& program, const effort& e);

}  // namespace licit::stress

#endif
