#include "machine/stress/witnesses.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "machine/matrix/rows.hpp"

namespace licit::stress {

namespace {

using checker::violation;

/// Whether a thread of the machine's could tell: steps are not counted there.
bool native_too(violation kind) { return kind != violation::steps && kind != violation::retries; }

struct sight {
  bool native;
  bool by_language;  ///< by rules of C++20 alone that no machine has: ghosts, release sequences that end
  std::uint64_t executions;
  std::string program;
};

checker::verdict explore(const suites::program& p, const effort& e, bool language) {
  checker::options o;
  o.max_executions = e.executions;
  o.ghosts = language;
  if (!language) o.sequences = checker::release_sequences::cxx11;
  return p.explore(o);
}

std::optional<sight> look(const suites::program& p, const effort& e) {
  const checker::verdict v = explore(p, e, true);
  if (v.outcome != checker::outcome::violation) return std::nullopt;
  const bool by_language = explore(p, e, false).outcome != checker::outcome::violation;
  return sight{native_too(v.kind), by_language, v.executions, std::string(p.about.name)};
}

/// Where the row is seen: as a machine could see it first, of these the soonest.
std::vector<sight> sights_of(const matrix::row& r, const effort& e) {
  const matrix::applied now(r);
  std::vector<sight> all;
  for (const suites::program* p : matrix::programs_of(r)) {
    if (auto seen = look(*p, e)) all.push_back(*seen);
  }
  std::ranges::stable_sort(all, {}, [](const sight& s) { return std::tuple(!s.native, s.by_language, s.executions); });
  return all;
}

/// Little effort finds most; the rest is given all, and so is what no machine could see in what was found.
witnesses find(const matrix::row& r, const effort& e) {
  witnesses w{.row = r};
  if (r.what == matrix::kind::broken) {
    w.programs = {r.program};
    w.shown = shows(r, r.program, e);
    return w;
  }
  if (r.is_control()) return w;
  for (const std::uint64_t executions : {e.executions / 20, e.executions}) {
    w.programs.clear();
    const std::vector<sight> all = sights_of(r, {.executions = executions});
    for (const sight& s : all) w.programs.push_back(s.program);
    if (!all.empty() && all.front().native && !all.front().by_language) break;
  }
  w.shown = !w.programs.empty();
  return w;
}

/// The programs of some row, those of most rows first.
std::vector<std::string> most_used(const std::vector<witnesses>& all, const suites::structure& s) {
  std::map<std::string, std::size_t> uses;
  for (const witnesses& w : all) {
    if (w.row.what == matrix::kind::broken) continue;
    for (const std::string& p : w.programs) ++uses[p];
  }
  std::vector<std::string> names;
  names.reserve(uses.size());
  for (const auto& [name, count] : uses) names.push_back(name);
  if (names.empty()) names.emplace_back(s.programs.front().about.name);
  std::ranges::stable_sort(names, std::greater<>(), [&](const std::string& n) { return uses[n]; });
  return names;
}

bool at_least(order a, order b) {
  const auto acquires = [](order o) { return o == order::acquire || o == order::acq_rel || o == order::seq_cst; };
  const auto releases = [](order o) { return o == order::release || o == order::acq_rel || o == order::seq_cst; };
  return (a == order::seq_cst || b != order::seq_cst) && (acquires(a) || !acquires(b)) && (releases(a) || !releases(b));
}

/// Whether what the first makes wrong the second makes wrong as well, being a weaker order at the same site.
bool milder(const matrix::row& a, const matrix::row& b) {
  const auto weakens = [](const matrix::row& r) {
    return !r.is_control() && r.changes.size() == 1 && r.changes.front().how == suites::change::weaken;
  };
  if (a.name == b.name || !weakens(a) || !weakens(b)) return false;
  const suites::mutation& one = a.changes.front();
  const suites::mutation& other = b.changes.front();
  return one.site == other.site && at_least(one.success, other.success) && at_least(one.failure, other.failure);
}

/// Of the programs of all milder rows and its own the first, then the second, and so on: what shows a milder row needs
/// less luck for this one, where what the checker sees soonest may be rare on a machine.
std::vector<std::string> with_milder(const witnesses& w, const std::vector<witnesses>& all, const effort& e) {
  std::vector<const std::vector<std::string>*> lists;
  for (const witnesses& other : all) {
    if (milder(other.row, w.row)) lists.push_back(&other.programs);
  }
  lists.push_back(&w.programs);
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (names.size() == e.programs || std::ranges::count(names, name) != 0) return;
    if (std::ranges::count(w.programs, name) != 0 || shows(w.row, name, e)) names.push_back(name);
  };
  for (std::size_t place = 0; place != e.programs; ++place) {
    for (const auto* const list : lists) {
      if (place < list->size()) add((*list)[place]);
    }
  }
  return names;
}

}  // namespace

bool shows(const matrix::row& r, const std::string& program, const effort& e) {
  const matrix::applied now(r);
  for (const suites::program* p : matrix::programs_of(r)) {
    if (p->about.name == program) return look(*p, e).has_value();
  }
  return false;
}

std::vector<witnesses> witnesses_of(const suites::structure& s, const effort& e) {
  std::vector<witnesses> all;
  for (const matrix::row& r : matrix::rows_of(s)) all.push_back(find(r, e));
  std::vector<std::vector<std::string>> wider;
  wider.reserve(all.size());
  for (const witnesses& w : all) wider.push_back(w.shown ? with_milder(w, all, e) : w.programs);
  for (std::size_t i = 0; i != all.size(); ++i) all[i].programs = std::move(wider[i]);
  const std::vector<std::string> used = most_used(all, s);
  for (witnesses& w : all) {
    if (!w.programs.empty()) continue;
    const bool correct = w.row.is_control() && w.row.changes.empty();
    const std::size_t most = correct ? used.size() : w.row.is_control() ? e.controls : e.programs;
    w.programs.assign(used.begin(), used.begin() + static_cast<std::ptrdiff_t>(std::min(used.size(), most)));
  }
  return all;
}

}  // namespace licit::stress
