/// Ordering tables with other rows, as models/audit/record.txt lists weakest tables.
#ifndef LICIT_TESTS_PROOF_TABLES_HPP
#define LICIT_TESTS_PROOF_TABLES_HPP

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <licit/deque/chase_lev.hpp>

#include "proof/structures.hpp"

namespace licit::proof {

inline order order_named(const std::string& name) {
  for (const order o : {order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst}) {
    if (licit::detail::name(o) == name) return o;
  }
  throw std::out_of_range(name);
}

/// The run-time copy of the table: that in use, but for these rows. `pop.reserve seq_cst, pop.fence relaxed`
template <const auto& Table = chase_lev_orders>
void use_rows(const std::string& rows) {
  using orders = checker::live_orders<Table>;
  orders::reset();
  std::istringstream words(rows);
  for (std::string site, how; words >> site >> how;) {
    orders::apply({site.c_str(), checker::change::weaken, order_named(how.substr(0, how.find(',')))});
  }
}

/// The structure's weakest tables in the audit's record, as the rows in which they differ from the table in use.
inline std::vector<std::string> weakest_tables(const std::string& of) {
  std::ifstream record(LICIT_AUDIT_RECORD);
  std::vector<std::string> all;
  std::string structure;
  for (std::string line; std::getline(record, line);) {
    if (line.starts_with("structure ")) structure = line.substr(10, line.find(" |") - 10);
    if (structure != of || !line.starts_with("minimum | ")) continue;
    all.push_back(line == "minimum | as in use" ? "" : line.substr(10));
  }
  return all;
}

}  // namespace licit::proof

#endif
