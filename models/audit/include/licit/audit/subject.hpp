/// What is audited: a structure's ordering table, and the client programs that it must be right for.
///
///     const auto mine = licit::audit::subject_of<my_orders, program_one, program_two>();
///     const auto report = licit::audit::audit(mine);
#ifndef LICIT_MODELS_AUDIT_SUBJECT_HPP
#define LICIT_MODELS_AUDIT_SUBJECT_HPP

#include <functional>
#include <string>
#include <vector>

#include <licit/audit/lattice.hpp>
#include <licit/checker/live_orders.hpp>
#include <licit/checker/run.hpp>

namespace licit::audit {

struct program {
  std::string name;
  unsigned threads;
  std::function<checker::verdict(const checker::options&)> run;
};

struct subject {
  std::string name;
  std::vector<row> rows;
  std::vector<program> programs;
  void (*use)(const assignment&);  ///< the orders that the programs run with from now on

  /// The orders as they are written.
  [[nodiscard]] assignment shipped() const {
    assignment a;
    for (const row& r : rows) a.push_back({r.success, r.failure});
    return a;
  }
};

template <template <class> class Program>
std::string program_name() {
  if constexpr (requires { Program<checker::model>::about; }) {
    return std::string(Program<checker::model>::about.name);
  } else {
    return std::string(Program<checker::model>::name);
  }
}

/// A program names itself: `static constexpr std::string_view name`, or in `about`.
template <const auto& Table, template <class> class... Programs>
subject subject_of() {
  return {.name = std::string(Table.structure),
          .rows = {Table.rows.begin(), Table.rows.end()},
          .programs = {{program_name<Programs>(), checker::threads_of<Programs<checker::model>>(),
                        &checker::run<Programs>}...},
          .use = [](const assignment& a) {
            for (std::size_t i = 0; i != a.size(); ++i) {
              checker::live_orders<Table>::set(i, a[i].success, a[i].failure);
            }
          }};
}

}  // namespace licit::audit

#endif
