#include <algorithm>
#include <optional>

#include <licit/audit/audit.hpp>

namespace licit::audit {

namespace {

/// Remembers what it was asked: what is below a table that broke breaks, what is above one that passed passes.
class oracle {
 public:
  oracle(const subject& s, examiner& e, const settings& how) : subject_{s}, examiner_{e}, how_{how} {}

  [[nodiscard]] std::uint64_t examined() const { return examined_; }
  /// Whether no search has reached a limit.
  [[nodiscard]] bool decided() const { return decided_; }

  bool passes(const assignment& a) {
    if (std::ranges::any_of(passed_, [&](const assignment& p) { return no_stronger(p, a); })) return true;
    if (std::ranges::any_of(broken_, [&](const assignment& b) { return no_stronger(a, b); })) return false;
    ++examined_;
    if (how_.progress) how_.progress("tables", examined_, 0);
    const checker::outcome found = examiner_.examine_quickly(a).outcome;
    if (found == checker::outcome::limit) return decided_ = false;  // neither: what follows from it is not known
    const bool ok = found == checker::outcome::ok;
    (ok ? passed_ : broken_).push_back(a);
    return ok;
  }

  /// A minimum below a table that the quick programs pass; nothing if all of them together do not.
  std::optional<assignment> minimum_below(const assignment& from) {
    for (;;) {
      if (!passes(from)) return std::nullopt;
      assignment low = descend(from);
      const checker::outcome found = examiner_.examine_fully(low).outcome;
      if (found == checker::outcome::ok) return low;
      if (found == checker::outcome::limit) return decided_ = false, std::nullopt;
      passed_.clear();  // by fewer programs than there are now
      broken_.push_back(low);
    }
  }

 private:
  assignment descend(assignment a) {
    for (std::size_t i = 0; i != a.size(); ++i) {
      for (const level& l : levels_of(subject_.rows[i])) {  // the weakest first
        if (!no_stronger(l, a[i]) || l == a[i]) continue;
        const level now = a[i];
        a[i] = l;
        if (passes(a)) break;
        a[i] = now;
      }
    }
    return a;
  }

  const subject& subject_;
  examiner& examiner_;
  const settings& how_;
  std::vector<assignment> passed_;
  std::vector<assignment> broken_;
  std::uint64_t examined_ = 0;
  bool decided_ = true;
};

/// The strongest levels of a row that are not as strong as `than`.
std::vector<level> strongest_without(const row& r, const level& than) {
  std::vector<level> without;
  for (const level& l : levels_of(r)) {
    if (!no_stronger(than, l)) without.push_back(l);
  }
  std::vector<level> strongest;
  for (const level& l : without) {
    const bool below = std::ranges::any_of(without, [&](const level& o) { return o != l && no_stronger(l, o); });
    if (!below) strongest.push_back(l);
  }
  return strongest;
}

class searcher {
 public:
  searcher(const subject& s, oracle& o, std::vector<assignment>& found) : subject_{s}, oracle_{o}, found_{found} {}

  /// A table that passes and is above no minimum known: below the strongest that lacks something of each. False when
  /// there is none.
  bool another() {
    assignment top;
    for (const row& r : subject_.rows) top.push_back(strongest(r));
    return choose(0, top);
  }

 private:
  bool choose(std::size_t known, const assignment& below) {
    if (known == found_.size()) {
      const auto low = oracle_.minimum_below(below);
      if (low) found_.push_back(*low);
      return low.has_value();
    }
    const assignment& m = found_[known];
    if (!no_stronger(m, below)) return choose(known + 1, below);  // it lacks something of this one already
    if (!oracle_.passes(below)) return false;                     // and nothing weaker will
    for (std::size_t i = 0; i != m.size(); ++i) {
      for (const level& l : strongest_without(subject_.rows[i], m[i])) {
        if (!no_stronger(l, below[i])) continue;
        assignment next = below;
        next[i] = l;
        if (choose(known + 1, next)) return true;
      }
    }
    return false;
  }

  const subject& subject_;
  oracle& oracle_;
  std::vector<assignment>& found_;
};

}  // namespace

minima find_minima(const subject& s, const assignment& known, std::size_t most, const settings& how) {
  examiner e(s, how);
  minima m;
  m.each = e.measure().executions;
  m.ordered = static_cast<std::size_t>(std::ranges::count_if(
      known, [](const level& l) { return l.success != order::relaxed || l.failure != order::relaxed; }));
  if (!m.searched()) return m;
  oracle o(s, e, how);
  if (const auto low = o.minimum_below(known)) m.found.push_back(*low);
  while (m.found.size() < most) {
    if (!searcher(s, o, m.found).another()) {
      m.all = o.decided();
      break;
    }
  }
  m.examined = o.examined();
  return m;
}

}  // namespace licit::audit
