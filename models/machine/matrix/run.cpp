#include "machine/matrix/run.hpp"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <stdexcept>

#include <licit/checker/process_pool.hpp>

#include "machine/matrix/cell.hpp"
#include "machine/matrix/results.hpp"

namespace licit::matrix {

namespace {

constexpr std::array budgets{
    budget{.name = "ci",
           .exhaustive = 20'000,
           .both_rules = false,
           .sample = 10'000,
           .relacy = 2'000,
           .fuzz = 5'000,
           .stress = 2'000,
           .stress_seconds = 2,
           .seeds = 1,
           .control = 10'000,
           .control_seconds = 2},
    budget{.name = "normal",
           .exhaustive = 5'000'000,
           .both_rules = true,
           .sample = 20'000,
           .relacy = 20'000,
           .fuzz = 20'000,
           .stress = 20'000,
           .stress_seconds = 10,
           .seeds = 3,
           .control = 100'000,
           .control_seconds = 120},
    budget{.name = "nightly",
           .exhaustive = 50'000'000,
           .both_rules = true,
           .sample = 100'000,
           .relacy = 100'000,
           .fuzz = 500'000,
           .stress = 100'000,
           .stress_seconds = 60,
           .seeds = 5,
           .control = 500'000,
           .control_seconds = 200},
};

}  // namespace

const budget& find_budget(std::string_view name) {
  const auto* const found = std::ranges::find(budgets, name, &budget::name);
  if (found != budgets.end()) return *found;
  throw std::invalid_argument("licit: there is no budget " + std::string(name) + "; there are: ci normal nightly");
}

budget budget_for(const row& r, const budget& b) {
  budget own = b;
  if (!r.is_control()) return own;
  const std::uint64_t seeds = std::max(b.seeds, 1U);
  const std::uint64_t by_a_seed = (b.control + seeds - 1) / seeds;
  for (std::uint64_t budget::* const each : {&budget::sample, &budget::fuzz, &budget::stress}) {
    own.*each = std::max(own.*each, by_a_seed);
  }
  own.stress_seconds = b.control_seconds;
  return own;
}

std::vector<std::string> budget_names() {
  std::vector<std::string> all;
  all.reserve(budgets.size());
  for (const budget& b : budgets) all.emplace_back(b.name);
  return all;
}

namespace {

void ran_on(results& r, const column& by) {
  const auto h = std::ranges::find(r.columns, by.name, &heading::name);
  if (h != r.columns.end()) h->machine = by.machine;
}

}  // namespace

void fill(results& r, const std::vector<order_for>& what, const budget& b, unsigned jobs,
          const std::function<void(const progress&)>& told) {
  std::vector<checker::process_pool::task> tasks;
  tasks.reserve(what.size());
  for (const order_for& o : what) {
    const row& of = r.rows[o.row].of;
    tasks.emplace_back([&of, &b, &o] { return to_json(o.by->judge(of, budget_for(of, b), o.program)); });
  }
  std::size_t done = 0;
  checker::run_all(tasks, jobs, [&](const checker::process_pool::ended& e) {
    const order_for& o = what[e.number];
    judged_row& row = r.rows[o.row];
    cell& c = row.cells[o.by->name];
    c = e.failure.empty() ? read_cell(e.output, o.by->name) : not_run(e.failure);
    if (c.found != finding::not_run) ran_on(r, *o.by);
    told({.done = ++done, .of = what.size(), .row = row, .by = *o.by, .got = c});
  });
}

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
