#include "machine/matrix/results.hpp"

#include <algorithm>
#include <utility>

#include <licit/audit_digest.hpp>
#include <licit/deque/version.hpp>

namespace licit::matrix {

const cell* judged_row::find(std::string_view column) const {
  const auto found = cells.find(std::string(column));
  return found == cells.end() ? nullptr : &found->second;
}

bool judged_row::caught() const {
  return std::ranges::any_of(cells, [](const auto& c) { return c.second.caught(); });
}

results blank(const std::vector<row>& rows, const std::vector<column>& columns, std::string_view budget) {
  results r{
      .version = std::string(library_version()), .digest = std::string(audit_digest), .budget = std::string(budget)};
  for (const column& c : columns) r.columns.push_back({c.name, c.title, c.how});
  for (const row& of : rows) r.rows.push_back({.of = of});
  return r;
}

std::size_t take_over(results& r, const results& earlier) {
  std::size_t taken = 0;
  for (heading& h : r.columns) {
    const auto known = std::ranges::find(earlier.columns, h.name, &heading::name);
    if (known != earlier.columns.end() && !known->machine.empty()) h.machine = known->machine;
  }
  for (judged_row& each : r.rows) {
    const auto known = std::ranges::find_if(
        earlier.rows, [&](const judged_row& e) { return e.of.id() == each.of.id() && e.of.says == each.of.says; });
    if (known == earlier.rows.end()) continue;
    each.equivalent = known->equivalent;
    for (const heading& h : r.columns) {
      const cell* c = known->find(h.name);
      if (c == nullptr || c->found == finding::not_run) continue;
      each.cells[h.name] = *c;
      ++taken;
    }
  }
  return taken;
}

total total_of(const results& r, std::string_view column) {
  total t;
  for (const judged_row& each : r.rows) {
    const cell* c = each.find(column);
    const finding found = c == nullptr ? finding::not_run : c->found;
    if (found == finding::not_run) {
      ++t.not_run;
    } else if (found == finding::cannot_see) {
      ++t.cannot_see;
    } else if (each.of.is_control()) {
      ++(found == finding::caught ? t.false_alarms : t.clean);
    } else {
      ++(found == finding::caught ? t.caught : t.not_caught);
    }
  }
  return t;
}

std::vector<const judged_row*> uncaught(const results& r) {
  std::vector<const judged_row*> all;
  for (const judged_row& each : r.rows) {
    if (!each.of.is_control() && !each.caught() && each.equivalent.empty()) all.push_back(&each);
  }
  return all;
}

std::vector<const judged_row*> equivalent(const results& r) {
  std::vector<const judged_row*> all;
  for (const judged_row& each : r.rows) {
    if (!each.of.is_control() && !each.caught() && !each.equivalent.empty()) all.push_back(&each);
  }
  return all;
}

namespace {

std::string why_missed(const judged_row& each, const cell& c) {
  if (!c.reason.empty()) return c.reason;
  const cell* exact = each.find("exhaustive");
  if (!each.equivalent.empty()) return "equivalent: " + each.equivalent;
  return exact == nullptr || exact->only.empty() ? "not explained" : "it takes " + exact->only;
}

std::vector<std::string> alarms(const results& r, bool excused) {
  std::vector<std::string> all;
  for (const judged_row& each : r.rows) {
    if (!each.of.is_control()) continue;
    for (const heading& h : r.columns) {
      const cell* c = each.find(h.name);
      if (c == nullptr || !c->caught() || c->excuse.empty() == excused) continue;
      all.push_back(each.of.id() + " by " + h.name + (excused ? ": " + c->excuse : ""));
    }
  }
  return all;
}

}  // namespace

std::vector<name_list> name_lists(const results& r) {
  name_list nobody{"Uncaught by every column that was run", {}};
  for (const judged_row* each : uncaught(r)) nobody.names.push_back(each->of.id());
  name_list none{"Equivalent, and so no mutants", {}};
  for (const judged_row* each : equivalent(r)) none.names.push_back(each->of.id() + ": " + each->equivalent);
  return {std::move(nobody),
          std::move(none),
          {"False alarms", false_alarms(r)},
          {"False alarms by a known fault of the column", excused_alarms(r)}};
}

std::vector<std::string> missed(const results& r, std::string_view column) {
  std::vector<std::string> all;
  for (const judged_row& each : r.rows) {
    const cell* c = each.find(column);
    if (each.of.is_control() || c == nullptr) continue;
    if (c->found != finding::not_caught && c->found != finding::cannot_see) continue;
    all.push_back(each.of.id() + ": " + why_missed(each, *c));
  }
  return all;
}

std::vector<std::string> false_alarms(const results& r) { return alarms(r, false); }

std::vector<std::string> excused_alarms(const results& r) { return alarms(r, true); }

}  // namespace licit::matrix
