#include "machine/binary/build.hpp"

#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <licit/deque/version.hpp>

#include "machine/codegen/process.hpp"
#include "machine/codegen/structure.hpp"

namespace licit::binary {

executable build(const codegen::structure& s, const codegen::compiler& by, std::string_view headers,
                 const std::optional<std::vector<codegen::change>>& changes) {
  const codegen::scratch place;
  const std::string source = (place / "client.cpp").string();
  const std::string made = (place / "client").string();
  if (!(std::ofstream(source) << codegen::operations_source << client_source).flush()) {
    throw std::runtime_error("cannot write " + source);
  }
  std::vector<std::string> compile = by.command;
  std::ranges::copy(std::vector<std::string>{"-std=c++20", "-O2", "-static", "-no-pie", source, "-o", made,
                                             fmt::format("-DLICIT_VERSION=\"{}\"", header_version)},
                    std::back_inserter(compile));
  std::ranges::move(codegen::include_flags(headers), std::back_inserter(compile));
  std::ranges::copy(s.definitions(), std::back_inserter(compile));
  if (changes) {
    std::string changed = "-DLICIT_CHANGES=";
    for (const codegen::change& c : *changes) changed += fmt::format("{{{}, change::{}}},", c.row, c.how);
    compile.push_back(changed);
  }
  const codegen::finished compiled = codegen::run(compile);
  if (compiled.status != 0) throw std::runtime_error(codegen::shown(compile) + " failed:\n" + compiled.output);
  return read_executable(made);
}

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
  return detail::lawful(r);
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
      const bool seen = !all.empty() && all.back().row == k && all.back().how == detail::name(o);
      if (!seen) all.push_back({k, std::string(detail::name(o))});
    }
  }
  return all;
}

}  // namespace licit::binary
