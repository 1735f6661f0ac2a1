/// What the stress executables (models/machine/stress) say of rows, read from their JSON.
#ifndef LICIT_MODELS_MATRIX_STRESS_RESULTS_HPP
#define LICIT_MODELS_MATRIX_STRESS_RESULTS_HPP

#include <string>
#include <string_view>

#include "machine/matrix/cell.hpp"

namespace licit::matrix {

/// The cell of one row. Its programs by one seed count one after another, up to the first that was caught; of several
/// seeds the median. Throws std::runtime_error that names `where` and what is wrong: no JSON, a field that is missing.
cell read_stress(const std::string& text, std::string_view structure, std::string_view row, const std::string& where);

/// What they were run on, as the file says it; empty where it does not, or is none of theirs.
std::string read_machine(const std::string& text);

}  // namespace licit::matrix

#endif
