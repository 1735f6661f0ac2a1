#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include <licit/audit/audit.hpp>

namespace licit::audit {

examiner::examiner(const subject& s, const settings& how)
    : subject_{s}, how_{how}, order_(s.programs.size()), costs_(s.programs.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
}

trial examiner::measure() {
  constexpr std::uint64_t little = 500;  // executions
  trial t = run(subject_.shipped(), true, true, false);
  std::ranges::sort(order_, {}, [&](std::size_t p) { return std::pair{costs_[p], p}; });
  for (const std::uint64_t cost : costs_) quick_.push_back(cost <= little);
  return t;
}

trial examiner::examine(const assignment& a) { return run(a, true, false, false, true); }
trial examiner::examine_without_ghosts(const assignment& a) { return run(a, false, false, false); }
trial examiner::examine_quickly(const assignment& a) { return run(a, true, false, true); }

trial examiner::examine_fully(const assignment& a) {
  trial t = run(a, true, false, false);
  for (std::size_t p = 0; p != quick_.size(); ++p) {
    if (t.outcome == checker::outcome::violation && subject_.programs[p].name == t.program) quick_[p] = true;
  }
  return t;
}

trial examiner::run(const assignment& a, bool ghosts, bool measured, bool quick, bool shown) {
  trial t;
  subject_.use(a);
  for (const std::size_t p : order_) {
    if (quick && !quick_[p]) continue;
    const checker::verdict v = explore(a, p, ghosts);
    if (measured) costs_[p] = v.executions;
    t.executions += v.executions;
    if (v.outcome == checker::outcome::ok) continue;
    t.outcome = v.outcome;
    t.program = subject_.programs[p].name;
    t.kind = name(v.kind);
    t.message = v.message;
    if (shown) show(t, subject_.programs[p], v);
    break;
  }
  subject_.use(subject_.shipped());
  return t;
}

checker::verdict examiner::explore(const assignment& a, std::size_t p, bool ghosts) const {
  const bool first = how_.rule == checker::release_sequences::cxx20;
  if (how_.same != nullptr && !first) {
    if (const auto known = how_.same->find(a, p, ghosts)) return {.executions = *known};
  }
  checker::verdict v =
      subject_.programs[p].run({.sequences = how_.rule, .max_executions = how_.limit, .ghosts = ghosts});
  if (how_.same != nullptr && first && v.outcome == checker::outcome::ok && !v.rules_differ) {
    how_.same->add(a, p, ghosts, v.executions);
  }
  return v;
}

/// The violation in the smallest client.
void examiner::show(trial& t, const program& p, const checker::verdict& v) const {
  const auto smaller = checker::shrink(p.run, {.sequences = how_.rule}, v);
  const checker::verdict& shown = smaller ? *smaller : v;
  t.trace = shown.trace;
  t.picture = shown.picture;
  if (smaller) t.client = checker::text(smaller->calls, p.threads);
}

namespace {

audited_row audit_row(const subject& s, std::size_t i, examiner& e) {
  audited_row audited{s.rows[i]};
  assignment a = s.shipped();
  const level now = a[i];
  std::vector<checker::outcome> outcomes;
  for (const level& l : weaker_than(s.rows[i], now)) {
    a[i] = l;
    weakening w{l, e.examine(a)};
    w.ghost_only =
        w.result.outcome == checker::outcome::violation && e.examine_without_ghosts(a).outcome == checker::outcome::ok;
    outcomes.push_back(w.result.outcome);
    audited.weaker.push_back(std::move(w));
  }
  audited.verdict = need_of(outcomes);
  return audited;
}

}  // namespace

need need_of(const std::vector<checker::outcome>& weaker) {
  if (weaker.empty()) return need::relaxed;
  const auto any = [&](checker::outcome o) { return std::ranges::find(weaker, o) != weaker.end(); };
  return any(checker::outcome::ok) ? need::not_needed : any(checker::outcome::limit) ? need::unknown : need::needed;
}

report audit(const subject& s, const settings& how) {
  const auto has = [&](const row& r) { return how.site.empty() || r.site == how.site; };
  if (std::ranges::none_of(s.rows, has)) {
    throw std::invalid_argument("licit: the table " + s.name + " has no site " + how.site);
  }
  const auto tell = [&](std::string_view what, std::size_t done) {
    if (how.progress) how.progress(what, done, s.rows.size());
  };
  examiner e(s, how);
  report r{.structure = s.name, .rule = how.rule, .sufficient = {}, .programs = {}, .rows = {}};
  tell("the table as it is", 0);
  r.sufficient = e.measure();
  for (std::size_t p = 0; p != s.programs.size(); ++p) r.programs.emplace_back(s.programs[p].name, e.costs()[p]);
  for (std::size_t i = 0; i != s.rows.size(); ++i) {
    if (!has(s.rows[i])) continue;
    tell(s.rows[i].site, i);
    r.rows.push_back(audit_row(s, i, e));
  }
  return r;
}

std::string same_by_both_rules::key(const assignment& orders, std::size_t program, bool ghosts) {
  std::string text = std::to_string(program) + (ghosts ? "g" : "-");
  for (const level& l : orders) {
    for (const order o : {l.success, l.failure}) text += static_cast<char>('0' + static_cast<int>(o));
  }
  return text;
}

std::array<report, 2> audit_by_both_rules(const subject& s, settings how) {
  same_by_both_rules same;
  how.same = &same;
  how.rule = checker::release_sequences::cxx20;
  report first = audit(s, how);
  how.rule = checker::release_sequences::cxx11;
  return {std::move(first), audit(s, how)};
}

}  // namespace licit::audit
