#include "machine/matrix/weaker.hpp"

#include <algorithm>
#include <fmt/core.h>

namespace licit::matrix {

namespace {

bool same(const models::mutation& a, const models::mutation& b) {
  return a.success == b.success && a.failure == b.failure;
}

/// A fence that is relaxed is none, and is called so.
std::string_view word(operation kind, order o) {
  return is_fence(kind) && o == order::relaxed ? "removed" : licit::name(o);
}

std::string name_of(const licit::row& r, order success, order failure) {
  const bool all = success == order::relaxed && failure == order::relaxed;
  if (all || r.failure == order::relaxed) return fmt::format("{} {}", r.site, word(r.kind, success));
  return failure == r.failure ? fmt::format("{} success {}", r.site, licit::name(success))
                              : fmt::format("{} failure {}", r.site, licit::name(failure));
}

}  // namespace

std::vector<order> one_step_below(operation kind, order o) {
  if (kind == operation::light_fence || kind == operation::heavy_fence) {
    return o == order::seq_cst ? std::vector{order::relaxed} : std::vector<order>{};
  }
  switch (o) {
    case order::seq_cst:
      if (kind == operation::load) return {order::acquire};
      if (kind == operation::store) return {order::release};
      return {order::acq_rel};
    case order::acq_rel: return {order::acquire, order::release};
    case order::acquire:
    case order::release: return {order::relaxed};
    case order::relaxed: return {};
  }
  return {};
}

std::string described(operation kind, order success, order failure) {
  if (kind == operation::compare_exchange) {
    return fmt::format("{} {}/{}", licit::name(kind), licit::name(success), licit::name(failure));
  }
  return fmt::format("{} {}", licit::name(kind), word(kind, success));
}

std::vector<weakening> weakenings_of(const licit::row& r) {
  std::vector<weakening> all;
  const auto add = [&](order success, order failure) {
    const models::mutation m{r.site, models::change::weaken, success, failure};
    if (std::ranges::any_of(all, [&](const weakening& w) { return same(w.what, m); })) return;
    all.push_back({m, name_of(r, success, failure),
                   fmt::format("{} → {}", described(r.kind, r.success, r.failure),
                               is_fence(r.kind) || r.kind != operation::compare_exchange
                                   ? std::string(word(r.kind, success))
                                   : fmt::format("{}/{}", licit::name(success), licit::name(failure)))});
  };
  for (const order o : one_step_below(r.kind, r.success)) add(o, r.failure);
  // A compare-exchange that fails is a load.
  for (const order o : one_step_below(operation::load, r.failure)) add(r.success, o);
  if (r.success != order::relaxed || r.failure != order::relaxed) add(order::relaxed, order::relaxed);
  return all;
}

}  // namespace licit::matrix
