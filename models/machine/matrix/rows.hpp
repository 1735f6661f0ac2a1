/// The rows of the kill matrix, made from the catalogue.
#ifndef LICIT_MODELS_MATRIX_ROWS_HPP
#define LICIT_MODELS_MATRIX_ROWS_HPP

#include <string>
#include <string_view>
#include <vector>

#include <licit/checker/live_orders.hpp>
#include <licit/deque/order.hpp>

#include "machine/matrix/cell.hpp"
#include "suites/structure.hpp"

namespace licit::matrix {

/// In this order: controls; each order of the table one step weaker and fully relaxed, site by site; the catalogue's
/// other mutants; its broken algorithms. What two of them would have in common stands once, by the catalogue's name.
/// Throws std::logic_error that names the row when two rows of the structure have one name.
std::vector<row> rows_of(const suites::structure& s);

/// Of every structure. Made once.
const std::vector<row>& all_rows();

/// Of the catalogue. Throws std::invalid_argument for a structure that it does not have.
const suites::structure& structure_of(const row& r);

/// The client programs that the row is looked for in: a broken algorithm's own, else those of the structure, those with
/// the fewest threads first.
std::vector<const suites::program*> programs_of(const row& r);

/// The structure's table with the row's weaker or stronger orders; what the row leaves out is in it still.
std::vector<licit::row> table_of(const row& r);

/// The structure's programs run with the row's change while this lives, with the table as it is written afterwards.
class applied {
 public:
  explicit applied(const row& r);
  applied(const applied&) = delete;
  applied& operator=(const applied&) = delete;
  ~applied();

 private:
  const suites::structure& of_;
};

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
