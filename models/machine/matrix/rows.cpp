#include "machine/matrix/rows.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <set>
#include <stdexcept>

#include "machine/matrix/weaker.hpp"

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
  if (m.how == change::drop && is_fence(kind_at(s, m.site))) m = {m.site, change::weaken};
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
           .says = fmt::format("{} {}", name(kind_at(of_, what.site)), says(what.how)),
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

}  // namespace licit::matrix
