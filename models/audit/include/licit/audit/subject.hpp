/// What is audited: a structure's ordering table, and the client programs that it must be right for.
///
///     const auto mine = licit::audit::subject_of<my_orders, program_one, program_two>();
///     const auto report = licit::audit::audit(mine);
#ifndef LICIT_MODELS_AUDIT_SUBJECT_HPP
#define LICIT_MODELS_AUDIT_SUBJECT_HPP

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <licit/checker/live_orders.hpp>
#include <licit/checker/run.hpp>
#include <licit/deque/order.hpp>

namespace licit::audit {

/// The orders of one row. A fence that is relaxed is no fence.
struct level {
  order success;
  order failure;
  friend bool operator==(const level&, const level&) = default;
};

/// A whole table's orders, row by row.
using assignment = std::vector<level>;

/// Whether `a` orders nothing that `b` does not order.
constexpr bool no_stronger(order a, order b) {
  constexpr std::array<unsigned, 5> what{0b000, 0b001, 0b010, 0b011, 0b111};  // acquires, releases, is seq_cst
  const unsigned wa = what[static_cast<std::size_t>(a)];
  const unsigned wb = what[static_cast<std::size_t>(b)];
  return (wa & wb) == wa;
}
constexpr bool no_stronger(const level& a, const level& b) {
  return no_stronger(a.success, b.success) && no_stronger(a.failure, b.failure);
}
bool no_stronger(const assignment& a, const assignment& b);

/// Everything that the row's operation can have, the weakest first.
std::vector<level> levels_of(const row& r);

/// What is weaker than the row's orders in one of them, the other as it is: the strongest first.
std::vector<level> weaker_than(const row& r, const level& now);

/// The strongest that an operation can have.
level strongest(const row& r);

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
