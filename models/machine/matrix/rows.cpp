#include "machine/matrix/rows.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>

namespace licit::matrix {

namespace {

using suites::change;
using suites::mutant;
using suites::mutation;
using suites::structure;

operation kind_at(const structure& s, std::string_view site) {
  const auto found = std::ranges::find(s.audited.rows, site, &licit::row::site);
  if (found == s.audited.rows.end()) {
    throw std::logic_error(fmt::format("licit: a mutant of {} is of the site {}, which it has not", s.name, site));
  }
  return found->kind;
}

/// A fence that is left out is one that is relaxed.
mutation canonical(const structure& s, mutation m) {
  if (m.how == change::drop && licit::detail::is_fence(kind_at(s, m.site))) m = {m.site, change::weaken};
  if (m.how != change::weaken) m.success = m.failure = order::relaxed;
  return m;
}

bool same(const mutation& a, const mutation& b) {
  return a.site == b.site && a.how == b.how && a.success == b.success && a.failure == b.failure;
}

std::string_view says(change how) {
  switch (how) {
    case change::weaken: return "weaker";
    case change::drop: return "left out";
    case change::drop_first: return "left out the first time";
    case change::blind_store: return "a store that does not look";
    case change::symmetric: return "a light fence orders nothing, a heavy one is an ordinary one";
  }
  return "";
}

class maker {
 public:
  explicit maker(const structure& s) : of_{s} {}

  void controls() {
    add({.name = "correct code", .what = kind::control, .says = "as it is written"});
    for (formulation& f : formulations_of(of_)) {
      add({.name = f.name, .what = kind::control, .changes = std::move(f.changes), .says = "another right table"});
    }
  }

  void orderings() {
    for (const licit::row& r : of_.audited.rows) {
      for (weakening& w : weakenings_of(r)) {
        const mutant* known = in_catalogue(w.what);
        add({.name = known == nullptr ? w.name : std::string(known->name),
             .changes = {w.what},
             .says = w.says,
             .relacy_blind = known == nullptr ? "" : std::string(known->relacy_blind)});
      }
    }
  }

  void others() {
    for (const mutant& m : of_.mutants) {
      const mutation what = canonical(of_, m.what);
      if (has(what)) continue;
      const bool weaker = what.how == change::weaken || what.how == change::symmetric;
      add({.name = std::string(m.name),
           .what = weaker ? kind::ordering : kind::logic,
           .changes = {what},
           .says = fmt::format("{} {}", licit::detail::name(kind_at(of_, what.site)), says(what.how)),
           .relacy_blind = std::string(m.relacy_blind)});
    }
  }

  void broken() {
    for (const suites::program& p : of_.broken) {
      add({.name = std::string(p.about.name),
           .what = kind::broken,
           .program = std::string(p.about.name),
           .says = std::string(p.about.property)});
    }
  }

  std::vector<row> take() { return std::move(rows_); }

 private:
  [[nodiscard]] const mutant* in_catalogue(const mutation& m) const {
    const auto found =
        std::ranges::find_if(of_.mutants, [&](const mutant& k) { return same(canonical(of_, k.what), m); });
    return found == of_.mutants.end() ? nullptr : &*found;
  }
  [[nodiscard]] bool has(const mutation& m) const {
    return std::ranges::any_of(
        rows_, [&](const row& r) { return !r.is_control() && r.changes.size() == 1 && same(r.changes.front(), m); });
  }
  void add(row r) {
    r.structure = of_.name;
    if (!names_.insert(r.name).second) {
      throw std::logic_error(fmt::format("licit: two rows of the kill matrix are called {}", r.id()));
    }
    rows_.push_back(std::move(r));
  }

  const structure& of_;
  std::vector<row> rows_;
  std::set<std::string> names_;
};

}  // namespace

std::vector<row> rows_of(const structure& s) {
  maker m(s);
  m.controls();
  m.orderings();
  m.others();
  m.broken();
  return m.take();
}

const std::vector<row>& all_rows() {
  static const std::vector<row> all = [] {
    std::vector<row> rows;
    for (const structure& s : suites::structures()) std::ranges::move(rows_of(s), std::back_inserter(rows));
    return rows;
  }();
  return all;
}

const structure& structure_of(const row& r) {
  const auto all = suites::structures();
  const auto found = std::ranges::find(all, r.structure, &structure::name);
  if (found == all.end()) throw std::invalid_argument("licit: there is no structure " + r.structure);
  return *found;
}

std::vector<const suites::program*> programs_of(const row& r) {
  const structure& s = structure_of(r);
  std::vector<const suites::program*> all;
  for (unsigned threads = 0; threads <= checker::max_threads; ++threads) {
    for (const suites::program& p : r.what == kind::broken ? s.broken : s.programs) {
      const bool meant = r.what != kind::broken || p.about.name == r.program;
      if (meant && p.about.threads == threads) all.push_back(&p);
    }
  }
  return all;
}

std::vector<licit::row> table_of(const row& r) {
  std::vector<licit::row> table = structure_of(r).audited.rows;
  for (const mutation& m : r.changes) {
    const auto entry = std::ranges::find(table, m.site, &licit::row::site);
    if (entry == table.end() || m.how != change::weaken) continue;
    entry->success = m.success;
    entry->failure = m.failure;
  }
  return table;
}

applied::applied(const row& r) : of_{structure_of(r)} {
  of_.reset();
  for (const mutation& m : r.changes) of_.apply(m);
}

applied::~applied() { of_.reset(); }

namespace {

bool same_orders(const suites::mutation& a, const suites::mutation& b) {
  return a.success == b.success && a.failure == b.failure;
}

/// A fence that is relaxed is none, and is called so.
std::string_view word(operation kind, order o) {
  return licit::detail::is_fence(kind) && o == order::relaxed ? "removed" : licit::detail::name(o);
}

std::string name_of(const licit::row& r, order success, order failure) {
  const bool all = success == order::relaxed && failure == order::relaxed;
  if (all || r.failure == order::relaxed) return fmt::format("{} {}", r.site, word(r.kind, success));
  return failure == r.failure ? fmt::format("{} success {}", r.site, licit::detail::name(success))
                              : fmt::format("{} failure {}", r.site, licit::detail::name(failure));
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
    return fmt::format("{} {}/{}", licit::detail::name(kind), licit::detail::name(success),
                       licit::detail::name(failure));
  }
  return fmt::format("{} {}", licit::detail::name(kind), word(kind, success));
}

std::vector<weakening> weakenings_of(const licit::row& r) {
  std::vector<weakening> all;
  const auto add = [&](order success, order failure) {
    const suites::mutation m{r.site, suites::change::weaken, success, failure};
    if (std::ranges::any_of(all, [&](const weakening& w) { return same_orders(w.what, m); })) return;
    all.push_back(
        {m, name_of(r, success, failure),
         fmt::format("{} → {}", described(r.kind, r.success, r.failure),
                     licit::detail::is_fence(r.kind) || r.kind != operation::compare_exchange
                         ? std::string(word(r.kind, success))
                         : fmt::format("{}/{}", licit::detail::name(success), licit::detail::name(failure)))});
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
};

/// Where an order is not relaxed it is seq_cst.
formulation all_seq_cst(const suites::structure& s) {
  formulation f{"every order seq_cst", {}};
  for (const licit::row& r : s.audited.rows) {
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
