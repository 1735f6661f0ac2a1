#include "machine/matrix/run.hpp"

#include <algorithm>

#include <licit/checker/process_pool.hpp>

#include "machine/matrix/record.hpp"

namespace licit::matrix {

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

}  // namespace licit::matrix
