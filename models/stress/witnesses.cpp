#include "stress/witnesses.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "matrix/rows.hpp"

namespace licit::stress {

namespace {

using checker::violation;

/// Whether a thread of the machine's could tell: steps are not counted there.
bool native_too(violation kind) { return kind != violation::steps && kind != violation::retries; }

struct sight {
  bool native;
  std::uint64_t executions;
  std::string program;
};

std::optional<sight> look(const models::program& p, const effort& e) {
  checker::options o;
  o.max_executions = e.executions;
  const checker::verdict v = p.explore(o);
  if (v.end != checker::ending::violation) return std::nullopt;
  return sight{native_too(v.kind), v.executions, std::string(p.about.name)};
}

/// The programs that show the row, those that show it soonest first.
std::vector<std::string> seen_in(const matrix::row& r, const effort& e) {
  const matrix::applied now(r);
  std::vector<sight> all;
  for (const models::program* p : matrix::programs_of(r)) {
    if (auto seen = look(*p, e)) all.push_back(*seen);
  }
  std::ranges::stable_sort(all, {}, [](const sight& s) { return std::pair(!s.native, s.executions); });
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const sight& s : all) names.push_back(s.program);
  return names;
}

/// Little effort finds most; the rest is given all.
witnesses find(const matrix::row& r, const effort& e) {
  witnesses w{.row = r};
  if (r.what == matrix::kind::broken) {
    w.programs = {r.program};
    w.shown = shows(r, r.program, e);
    return w;
  }
  if (r.is_control()) return w;
  for (const std::uint64_t executions : {e.executions / 20, e.executions}) {
    w.programs = seen_in(r, {.executions = executions});
    if (!w.programs.empty()) break;
  }
  w.shown = !w.programs.empty();
  w.programs.resize(std::min(w.programs.size(), e.programs));
  return w;
}

/// The programs of some row, those of most rows first.
std::vector<std::string> most_used(const std::vector<witnesses>& all, const models::structure& s) {
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

}  // namespace

bool shows(const matrix::row& r, const std::string& program, const effort& e) {
  const matrix::applied now(r);
  for (const models::program* p : matrix::programs_of(r)) {
    if (p->about.name == program) return look(*p, e).has_value();
  }
  return false;
}

std::vector<witnesses> witnesses_of(const models::structure& s, const effort& e) {
  std::vector<witnesses> all;
  for (const matrix::row& r : matrix::rows_of(s)) all.push_back(find(r, e));
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
