#include "machine/matrix/results.hpp"

#include <algorithm>
#include <utility>

#include <licit/deque/version.hpp>

namespace licit::matrix {

const cell* judged_row::find(std::string_view column) const {
  const auto found = cells.find(std::string(column));
  return found == cells.end() ? nullptr : &found->second;
}

bool judged_row::caught() const {
  return std::ranges::any_of(cells, [](const auto& c) { return c.second.caught(); });
}

results blank(const std::vector<row>& rows, const std::vector<column>& columns, std::string_view budget,
              const std::map<std::string, sources>& judged) {
  results r{.version = std::string(header_version), .budget = std::string(budget), .judged = judged};
  for (const column& c : columns) r.columns.push_back({c.name, c.title, c.how});
  for (const row& of : rows) r.rows.push_back({.of = of});
  return r;
}

namespace {

/// With the same change; of a broken algorithm `says` is a description, which may be put in other words.
const judged_row* find(const results& in, const row& like) {
  const auto found = std::ranges::find_if(in.rows, [&](const judged_row& e) {
    return e.of.id() == like.id() && e.of.what == like.what && (like.what == kind::broken || e.of.says == like.says);
  });
  return found == in.rows.end() ? nullptr : &*found;
}

std::string code_of(const results& r, const std::string& structure) {
  const auto found = r.judged.find(structure);
  return found == r.judged.end() ? std::string() : found->second.code;
}

}  // namespace

std::size_t take_over(results& r, const results& earlier, bool all) {
  std::size_t taken = 0;
  for (heading& h : r.columns) {
    const auto known = std::ranges::find(earlier.columns, h.name, &heading::name);
    if (known != earlier.columns.end() && !known->machine.empty()) h.machine = known->machine;
  }
  for (judged_row& each : r.rows) {
    const std::string& structure = each.of.structure;
    const judged_row* known = find(earlier, each.of);
    if (known == nullptr || (!all && code_of(r, structure) != code_of(earlier, structure))) continue;
    if (const auto then = earlier.judged.find(structure); then != earlier.judged.end()) {
      r.judged[structure].made = then->second.made;
    }
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
    if (!each.of.is_control() && !each.caught()) all.push_back(&each);
  }
  return all;
}

namespace {

std::string why_missed(const judged_row& each, const cell& c) {
  if (!c.reason.empty()) return c.reason;
  const cell* exact = each.find("exhaustive");
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
  return {std::move(nobody),
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
