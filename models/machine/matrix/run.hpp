/// Filling the kill matrix.
#ifndef LICIT_MODELS_MATRIX_RUN_HPP
#define LICIT_MODELS_MATRIX_RUN_HPP

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "machine/matrix/budget.hpp"
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

}  // namespace licit::matrix

#endif
