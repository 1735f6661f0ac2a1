/// Filling the kill matrix, and `licit matrix`: what each means of testing catches.
#ifndef LICIT_MODELS_MATRIX_RUN_HPP
#define LICIT_MODELS_MATRIX_RUN_HPP

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "machine/matrix/cell.hpp"
#include "machine/matrix/results.hpp"

namespace licit::matrix {

/// A cell to be judged.
struct order_for {
  std::size_t row;  ///< in the results
  const column* by;
  std::string program = {};  ///< empty: all of the row's
};

struct progress {
  std::size_t done;
  std::size_t of;
  const judged_row& row;
  const column& by;
  const cell& got;
};

/// Judges them, each in a process of its own, and puts the cells into the results. A process that crashes leaves a cell
/// that says so. `told` is called after each.
void fill(results& r, const std::vector<order_for>& what, const budget& b, unsigned jobs,
          const std::function<void(const progress&)>& told);

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

namespace licit::machine {

struct matrix_options {
  std::vector<std::string> rows;        ///< "structure/name", or a name of whichever structure; empty: all
  std::vector<std::string> structures;  ///< empty: all
  std::vector<std::string> columns;     ///< empty: all
  std::string budget = "normal";        ///< with `check` of the controls; the mutants have the record's
  unsigned seeds = 0;                   ///< 0: the budget's
  unsigned jobs = 1;                    ///< processes
  std::vector<std::string>
      from;              ///< files that --json wrote, the later ones over the earlier: what they have is not run again
  bool missing = false;  ///< of what is named, too, only what `from` lacks
  std::string check;     ///< the same: what it says was caught must be, by its cheapest column, and controls be clean
  std::string json;      ///< files to write, or empty; this one also on the way
  std::string html;
  std::string markdown;
  std::string record;
  matrix::places at;
  bool adopt = false;       ///< take over cells of other sources, whose machine code was found to be the same
  bool only_pages = false;  ///< run nothing: make the pages of `from`
  bool quiet = false;
  bool list = false;  ///< print columns and rows, run nothing
};

/// Where the build puts what the columns run.
matrix::places default_places();

std::vector<std::string> matrix_columns();
std::vector<std::string> matrix_structures();

/// Runs, prints and writes; the exit status: 0 if controls are clean (and, with `check`, what was caught still is), 1
/// if not. Throws std::invalid_argument for rows and columns that there are not, std::runtime_error for files that
/// cannot be read or written.
int run_matrix(const matrix_options& options);

}  // namespace licit::machine

#endif
