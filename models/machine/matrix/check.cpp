#include "machine/matrix/check.hpp"

#include <algorithm>
#include <fmt/core.h>

#include "machine/matrix/pages.hpp"

namespace licit::matrix {

namespace {

const judged_row* find(const results& r, const judged_row& like) {
  const auto found = std::ranges::find_if(r.rows, [&](const judged_row& e) { return e.of.id() == like.of.id(); });
  return found == r.rows.end() ? nullptr : &*found;
}

/// By every seed: one that needs luck is not asked.
bool surely(const cell& c) { return c.caught() && c.caught_by == c.seeds; }

/// Null: no column of these caught it.
const column* cheapest_of(const judged_row& known, const std::vector<column>& by) {
  const column* best = nullptr;
  for (const column& each : by) {
    const cell* c = known.find(each.name);
    if (c == nullptr || !surely(*c)) continue;
    if (best == nullptr || c->executions < known.find(best->name)->executions) best = &each;
  }
  return best;
}

}  // namespace

std::vector<order_for> cheapest(const results& blank, const results& record, const std::vector<column>& by) {
  std::vector<order_for> all;
  for (std::size_t i = 0; i != blank.rows.size(); ++i) {
    const judged_row& each = blank.rows[i];
    if (each.of.is_control()) continue;
    const judged_row* known = find(record, each);
    const column* best = known == nullptr ? nullptr : cheapest_of(*known, by);
    if (best != nullptr) {
      const cell& c = *known->find(best->name);
      all.push_back({.row = i, .by = best, .program = c.seeds == 0 ? c.program : ""});
    } else {
      all.push_back({.row = i, .by = &by.front()});
    }
  }
  return all;
}

std::vector<order_for> controls(const results& blank, const std::vector<column>& by) {
  std::vector<order_for> all;
  for (std::size_t i = 0; i != blank.rows.size(); ++i) {
    if (!blank.rows[i].of.is_control()) continue;
    for (const column& c : by) all.push_back({.row = i, .by = &c});
  }
  return all;
}

budget budget_of(const results& record) {
  std::string_view largest = record.budget;
  const std::vector<std::string> known = budget_names();
  for (const std::string& name : known) {
    if (record.budget.find(name) != std::string::npos) largest = name;
  }
  budget b = find_budget(largest);
  b.both_rules = false;
  b.seeds = 1;
  return b;
}

std::vector<std::string> complaints(const results& got, const results& record) {
  std::vector<std::string> all;
  for (const judged_row& each : got.rows) {
    const judged_row* known = find(record, each);
    if (each.of.is_control()) {
      for (const auto& [column, c] : each.cells) {
        if (c.found != finding::not_caught) {
          all.push_back(fmt::format("{} by {}: {}", each.of.id(), column, in_full(&c, true)));
        }
      }
    } else if (known == nullptr) {
      all.push_back(each.of.id() + ": the record does not have it; `make matrix` makes it anew");
    } else if (known->caught() && !each.caught()) {
      all.push_back(each.of.id() + ": was caught once, and is not any more");
    }
  }
  for (const judged_row& known : record.rows) {
    if (find(got, known) == nullptr) all.push_back(known.of.id() + ": of the record; there is no such row");
  }
  return all;
}

}  // namespace licit::matrix
