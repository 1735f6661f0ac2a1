/// Whether what was caught once still is: the part of the kill matrix for every change.
#ifndef LICIT_MODELS_MATRIX_CHECK_HPP
#define LICIT_MODELS_MATRIX_CHECK_HPP

#include <string>
#include <vector>

#include "machine/matrix/results.hpp"
#include "machine/matrix/run.hpp"

namespace licit::matrix {

/// For each mutant that the record says was caught, the cell of the column that caught it with the fewest executions,
/// of the columns that are named `by`: the exhaustive checker's in the program that did, a sample's in all, so that one
/// seed is the same executions as in the record. Mutants that the record does not have, or not as caught, are looked
/// for by the first column.
std::vector<order_for> cheapest(const results& blank, const results& record, const std::vector<column>& by);

/// Each control by each of the columns.
std::vector<order_for> controls(const results& blank, const std::vector<column>& by);

/// The record's, of several the largest, by one seed: what was caught by every seed within it is caught again.
budget budget_of(const results& record);

/// What is not as it must be, a sentence each: a mutant that was not caught though the record says that it is to be, or
/// that the record does not have; a control that something was found in; a row of the record that there is no more.
std::vector<std::string> complaints(const results& got, const results& record);

}  // namespace licit::matrix

#endif
