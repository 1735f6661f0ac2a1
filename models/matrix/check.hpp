/// Whether what was caught once still is: the part of the kill matrix for every change.
#ifndef LICIT_MODELS_MATRIX_CHECK_HPP
#define LICIT_MODELS_MATRIX_CHECK_HPP

#include <string>
#include <vector>

#include "matrix/results.hpp"
#include "matrix/run.hpp"

namespace licit::matrix {

/// For each mutant that the record says was caught, the cell of the column that caught it with the fewest executions,
/// in the program that did; for each control those of the exhaustive checker and of the sampling columns. Of the
/// columns that are named `by`. Mutants that the record does not have, or not as caught, are looked for exhaustively.
std::vector<order_for> cheapest(const results& blank, const results& record, const std::vector<column>& by);

/// What is not as it must be, a sentence each: a mutant that was not caught though the record says that it is to be, or
/// that the record does not have; a control that something was found in; a row of the record that there is no more.
std::vector<std::string> complaints(const results& got, const results& record);

}  // namespace licit::matrix

#endif
