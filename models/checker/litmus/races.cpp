#include "checker/litmus/races.hpp"

namespace licit::litmus {

namespace {

bool conflict(const checker::detail::event& a, const checker::detail::event& b) {
  return a.thread() != b.thread() && (a.writes() || b.writes()) && (a.op.plain || b.op.plain);
}

}  // namespace

std::optional<race> find_race(const checker::detail::graph& g) {
  for (std::size_t l = 0; l != g.locations(); ++l) {
    const auto id = static_cast<checker::detail::location_id>(l);
    for (checker::detail::event_id i = g.last_access(id); i != checker::detail::initial; i = g[i].chained) {
      for (checker::detail::event_id j = g[i].chained; j != checker::detail::initial; j = g[j].chained) {
        const checker::detail::event& a = g[i];
        const checker::detail::event& b = g[j];
        if (conflict(a, b) && !a.within(b.happened) && !b.within(a.happened)) {
          return race{id, a.thread() < b.thread() ? a.thread() : b.thread(),
                      a.thread() < b.thread() ? b.thread() : a.thread()};
        }
      }
    }
  }
  return std::nullopt;
}

}  // namespace licit::litmus
