#include "checker/litmus/explore.hpp"

#include <new>
#include <optional>

#include <licit/checker/engine.hpp>

#include "checker/litmus/interpreter.hpp"
#include "core/graph.hpp"

namespace licit::litmus {

namespace {

/// What the checker constructs, runs and destroys: it has no argument to tell it which test.
struct client {
  static inline interpreter* running = nullptr;

  client() { running->begin(); }
  void thread(unsigned i) { running->run(i); }
};

checker::detail::program program(unsigned threads) {
  return {.threads = threads,
          .size = sizeof(client),
          .alignment = alignof(client),
          .construct = [](void* place, const void* /*with*/) { ::new (place) client(); },
          .thread = [](void* object, unsigned i) { static_cast<client*>(object)->thread(i); },
          .finish = [](void*) {},
          .destroy = [](void*) {}};
}

struct race {
  checker::detail::location_id location;
  unsigned first;  ///< the threads
  unsigned second;
};

bool conflict(const checker::detail::event& a, const checker::detail::event& b) {
  return a.thread() != b.thread() && (a.writes() || b.writes()) && (a.op.plain || b.op.plain);
}

/// Two accesses of a location by different threads, one of them a write, one not atomic, that happens-before does not
/// order. The first such pair, if there is any.
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

void note_race(const interpreter& run, const checker::detail::graph& g, verdict& sum) {
  if (!sum.race.empty()) return;
  if (const auto r = find_race(g)) {
    sum.race =
        "P" + std::to_string(r->first) + " and P" + std::to_string(r->second) + " on " + run.name_of(r->location);
  }
}

void conclude(const test& t, const interpreter& run, const checker::detail::graph& g, verdict& sum) {
  const auto final_value = [&](const variable& v) { return run.final_value(v, g); };
  note_race(run, g, sum);
  if (t.filter && !holds(*t.filter, final_value)) return;
  ++sum.executions;
  if (holds(t.final, final_value)) ++sum.satisfying;
  std::vector<value> state;
  state.reserve(t.observed.size());
  for (const variable& v : t.observed) state.push_back(final_value(v));
  ++sum.states[state];
}

}  // namespace

answer verdict::holds(quantifier q) const {
  const bool reached = reachable();
  const bool missed = satisfying != executions;
  const answer unless_seen = complete() ? answer::yes : answer::unknown;
  switch (q) {
    case quantifier::exists: return reached ? answer::yes : complete() ? answer::no : answer::unknown;
    case quantifier::not_exists: return reached ? answer::no : unless_seen;
    case quantifier::forall: return missed ? answer::no : unless_seen;
  }
  return answer::unknown;
}

bool verdict::as(const expectation& e) const {
  return reachable() == e.allowed && executions == e.executions && blocked == e.blocked && race.empty() != e.race;
}

bool verdict::beyond(const expectation& e) const {
  return (reachable() && !e.allowed) || executions > e.executions || blocked > e.blocked || (!race.empty() && !e.race);
}

verdict explore(const test& t, const options& o) {
  interpreter run(t, o.unroll);
  client::running = &run;
  verdict sum;
  const checker::verdict v =
      checker::detail::explore(program(static_cast<unsigned>(t.threads.size())),
                               {.sequences = o.sequences,
                                .max_executions = o.max_executions,
                                .observe = [&](const checker::detail::graph& g) { conclude(t, run, g, sum); },
                                .observe_blocked =
                                    [&](const checker::detail::graph& g) {
                                      note_race(run, g, sum);
                                      if (run.was_cut()) ++sum.cut;
                                    }});
  client::running = nullptr;
  sum.blocked = v.blocked;
  sum.outcome = v.outcome;
  sum.message = v.message;
  // The interpreter's own error: there is no thread that an exception could leave in C.
  constexpr std::string_view by_exception = "an exception left a thread: ";
  if (sum.message.starts_with(by_exception)) sum.message.erase(0, by_exception.size());
  return sum;
}

}  // namespace licit::litmus
