/// `licit matrix`: what each means of testing catches.
#ifndef LICIT_MODELS_MACHINE_MATRIX_COMMAND_HPP
#define LICIT_MODELS_MACHINE_MATRIX_COMMAND_HPP

#include <string>
#include <vector>

#include "machine/matrix/column.hpp"

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
