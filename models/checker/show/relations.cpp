#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>

#include "show/picture.hpp"

namespace licit::checker::detail {

namespace {

using relation = execution::relation;

constexpr std::size_t no_step = execution::nothing;

/// Derives the edges from the clocks and the modification orders.
class relating {
 public:
  relating(const graph& g, event_id pending, const std::vector<event_id>& shown, execution& made)
      : graph_{g}, pending_{pending}, shown_{shown}, step_of_(g.size(), no_step), made_{made} {
    for (std::size_t s = 0; s != shown.size(); ++s) {
      step_of_[shown[s]] = s;
      if (g[shown[s]].half == part::read) step_of_[g.at(g[shown[s]].thread(), g[shown[s]].index + 1U)] = s;
    }
  }

  void program_order() {
    for (std::size_t s = 1; s < shown_.size(); ++s) {
      if (made_.steps[s].thread == made_.steps[s - 1].thread) add(relation::po, s - 1, s, true);
    }
  }

  void reads_from(const std::vector<event_id>& sources) {
    for (std::size_t s = 0; s != shown_.size(); ++s) {
      if (sources[s] == initial || step_of_[sources[s]] == no_step) continue;
      made_.steps[s].source = step_of_[sources[s]];
      add(relation::rf, step_of_[sources[s]], s, graph_[sources[s]].within(graph_[shown_[s]].happened));
    }
  }

  void modification_orders() {
    for (std::size_t l = 0; l != graph_.locations(); ++l) {
      std::size_t last = no_step;
      for (event_id w = graph_.first_write(static_cast<location_id>(l)); w != initial; w = graph_[w].after) {
        const std::size_t s = step_of_[w];
        if (s == no_step) continue;
        if (last != no_step) add(relation::mo, last, s, before(last, s));
        last = s;
      }
    }
  }

  void from_reads() {
    for (std::size_t s = 0; s != shown_.size(); ++s) {
      const event& e = graph_[shown_[s]];
      if (shown_[s] == pending_ || !e.reads()) continue;
      event_id w = graph_.write_after(e.op.location, e.source);
      while (w != initial && (step_of_[w] == no_step || step_of_[w] == s)) w = graph_[w].after;
      if (w != initial) add(relation::fr, s, step_of_[w], before(s, step_of_[w]));
    }
  }

  /// What a step has behind it that the one before it in its thread has not: of each other thread the last, unless
  /// another of these has that behind it too.
  void happens_before() {
    for (std::size_t s = 0; s != shown_.size(); ++s) {
      const event& e = graph_[shown_[s]];
      std::vector<std::size_t> news;
      for (unsigned t = 0; t != made_.threads; ++t) {
        const std::size_t newest = t == e.thread() ? no_step : last_shown(t, e.happened);
        if (newest == no_step || before(newest, previous(s))) continue;
        news.push_back(newest);
      }
      for (const std::size_t n : news) {
        const auto follows = [&](std::size_t other) { return other != n && before(n, other); };
        if (std::ranges::none_of(news, follows) && !known(n, s)) add(relation::hb, n, s, true);
      }
    }
  }

  void races(const std::vector<event_id>& offending) {
    for (std::size_t i = 0; i != offending.size(); ++i) {
      for (std::size_t j = 0; j != i; ++j) {
        const std::size_t a = step_of_[offending[i]];
        const std::size_t b = step_of_[offending[j]];
        if (made_.steps[a].thread != made_.steps[b].thread && !before(a, b) && !before(b, a) && conflict(a, b)) {
          add(relation::race, b, a, false);
          made_.edges.back().offends = true;
        }
      }
    }
  }

 private:
  void add(relation r, std::size_t from, std::size_t to, bool ordered) {
    made_.edges.push_back({r, from, to, ordered, false});
  }
  [[nodiscard]] bool before(std::size_t a, std::size_t b) const {
    return a != no_step && b != no_step && graph_[shown_[a]].within(graph_[shown_[b]].happened);
  }
  [[nodiscard]] std::size_t previous(std::size_t s) const {
    return s != 0 && made_.steps[s - 1].thread == made_.steps[s].thread ? s - 1 : no_step;
  }
  [[nodiscard]] std::size_t last_shown(unsigned thread, const clock& past) const {
    for (unsigned i = past.count(thread); i-- != 0;) {
      const std::size_t s = step_of_[graph_.at(thread, i)];
      if (s != no_step) return s;
    }
    return no_step;
  }
  [[nodiscard]] bool known(std::size_t from, std::size_t to) const {
    return std::ranges::any_of(
        made_.edges, [&](const execution::edge& e) { return e.what == relation::rf && e.from == from && e.to == to; });
  }
  [[nodiscard]] bool conflict(std::size_t a, std::size_t b) const {
    const event& x = graph_[shown_[a]];
    const event& y = graph_[shown_[b]];
    return x.op.location == y.op.location || x.op.what == action::release || y.op.what == action::release;
  }

  const graph& graph_;
  event_id pending_;
  const std::vector<event_id>& shown_;
  std::vector<std::size_t> step_of_;
  execution& made_;
};

/// The steps, each after those that edges of `relations` come from and, as far as that goes, thread by thread. Shorter
/// if the edges have a cycle.
std::vector<std::size_t> sorted(const execution& e, bool (*follows)(const execution::edge&)) {
  std::vector<unsigned> waiting(e.steps.size());
  std::vector<std::vector<std::size_t>> next(e.steps.size());
  for (const execution::edge& a : e.edges) {
    if (!follows(a)) continue;
    ++waiting[a.to];
    next[a.from].push_back(a.to);
  }
  std::vector<std::size_t> order;
  std::vector<bool> done(e.steps.size());
  unsigned thread = 0;
  const auto ready = [&](std::size_t s, unsigned t) { return !done[s] && waiting[s] == 0 && e.steps[s].thread == t; };
  for (unsigned idle = 0; idle != e.threads;) {
    std::size_t s = 0;
    while (s != e.steps.size() && !ready(s, thread)) ++s;
    if (s == e.steps.size()) {
      thread = (thread + 1) % e.threads;
      ++idle;
      continue;
    }
    idle = 0;
    done[s] = true;
    order.push_back(s);
    for (const std::size_t n : next[s]) --waiting[n];
  }
  return order;
}

void put_in_order(execution& e, const std::vector<std::size_t>& order) {
  std::vector<std::size_t> now(order.size());
  std::vector<execution::step> steps;
  for (std::size_t i = 0; i != order.size(); ++i) {
    now[order[i]] = i;
    steps.push_back(e.steps[order[i]]);
  }
  for (execution::step& s : steps) {
    if (s.source < order.size()) s.source = now[s.source];
  }
  for (execution::edge& a : e.edges) {
    a.from = now[a.from];
    a.to = now[a.to];
  }
  e.steps = std::move(steps);
}

bool of_interleavings(const execution::edge& a) { return a.what != relation::race; }
bool of_executions(const execution::edge& a) {
  return a.what == relation::po || a.what == relation::rf || a.what == relation::hb;
}

/// From the end of one edge back to its beginning, along as few edges between threads as can be; the edge first.
std::vector<std::size_t> way_round(const execution& e, const std::vector<std::vector<std::size_t>>& out,
                                   std::size_t first, std::size_t most) {
  constexpr std::size_t far = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> distance(e.steps.size(), far);
  std::vector<std::size_t> by(e.steps.size(), far);
  std::deque<std::size_t> open{e.edges[first].to};
  distance[e.edges[first].to] = 1;
  while (!open.empty()) {
    const std::size_t s = open.front();
    open.pop_front();
    for (const std::size_t a : out[s]) {
      const std::size_t cost = e.edges[a].what == relation::po ? 0 : 1;
      const std::size_t to = e.edges[a].to;
      if (distance[s] + cost >= distance[to] || distance[s] + cost > most) continue;
      distance[to] = distance[s] + cost;
      by[to] = a;
      cost == 0 ? open.push_front(to) : open.push_back(to);
    }
  }
  std::vector<std::size_t> way;
  if (distance[e.edges[first].from] == far) return way;
  for (std::size_t s = e.edges[first].from; s != e.edges[first].to; s = e.edges[by[s]].from) way.push_back(by[s]);
  way.push_back(first);
  std::ranges::reverse(way);
  return way;
}

std::size_t between_threads(const execution& e, const std::vector<std::size_t>& way) {
  return static_cast<std::size_t>(
      std::ranges::count_if(way, [&](std::size_t a) { return e.edges[a].what != relation::po; }));
}

}  // namespace

std::vector<std::size_t> shortest_cycle(const execution& e) {
  std::vector<std::vector<std::size_t>> out(e.steps.size());
  for (std::size_t a = 0; a != e.edges.size(); ++a) {
    if (e.edges[a].what != relation::race && e.edges[a].what != relation::hb) out[e.edges[a].from].push_back(a);
  }
  std::vector<std::size_t> best;
  std::size_t most = std::numeric_limits<std::size_t>::max();
  for (std::size_t a = 0; a != e.edges.size(); ++a) {
    if (e.edges[a].what != relation::fr && e.edges[a].what != relation::mo) continue;  // po ∪ rf has no cycle
    std::vector<std::size_t> way = way_round(e, out, a, most);
    if (way.empty() || (!best.empty() && way.size() >= best.size() && between_threads(e, way) == most)) continue;
    most = between_threads(e, way);
    best = std::move(way);
  }
  return best;
}

void relate(const graph& g, event_id pending, const std::vector<event_id>& shown, const std::vector<event_id>& sources,
            const std::vector<event_id>& offending, execution& made) {
  relating r(g, pending, shown, made);
  r.program_order();
  r.reads_from(sources);
  r.modification_orders();
  r.from_reads();
  r.happens_before();
  r.races(offending);
  std::vector<std::size_t> order = sorted(made, of_interleavings);
  if (order.size() != made.steps.size()) {
    made.cycle = shortest_cycle(made);
    for (const std::size_t a : made.cycle) made.edges[a].offends = true;
    order = sorted(made, of_executions);
  }
  put_in_order(made, order);
}

}  // namespace licit::checker::detail
