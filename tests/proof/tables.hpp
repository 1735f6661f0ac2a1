/// Chase-Lev's ordering table with other rows, as models/audit/record.txt lists weakest tables.
#ifndef LICIT_TESTS_PROOF_TABLES_HPP
#define LICIT_TESTS_PROOF_TABLES_HPP

#include <sstream>
#include <stdexcept>
#include <string>

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
inline void use_rows(const std::string& rows) {
  using orders = checker::live_orders<chase_lev_orders>;
  orders::reset();
  std::istringstream words(rows);
  for (std::string site, how; words >> site >> how;) {
    orders::apply({site.c_str(), checker::change::weaken, order_named(how.substr(0, how.find(',')))});
  }
}

}  // namespace licit::proof

#endif
