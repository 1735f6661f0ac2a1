/// Other tables that are right too: controls beside the code as it is written.
#ifndef LICIT_MODELS_MATRIX_FORMULATIONS_HPP
#define LICIT_MODELS_MATRIX_FORMULATIONS_HPP

#include <string>
#include <vector>

#include <licit/checker/live_orders.hpp>

#include "catalogue.hpp"

namespace licit::matrix {

struct formulation {
  std::string name;
  std::vector<models::mutation> changes;
};

/// Each ordered operation seq_cst, where it is not already; and for some structures, forms of their table that the
/// audit found (deque/audit.md lists them).
std::vector<formulation> formulations_of(const models::structure& s);

}  // namespace licit::matrix

#endif
