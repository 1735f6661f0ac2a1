#include "machine/binary/weakenings.hpp"

#include <string>

namespace licit::binary {

namespace {

/// One step down, whatever the operation.
std::vector<order> below(order o) {
  switch (o) {
    case order::seq_cst: return {order::acq_rel};
    case order::acq_rel: return {order::acquire, order::release};
    case order::acquire:
    case order::release: return {order::relaxed};
    case order::relaxed: break;
  }
  return {};
}

bool lawful_with(row r, order o) {
  r.success = o;
  return lawful(r);
}

/// The weaker orders that the operation can have, the next ones first; then relaxed.
std::vector<order> weaker(const row& r) {
  std::vector<order> all;
  std::vector<order> level = below(r.success);
  while (!level.empty() && all.empty()) {
    std::vector<order> next;
    for (const order o : level) {
      if (lawful_with(r, o)) all.push_back(o);
      for (const order lower : below(o)) next.push_back(lower);
    }
    level = next;
  }
  if (!all.empty() && all.front() != order::relaxed) all.push_back(order::relaxed);
  return all;
}

}  // namespace

std::vector<codegen::change> weakenings(const codegen::structure& s) {
  std::vector<codegen::change> all;
  for (std::size_t k = 0; k != s.rows.size(); ++k) {
    for (const order o : weaker(s.rows[k])) {
      const bool seen = !all.empty() && all.back().row == k && all.back().how == name(o);
      if (!seen) all.push_back({k, std::string(name(o))});
    }
  }
  return all;
}

}  // namespace licit::binary
