/// An order of a table made weaker: one step, and fully.
#ifndef LICIT_MODELS_MATRIX_WEAKER_HPP
#define LICIT_MODELS_MATRIX_WEAKER_HPP

#include <string>
#include <vector>

#include <licit/checker/live_orders.hpp>
#include <licit/deque/order.hpp>

#include "suites/catalogue.hpp"

namespace licit::matrix {

struct weakening {
  suites::mutation what;
  std::string name;  ///< "push.publish relaxed"; of the two orders of a compare-exchange: "claim success acquire"
  std::string says;  ///< "store release → relaxed"
};

/// What an operation of this kind has one step below the order; for acq_rel two. None below relaxed.
std::vector<order> one_step_below(operation kind, order o);

/// Every weakening of the row: each of its orders one step, the other as it is; and both relaxed. None twice.
std::vector<weakening> weakenings_of(const licit::row& r);

/// "store release", "compare_exchange release/relaxed", "fence removed".
std::string described(operation kind, order success, order failure);

struct formulation {
  std::string name;
  std::vector<suites::mutation> changes;
};

/// Each ordered operation seq_cst, where it is not already; and for some structures, forms of their table that the
/// audit found (deque/audit.md lists them).
std::vector<formulation> formulations_of(const suites::structure& s);

}  // namespace licit::matrix

#endif
