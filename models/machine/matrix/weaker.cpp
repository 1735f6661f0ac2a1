#include "machine/matrix/weaker.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <span>
#include <string_view>

namespace licit::matrix {

namespace {

bool same(const suites::mutation& a, const suites::mutation& b) {
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
    const suites::mutation m{r.site, suites::change::weaken, success, failure};
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

namespace {

using suites::change;
using suites::mutation;

// NOLINTBEGIN(readability-identifier-naming): as the orders themselves
constexpr order relaxed = order::relaxed;
constexpr order release = order::release;
constexpr order seq_cst = order::seq_cst;
// NOLINTEND(readability-identifier-naming)

constexpr mutation with(std::string_view site, order success) { return {site, change::weaken, success, relaxed}; }

// Lê, Pop, Cohen, Zappa Nardelli: Correct and Efficient Work-Stealing for Weak Memory Models, PPoPP 2013, figure 1.
constexpr std::array le_2013{with("push.fence", release), with("push.publish", relaxed), with("pop.reserve", relaxed)};

constexpr std::array chase_lev_accesses{
    with("pop.reserve", seq_cst), with("pop.fence", relaxed),    with("pop.top", seq_cst),
    with("pop.claim", release),   with("pop.restore", release),  with("steal.top", seq_cst),
    with("steal.fence", relaxed), with("steal.bottom", seq_cst), with("steal.claim", seq_cst),
    with("half.top", seq_cst),    with("half.fence", relaxed),   with("half.bottom", seq_cst)};

constexpr std::array tagged_accesses{with("pop.reserve", seq_cst),  with("pop.fence", relaxed),
                                     with("pop.top", seq_cst),      with("pop.raise", release),
                                     with("pop.claim", release),    with("renew.claim", release),
                                     with("steal.top", seq_cst),    with("steal.fence", relaxed),
                                     with("steal.bottom", seq_cst), with("steal.claim", seq_cst)};

constexpr std::array census_accesses{with("leave.count", seq_cst),         with("tell.fence", relaxed),
                                     with("tell.waiting", seq_cst),        with("tell.change", release),
                                     with("wait.begin", seq_cst),          with("wait.fence", relaxed),
                                     with("wait.changes", order::acquire), with("sum.gone", seq_cst)};

struct form {
  std::string_view structure;
  std::string_view name;
  std::span<const mutation> changes;
};

constexpr std::array forms{
    form{"chase-lev", "a release fence in push", le_2013},
    form{"chase-lev", "seq_cst accesses, no fences", chase_lev_accesses},
    form{"tagged", "seq_cst accesses, no fences", tagged_accesses},
    form{"tagged-asymmetric", "seq_cst accesses, no fences", tagged_accesses},
    form{"census", "seq_cst accesses, no fences", census_accesses},
};

/// Where an order is not relaxed it is seq_cst.
formulation all_seq_cst(const suites::structure& s) {
  formulation f{"every order seq_cst", {}};
  for (const row& r : s.audited.rows) {
    const order success = r.success == relaxed ? relaxed : seq_cst;
    const order failure = r.failure == relaxed ? relaxed : seq_cst;
    if (success != r.success || failure != r.failure) f.changes.push_back({r.site, change::weaken, success, failure});
  }
  return f;
}

}  // namespace

std::vector<formulation> formulations_of(const suites::structure& s) {
  std::vector<formulation> all;
  if (formulation f = all_seq_cst(s); !f.changes.empty()) all.push_back(std::move(f));
  for (const form& f : forms) {
    if (f.structure == s.name) all.push_back({std::string(f.name), {f.changes.begin(), f.changes.end()}});
  }
  return all;
}

}  // namespace licit::matrix
