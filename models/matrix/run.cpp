#include "matrix/run.hpp"

#include "matrix/json.hpp"
#include "matrix/pool.hpp"

namespace licit::matrix {

void fill(results& r, const std::vector<order_for>& what, const budget& b, unsigned jobs,
          const std::function<void(const progress&)>& told) {
  std::vector<task> tasks;
  tasks.reserve(what.size());
  for (const order_for& o : what) {
    tasks.emplace_back([&r, &b, &o] { return to_json(o.by->judge(r.rows[o.row].of, b, o.program)); });
  }
  std::size_t done = 0;
  run_all(tasks, jobs, [&](const ended& e) {
    const order_for& o = what[e.index];
    judged_row& row = r.rows[o.row];
    cell& c = row.cells[o.by->name];
    c = e.failure.empty() ? read_cell(e.result, o.by->name) : not_run(e.failure);
    told({.done = ++done, .of = what.size(), .row = row, .by = *o.by, .got = c});
  });
}

}  // namespace licit::matrix
