/// The order of the calls that README.md of the proof states, in each execution of clients: it respects happens-before,
/// and along it the calls do to a list what the specification of models/suites says.
#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <licit/checker/run.hpp>
#include <licit/deque/chase_lev.hpp>
#include <licit/deque/run_queue.hpp>

#include <gtest/gtest.h>

#include "graphs.hpp"
#include "suites/every/history.hpp"
#include "suites/every/specification.hpp"

namespace licit::proof {
namespace {

using checker::model;
using checker::detail::event;
using checker::detail::event_id;
using checker::detail::graph;
using suites::deed;
using suites::ending;

constexpr unsigned most_threads = 3;

/// The owner's calls, P a push and p a pop, and how many steals each thief makes.
struct script {
  std::string owner;
  std::array<int, 2> steals{};
  std::size_t capacity = 1;
};

template <class Structure>
class client {
 public:
  explicit client(const script& s) : script_{s}, deque_{options(s.capacity)} {}
  void thread(unsigned t) {
    for (std::size_t i = 0; t == 0 && i != script_.owner.size(); ++i) {
      if (script_.owner[i] == 'p') {
        static_cast<void>(deque_.pop());
      } else if constexpr (queue) {
        static_cast<void>(deque_.try_push(static_cast<int>(i) + 1));
      } else {
        deque_.push(static_cast<int>(i) + 1);
      }
    }
    for (int i = 0; t != 0 && i != script_.steals[t - 1]; ++i) static_cast<void>(deque_.steal());
  }
  void finish() {}

 private:
  static constexpr bool queue = requires(Structure& s) { s.try_push(1); };
  static auto options(std::size_t capacity) {
    if constexpr (queue) {
      return run_queue_options{.capacity = capacity};
    } else {
      return deque_options{.initial_capacity = capacity};
    }
  }

  const script& script_;
  Structure deque_;
};

/// What README.md's order needs of a call.
struct placed_call {
  suites::done_call made;
  event_id first = 0, last = 0;
  bool has_place = true;    ///< a lost theft has none, nor an `empty` that says only what it knew
  std::int64_t moment = 0;  ///< of a deque a store of bottom, of a queue how many claims the call knows
  int kind = 0;             ///< at the same moment
  std::int64_t index = 0;   ///< of calls of the same kind
};
using calls = std::vector<placed_call>;
/// The events of one call, and what it read or wrote at a site.
struct call_events {
  const graph& g;
  std::vector<event_id> ids;

  [[nodiscard]] const event* find(std::string_view site) const {
    const auto found = std::ranges::find_if(ids, [&](event_id id) { return site_of(g[id]) == site; });
    return found == ids.end() ? nullptr : &g[*found];
  }
  /// The write of a compare-exchange that succeeded.
  [[nodiscard]] const event* won(std::string_view site) const {
    const auto found = std::ranges::find_if(
        ids, [&](event_id id) { return site_of(g[id]) == site && g[id].half == checker::detail::part::write; });
    return found == ids.end() ? nullptr : &g[*found];
  }
  [[nodiscard]] std::uint8_t item(std::string_view site) const { return static_cast<std::uint8_t>(find(site)->value); }
};

/// Of Chase-Lev.
void place(const call_events& e, placed_call& c) {
  const graph& g = e.g;
  const auto took = [&](std::string_view site) { c.made.with.push_back(e.item(site)); };
  if (const event* published = e.find("push.publish")) {
    c.moment = g.rank(*published);
    return took("push.item");
  }
  if (e.find("steal.top") != nullptr) {
    c.made.what = deed::steal;
    const event* read = e.find("steal.bottom");
    if (read == nullptr) {  // it looked before its fence
      c.has_place = false;
      c.made.how = ending::empty;
      return;
    }
    c.moment = g.rank(*read);
    c.kind = 1;
    c.index = static_cast<std::int64_t>(e.find("steal.top")->value);
    if (e.won("steal.claim") != nullptr) return took("steal.item");
    c.has_place = e.find("steal.claim") == nullptr;
    c.made.how = c.has_place ? ending::empty : ending::lost;
    if (c.has_place) std::tie(c.kind, c.index) = std::pair(2, std::int64_t{0});
    return;
  }
  c.made.what = deed::pop;
  const event* reserved = e.find("pop.reserve");
  c.moment = g.rank(reserved != nullptr ? *reserved : *e.find("pop.own"));
  if (e.won("pop.claim") != nullptr) return took("pop.last");
  if (reserved != nullptr && e.find("pop.restore") == nullptr) return took("pop.item");
  c.made.how = ending::empty;
  if (reserved == nullptr) c.kind = 2;
}

/// Of the run queue: the owner's calls that claim nothing are where it has seen so many claims.
void place_in_queue(const call_events& e, placed_call& c) {
  const auto took = [&](std::string_view site) { c.made.with.push_back(e.item(site)); };
  c.kind = 1;
  for (const auto& [claim, item, what] :
       {std::tuple("steal.claim", "steal.item", deed::steal), {"pop.claim", "pop.item", deed::pop}}) {
    if (const event* claimed = e.won(claim)) {
      c.made.what = what;
      c.moment = static_cast<std::int64_t>(claimed->value) - 1;
      return took(item);
    }
  }
  c.kind = 0;
  if (e.find("push.own") != nullptr) {
    if (e.find("push.publish") != nullptr) return took("push.item");
    c.made.how = ending::refused;
    return;
  }
  c.has_place = false;
  c.made.what = e.find("pop.own") != nullptr ? deed::pop : deed::steal;
  c.made.how = e.find("steal.claim") != nullptr ? ending::lost : ending::empty;
}
/// The claims that happen before the end of the call.
std::int64_t claims_known(const graph& g, event_id last) {
  std::int64_t known = 0;
  for (event_id id = 0; id != g.size(); ++id) {
    const std::string_view site = site_of(g[id]);
    if (!site.ends_with(".claim") && !site.ends_with(".head")) continue;
    if (g[id].within(g[last].happened)) known = std::max(known, static_cast<std::int64_t>(g[id].value));
  }
  return known;
}

/// Calls begin at these sites. A push that has made room begins anew, where a deque grows.
bool begins(std::string_view site, const call_events* before, bool queue) {
  static const std::set<std::string_view> all{"push.own", "pop.own", "steal.top", "steal.head"};
  const bool anew = !queue && site == "push.own" && before != nullptr && before->find("push.own") != nullptr &&
                    before->find("push.publish") == nullptr;
  return all.contains(site) && !anew;
}
/// Of making and destroying the structure there are none.
bool is_of_a_call(std::string_view site) {
  static const std::array<std::string_view, 5> all{"push.", "pop.", "steal.", "room.", "grow."};
  return std::ranges::any_of(all, [&](std::string_view s) { return site.starts_with(s); });
}

calls calls_of(const graph& g, std::size_t capacity, bool queue) {
  calls all;
  std::vector<call_events> events;
  for (unsigned t = 0; t != most_threads; ++t) {
    const std::size_t of_others = events.size();
    for (const event_id id : g.thread(t)) {
      const std::string_view site = site_of(g[id]);
      if (!is_of_a_call(site)) continue;
      if (begins(site, events.size() == of_others ? nullptr : &events.back(), queue)) {
        events.push_back({g, {}});
        all.push_back({.made = {.thread = static_cast<std::uint8_t>(t), .room = static_cast<std::uint8_t>(capacity)},
                       .first = id});
      }
      events.back().ids.push_back(id);
      all.back().last = id;
    }
  }
  for (std::size_t i = 0; i != all.size(); ++i) {
    queue ? place_in_queue(events[i], all[i]) : place(events[i], all[i]);
    if (queue && all[i].kind == 0) all[i].moment = claims_known(g, all[i].last);
  }
  for (placed_call& c : all) {
    for (std::size_t i = 0; i != all.size(); ++i) {
      if (&all[i] != &c && g[all[i].last].within(g[c.first].happened)) c.made.before |= std::uint32_t{1} << i;
    }
  }
  return all;
}

/// The first thing that is wrong with README.md's order, or empty. `random`: with that of the ends of the calls
/// instead, as the events are made in a random order.
template <class Promise>
std::string wrong_with(const graph& g, std::size_t capacity, bool queue, std::mt19937* random) {
  const calls all = calls_of(g, capacity, queue);
  const std::vector<std::size_t> when = extension(g, random);
  suites::call_history history;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i != all.size(); ++i) {
    history.add(all[i].made);
    if (all[i].has_place) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::size_t i) {
    const placed_call& c = all[i];
    const auto last = static_cast<std::int64_t>(when[c.last]);
    return random != nullptr ? std::tuple(last, 0, std::int64_t{0}, last) : std::tuple(c.moment, c.kind, c.index, last);
  });
  for (std::size_t n = 0; n != order.size(); ++n) {
    for (std::size_t m = 0; m != n; ++m) {
      if ((history[order[m]].before >> order[n] & 1U) != 0) return "happens-before: " + history.text();
    }
  }
  suites::items list;
  for (const std::size_t i : order) {
    if (!Promise::allows(list, history, i)) return history.text(i) + " in " + history.text();
  }
  for (std::size_t i = 0; i != all.size(); ++i) {
    suites::items something;  // so that the list is no reason for `empty`
    something.push_back(255);
    if (!all[i].has_place && !Promise::allows(something, history, i)) return history.text(i) + " in " + history.text();
  }
  return "";
}

struct tally {
  std::size_t clients = 0, executions = 0, wrong = 0;
  std::string first;
};
/// Every owner of n calls that begins with a push, and every two thieves, with so many calls in all.
template <class Structure, class Promise>
tally judged(int most, std::size_t capacity, std::mt19937* random = nullptr) {
  tally t;
  static constexpr bool queue = requires(Structure& s) { s.try_push(1); };
  for (int owner = 1; owner <= most; ++owner) {
    for (int b = 0; 2 * b <= most - owner; ++b) {
      for (unsigned bits = 0; bits != 1U << (owner - 1); ++bits) {
        script s{"P", {most - owner - b, b}, capacity};
        for (int i = 0; i != owner - 1; ++i) s.owner += (bits >> i & 1U) != 0 ? 'p' : 'P';
        ++t.clients;
        checker::options o;
        o.ghosts = false;
        o.observe = [&](const graph& g) {
          ++t.executions;
          const std::string wrong = wrong_with<Promise>(g, capacity, queue, random);
          if (wrong.empty()) return;
          ++t.wrong;
          if (t.first.empty()) t.first = s.owner + ": " + wrong;
        };
        const auto v = checker::run_program_with<client<Structure>>(s, most_threads, o);
        EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
      }
    }
  }
  return t;
}

/// An owner whose fence is light.
struct lightly : model {
  static constexpr bool asymmetric = true;
};

template <class Structure, class Promise>
void expect_linearizations(int most, std::size_t capacity) {
  for (int calls = 3; calls <= most; ++calls) {
    const tally t = judged<Structure, Promise>(calls, capacity);
    EXPECT_EQ(t.wrong, 0U) << t.first;
    EXPECT_GT(t.executions, 10U);
    std::printf("%d calls: %zu clients, %zu executions\n", calls, t.clients, t.executions);
  }
}

TEST(order_of_calls, of_chase_lev_is_a_linearization) {
  expect_linearizations<chase_lev<int, model>, suites::chase_lev_promise>(6, 1);
}
TEST(order_of_calls, of_chase_lev_over_asymmetric_fences_is_a_linearization) {
  expect_linearizations<chase_lev<int, lightly>, suites::looks_before_its_fence<suites::chase_lev_promise>>(5, 1);
}
TEST(order_of_calls, of_the_run_queue_is_a_linearization) {
  expect_linearizations<run_queue<int, model>, suites::queue_promise>(6, 2);
}

TEST(order_of_calls, is_not_that_of_their_ends) {
  std::mt19937 random(1);
  EXPECT_NE((judged<chase_lev<int, model>, suites::chase_lev_promise>(4, 1, &random).wrong), 0U);
  EXPECT_NE((judged<run_queue<int, model>, suites::queue_promise>(6, 2, &random).wrong), 0U);
}

}  // namespace
}  // namespace licit::proof
