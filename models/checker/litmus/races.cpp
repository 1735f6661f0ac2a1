#include "checker/litmus/races.hpp"

namespace licit::litmus {

namespace {

bool conflict(const checker::event& a, const checker::event& b) {
  return a.thread() != b.thread() && (a.writes() || b.writes()) && (a.op.plain || b.op.plain);
}

}  // namespace

std::optional<race> find_race(const checker::graph& g) {
  for (std::size_t l = 0; l != g.locations(); ++l) {
    const auto id = static_cast<checker::location_id>(l);
    for (checker::event_id i = g.last_access(id); i != checker::initial; i = g[i].chained) {
      for (checker::event_id j = g[i].chained; j != checker::initial; j = g[j].chained) {
        const checker::event& a = g[i];
        const checker::event& b = g[j];
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
