/// What the checker explores of a straight-line program, in the words of the oracle.
#ifndef LICIT_TESTS_CHECKER_EXPLORED_HPP
#define LICIT_TESTS_CHECKER_EXPLORED_HPP

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <licit/checker/run.hpp>

#include "core/graph.hpp"
#include "straight_line.hpp"

namespace licit::checker_test {

/// Whether the checker may put the program back to where it was, or has to run it from its beginning.
enum class going_back { allowed, refused };

/// The program that runs is a static: the checker constructs clients anew for each execution.
template <unsigned Threads, going_back Back = going_back::allowed>
struct runner {
  static constexpr unsigned threads = Threads;
  static constexpr bool self_contained = Back == going_back::allowed;
  static inline const straight_line* text = nullptr;

  void thread(unsigned t) {
    for (const instruction& i : (*text)[t]) {
      if (i.at >= first_plain) {
        auto& cell = plain_[i.at - first_plain];
        i.what == verb::plain_read ? static_cast<void>(cell.read()) : cell.write(i.value);
        continue;
      }
      auto& x = x_[i.at];
      int expected = i.expected;
      switch (i.what) {
        case verb::load: x.load(i.success); break;
        case verb::store: x.store(i.value, i.success); break;
        case verb::fetch_add: x.fetch_add(i.value, i.success); break;
        case verb::compare_exchange: x.compare_exchange(expected, i.value, i.success, i.failure); break;
        case verb::weak_compare_exchange: x.compare_exchange_weak(expected, i.value, i.success, i.failure); break;
        case verb::light_fence: checker::model::light_fence(); break;
        case verb::heavy_fence: checker::model::heavy_fence(); break;
        default: checker::model::fence(i.success); break;
      }
    }
  }
  void finish() {}

 private:
  std::array<checker::model::atomic<int>, first_plain> x_;
  std::array<checker::model::plain<int>, most_locations - first_plain> plain_;
};

/// In the words of the oracle. `spawned`: 1 if thread 0 has started the program's threads, each of which then begins by
/// an event of its own.
inline std::string canonical(const checker::detail::graph& g, unsigned spawned = 0) {
  const auto name = [&](checker::detail::event_id id) {
    if (id == checker::detail::initial) return std::string("init");
    return std::to_string(g[id].thread() - spawned) + "." + std::to_string(g[id].index - spawned);
  };
  std::string text;
  for (unsigned t = spawned; t != checker::max_threads; ++t) {
    for (const checker::detail::event_id id : g.thread(t)) {
      if (g[id].index >= spawned && g[id].reads()) text += name(id) + "<" + name(g[id].source) + " ";
    }
  }
  for (unsigned l = 0; l != first_plain; ++l) {
    text += "| ";
    for (auto w = g.first_write(static_cast<checker::detail::location_id>(l)); w != checker::detail::initial;
         w = g[w].after) {
      text += name(w) + " ";
    }
  }
  return text;
}

template <unsigned Threads, going_back Back>
checker::verdict run_as(const straight_line& program, const checker::options& o) {
  runner<Threads, Back>::text = &program;
  return checker::run_program<runner<Threads, Back>>(o);
}

template <going_back Back = going_back::allowed>
checker::verdict run(const straight_line& program, const checker::options& o = {}) {
  switch (program.size()) {
    case 1: return run_as<1, Back>(program, o);
    case 2: return run_as<2, Back>(program, o);
    case 3: return run_as<3, Back>(program, o);
    case 4: return run_as<4, Back>(program, o);
    default: return run_as<5, Back>(program, o);
  }
}

/// Every execution as the checker found them, one after the other.
template <going_back Back = going_back::allowed>
std::vector<std::string> explored(const straight_line& program, checker::options o = {},
                                  checker::verdict* v = nullptr) {
  std::vector<std::string> found;
  o.observe = [&](const checker::detail::graph& g) { found.push_back(canonical(g)); };
  const checker::verdict result = run<Back>(program, o);
  if (v != nullptr) *v = result;
  return found;
}

}  // namespace licit::checker_test

#endif
