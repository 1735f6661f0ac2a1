/// Each execution of clients of a deque is a path of its transition system, in whatever order its events are made: that
/// of their insertion, and random ones. Every invariant holds on the way.
#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include <licit/checker/run.hpp>
#include <licit/deque/chase_lev.hpp>
#include <licit/deque/run_queue.hpp>

#include <gtest/gtest.h>

#include "concrete.hpp"
#include "graphs.hpp"
#include "proof/structures.hpp"
#include "tables.hpp"

namespace licit::proof {
namespace {

using checker::change;
using checker::model;
using checker::detail::event;
using checker::detail::event_id;
using checker::detail::graph;

constexpr unsigned most_threads = 3;

/// The owner's calls, and how many steals each thief makes.
struct script {
  std::string owner;
  std::array<int, 2> steals{};
  std::size_t capacity = 2;
  std::size_t maximum = capacity;
  std::array<std::string, 2> thiefs{};  ///< of the run queue, what they do in place of steals
  int has = 0;                          ///< items of each thief's own queue at first
};

/// What both deques offer: P a push, and the owner keeps the item if there is no room; O a push, with overflow if there
/// is one; p a pop. Of the run queue: H brings half of a source that has eight items. A thief steals by s, takes half
/// by h, and pops from the source by q.
template <class Policy>
class chase_lev_calls_over {
 public:
  explicit chase_lev_calls_over(const script& s)
      : deque_{deque_options{.initial_capacity = s.capacity, .maximum_capacity = s.maximum}}, most_{s.maximum} {}
  void owner(char call, int item) {
    if (call == 'p') return static_cast<void>(deque_.pop());
    if (deque_.size() != most_) deque_.push(item);
  }
  void thief(unsigned /*which*/, char /*call*/) { static_cast<void>(deque_.steal()); }

 private:
  chase_lev<int, Policy> deque_;
  std::size_t most_;
};
using chase_lev_calls = chase_lev_calls_over<model>;
/// The owner's fence is light.
struct asymmetric_model : model {
  static constexpr bool asymmetric = true;
};
class run_queue_calls {
 public:
  explicit run_queue_calls(const script& s) : queue_{run_queue_options{.capacity = s.capacity}} {
    for (int i = 0; i != 8; ++i) static_cast<void>(source_.try_push(100 + i));
    for (int i = 0; i != s.has; ++i) {
      for (auto& q : own_) static_cast<void>(q.try_push(200 + i));
    }
  }
  void owner(char call, int item) {
    sink to;
    if (call == 'p') static_cast<void>(queue_.pop());
    if (call == 'P') static_cast<void>(queue_.try_push(item));
    if (call == 'O') queue_.push(item, to);
    if (call == 'H') static_cast<void>(source_.steal_half(queue_));
  }
  void thief(unsigned which, char call) {
    if (call == 's') static_cast<void>(queue_.steal());
    if (call == 'h') static_cast<void>(queue_.steal_half(own_[which]));
    if (call == 'q') static_cast<void>(source_.pop());
  }

 private:
  struct sink {
    static void reserve(std::size_t /*items*/) {}
    static void take(std::span<const int> /*items*/) noexcept {}
  };
  run_queue<int, model> queue_;
  run_queue<int, model> source_{run_queue_options{.capacity = 8}};
  std::array<run_queue<int, model>, 2> own_{run_queue<int, model>{run_queue_options{.capacity = 4}},
                                            run_queue<int, model>{run_queue_options{.capacity = 4}}};
};

template <class Calls>
class client {
 public:
  explicit client(const script& s) : script_{s}, calls_{s} {}
  void thread(unsigned t) {
    for (std::size_t i = 0; t == 0 && i != script_.owner.size(); ++i) {
      calls_.owner(script_.owner[i], static_cast<int>(i) + 1);
    }
    for (int i = 0; t != 0 && i != script_.steals[t - 1]; ++i) calls_.thief(t - 1, 's');
    for (const char c : t != 0 ? script_.thiefs[t - 1] : "") calls_.thief(t - 1, c);
  }
  void finish() {}

 private:
  const script& script_;
  Calls calls_;
};

/// What one thread did at one site.
struct deed {
  std::string site;
  event_id when = 0;
  std::int64_t value = 0;  ///< that was read
  std::int64_t place = 0;  ///< in modification order, of what was read
  bool won = false;
  bool copy = false;  ///< what was read was written by a theft of half, and maybe not yet published
};
using deeds = std::array<std::vector<deed>, most_threads>;

/// Whether the step reads something of the structure.
bool is_read(const step::own_read& r) { return !r.place.empty() && r.place != away; }

/// What a system calls the sites of the owner, or those of thieves. The others are of other queues.
struct sites {
  sites(const transition_system& s, bool owner) {
    for (const step& each : s.steps) {
      if (each.owner != owner) continue;
      if (each.does) operations[each.does->name] = *each.does;
      for (const auto& r : each.reads) {
        if (is_read(r)) own_reads[r.result] = r.place;
      }
    }
  }
  std::map<std::string, proof::event, std::less<>> operations;
  std::map<std::string, std::string, std::less<>> own_reads;
};

/// The numbers of pushes, by the writes to slots; growth copies them, and a batch of copies is pushed when it is
/// published.
std::map<event_id, std::int64_t> pushes_of(const graph& g) {
  std::map<event_id, std::int64_t> pushes;
  std::map<checker::detail::word, std::int64_t> by_item;
  std::vector<event_id> batch;
  std::int64_t made = 0;
  for (const event_id id : g.thread(0)) {
    const std::string_view site = site_of(g[id]);
    if (site == "push.item") pushes[id] = by_item[g[id].value] = made++;
    if (site == "grow.copy") pushes[id] = by_item.at(g[id].value);
    if (site == "half.own") batch.clear();
    if (site == "half.copy") batch.push_back(id);
    if (site != "half.publish") continue;
    for (const event_id copy : batch) pushes[copy] = made++;
  }
  return pushes;
}

/// Of the items that a theft of half reads behind the first, only the one that is watched.
deeds deeds_of(const graph& g, const sites& owner, const sites& thief, std::int64_t watched) {
  const std::map<event_id, std::int64_t> pushes = pushes_of(g);
  const auto number = [&](const std::string& place, const event& e) {
    if (place == "ring") return static_cast<std::int64_t>(g.rank(e));
    if (place != "slot") return static_cast<std::int64_t>(e.value);
    const auto found = pushes.find(e.source);
    return found == pushes.end() ? std::int64_t{-1} : found->second;
  };
  deeds all;
  for (unsigned t = 0; t != most_threads; ++t) {
    const auto events = g.thread(t);
    const sites& known = t == 0 ? owner : thief;
    std::int64_t round = 0;
    for (std::size_t i = 0; i != events.size(); ++i) {
      const event& e = g[events[i]];
      if (e.is_ghost()) continue;
      const std::string site(site_of(e));
      if (site == "half.first") round = 0;
      if (site == "half.item" && ++round != watched) continue;
      const auto operation = known.operations.find(site);
      const auto own = known.own_reads.find(site);
      if (operation == known.operations.end() && own == known.own_reads.end()) continue;
      const bool won = e.half == checker::detail::part::read && i + 1 != events.size() &&
                       g[events[i + 1]].half == checker::detail::part::write;
      const std::string place = operation != known.operations.end() ? operation->second.place : own->second;
      const event& read = g[events[won ? i + 1 : i]];
      const bool copy = place == "slot" && e.has_source() && site_of(g[e.source]) == "half.copy";
      all[t].push_back({site, events[won ? i + 1 : i], number(place, won ? read : e), g.rank(e), won, copy});
      if (won) ++i;
    }
  }
  return all;
}

/// Makes the deeds of an execution in an order, by steps of the system.
class walker {
 public:
  explicit walker(const concrete_system& s) : s_{s}, owners_{s.system, true}, thiefs_{s.system, false} {
    for (const step& each : s.system.steps) {
      std::vector<std::string> names;
      if (each.does) names.push_back(each.does->name);
      std::vector<std::string> given;
      for (const auto& r : each.reads) {
        if (is_read(r)) names.push_back(r.result);
        if (r.place == away) given.push_back(r.result);
      }
      sites_.push_back(names);
      given_.push_back(given);
    }
  }

  bool is_path(const graph& g, const std::vector<std::size_t>& place) {
    all_ = deeds_of(g, owners_, thiefs_, s_.watched);
    order_.clear();
    for (unsigned t = 0; t != most_threads; ++t) {
      for (std::size_t i = 0; i != all_[t].size(); ++i) {
        if (of(t).operations.contains(all_[t][i].site)) order_.push_back({t, i, place[when(t, i)]});
      }
    }
    std::ranges::stable_sort(order_, {}, &turn::when);
    return goes_on(0, {}, s_.first());
  }
  std::set<std::string> fired, broken;

 private:
  struct turn {
    unsigned thread;
    std::size_t deed;
    std::size_t when;
  };
  using done = std::array<std::size_t, most_threads>;

  [[nodiscard]] const sites& of(unsigned t) const { return t == 0 ? owners_ : thiefs_; }

  /// A thief's fence is made where the load behind it is, and so is its seq_cst load of top (README.md).
  [[nodiscard]] event_id when(unsigned t, std::size_t i) const {
    const deed& d = all_[t][i];
    const proof::event& e = of(t).operations.find(d.site)->second;
    const bool looks =
        licit::detail::is_fence(e.how) || (e.how == operation::load && e.place == "top" && e.success == order::seq_cst);
    return t != 0 && looks && i + 1 != all_[t].size() ? all_[t][i + 1].when : d.when;
  }

  // NOLINTNEXTLINE(misc-no-recursion): as deep as there are deeds
  bool goes_on(std::size_t n, const done& at, const cells& now) {
    unsigned t = 0;
    if (n == order_.size()) {  // what threads still do by themselves
      while (t != most_threads && at[t] == all_[t].size()) ++t;
      if (t == most_threads) return true;
    } else {
      t = order_[n].thread;
    }
    const bool its_turn = n != order_.size() && at[t] == order_[n].deed;
    for (std::size_t i = 0; i != sites_.size(); ++i) {
      const step& s = s_.system.steps[i];
      const bool unseen = sites_[i].empty() && !given_[i].empty() && s.next != "idle";  // a call begins
      if (s.owner != (t == 0) || (!unseen && (s.does.has_value() != its_turn || !begins(t, at[t], sites_[i]))))
        continue;
      if (made(i, t, at, now, [&](const done& then, const cells& next) {
            return goes_on(its_turn && !unseen ? n + 1 : n, then, next);
          })) {
        return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool begins(unsigned t, std::size_t from, const std::vector<std::string>& names) const {
    if (from + names.size() > all_[t].size() || names.empty()) return false;
    for (std::size_t i = 0; i != names.size(); ++i) {
      if (all_[t][from + i].site != names[i]) return false;
    }
    return true;
  }
  /// Numbers of other queues: all that make a difference there.
  static std::vector<std::int64_t> candidates(const std::string& name) {
    if (name.ends_with(".most")) return {most_at_once};
    if (name == "away.half.own") return {4};
    if (name == "away.limit") return {4, 5, 6, 7};
    if (name == "away.room.head") return {0, 1, 2, 3, 4};
    if (name == "away.half.head") return {0};
    return {1, 2, 3, 4, 5, 6, 7, 8};
  }
  /// What the step chooses: `seen`, if it reads something, and then the numbers of other queues.
  template <class Then>
  bool made(std::size_t i, unsigned t, const done& at, const cells& now, Then&& then) {
    std::vector<std::vector<std::int64_t>> of_each;
    const bool looks = given_[i].empty() && s_.steps[i].choices == 2;  // a load of top, and what the next one will see
    if (s_.steps[i].choices != given_[i].size() || given_[i].empty()) {
      of_each.push_back({witness(s_.system.steps[i], t, at[t])});
      if (at[t] != all_[t].size() && all_[t][at[t]].copy) of_each[0].push_back(-1);
      if (looks) of_each.push_back({at[t] + 1 < all_[t].size() ? all_[t][at[t] + 1].place : 0});
      if (given_[i].empty() && !looks) of_each.push_back(of_each[0]);
    }
    for (const std::string& name : given_[i]) of_each.push_back(candidates(name));
    of_each.resize(5, {0});
    const bool same = given_[i].empty() && !looks;
    for (const std::int64_t v : of_each[0]) {
      for (const std::int64_t w : same ? std::vector{v} : of_each[1]) {
        for (const std::int64_t x : of_each[2]) {
          for (const std::int64_t y : of_each[3]) {
            if (made_by(i, t, at, now, v, w, {x, y}, then)) return true;
          }
        }
      }
    }
    return false;
  }
  template <class Then>
  bool made_by(std::size_t i, unsigned t, done at, const cells& now, std::int64_t v, std::int64_t w,
               const more_choices& more, Then&& then) {
    const std::int64_t me = t == 0 ? 0 : t - 1;
    cells next;
    if (!s_.steps[i].make(now, me, 0, v, w, next, more) || !agrees(i, t, at[t], next)) return false;
    at[t] += sites_[i].size();
    if (!then(at, next)) return false;
    const std::string& name = s_.transitions[i].name;
    fired.insert(name);
    if (const std::string wrong = s_.steps[i].broken(now, me, v, w, next); !wrong.empty()) {
      broken.insert(name + ": " + wrong);
    }
    if (judged_.insert(std::string(reinterpret_cast<const char*>(next.data()), next.size() * sizeof(next[0]))).second) {
      if (const std::string wrong = s_.broken(next); !wrong.empty()) broken.insert(name + ": " + wrong);
    }
    return true;
  }
  /// What the step chooses: what it reads. A thief's fence chooses what the load behind it reads.
  [[nodiscard]] std::int64_t witness(const step& s, unsigned t, std::size_t i) const {
    if (!s.does) return 0;
    const bool fence = licit::detail::is_fence(s.does->how);
    if (fence && i + 1 == all_[t].size()) return 0;
    const deed& d = all_[t][fence ? i + 1 : i];
    return fence || s.does->place == "bottom" ? d.place : d.value;
  }
  [[nodiscard]] bool agrees(std::size_t i, unsigned t, std::size_t from, const cells& after) const {
    const step& of = s_.system.steps[i];
    for (std::size_t n = 0; n != sites_[i].size(); ++n) {
      const deed& d = all_[t][from + n];
      if (of.does && n == 0) {
        if (of.does->how == operation::compare_exchange && of.does->won != d.won) return false;
        if (d.won && after[s_.u.at("top")] != d.value) return false;
        if (d.won || (of.does->how != operation::load && of.does->how != operation::compare_exchange)) continue;
      }
      const std::string& name = sites_[i][n];
      const std::int64_t got = after[t == 0 ? s_.u.at(name) : s_.u.at(name, t - 1)];
      if (got != d.value && !(d.copy && got == -1)) return false;
    }
    return true;
  }

  const concrete_system& s_;
  sites owners_, thiefs_;
  std::vector<std::vector<std::string>> sites_, given_;
  deeds all_;
  std::vector<turn> order_;
  std::unordered_set<std::string> judged_;
};

struct tally {
  std::size_t clients = 0, executions = 0, orders = 0, others = 0;
};

/// Each execution of each client, in the order of insertion and in so many others.
template <class Calls>
tally replayed(walker& w, const std::vector<script>& all, int orders) {
  tally t;
  std::mt19937 random(1);
  for (const script& s : all) {
    ++t.clients;
    checker::options o;
    o.ghosts = false;
    o.observe = [&](const graph& g) {
      ++t.executions;
      for (int n = 0; n <= orders; ++n) {
        ++t.orders;
        if (!w.is_path(g, extension(g, n == 0 ? nullptr : &random))) ++t.others;
      }
    };
    const auto v = checker::run_program_with<client<Calls>>(s, most_threads, o);
    EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
  }
  return t;
}

/// Every owner of exactly n calls that begins with a push, and every two thieves, with so many calls in all.
std::vector<script> scripts(int calls, const std::string& letters, std::size_t capacity, std::size_t maximum) {
  std::vector<script> all;
  for (int owner = 1; owner <= calls; ++owner) {
    std::vector<std::string> words{letters.substr(0, 1)};
    for (int i = 1; i != owner; ++i) {
      std::vector<std::string> longer;
      for (const std::string& word : words) {
        for (const char c : letters) longer.push_back(word + c);
      }
      words = longer;
    }
    for (int b = 0; 2 * b <= calls - owner; ++b) {
      for (const std::string& word : words) all.push_back({word, {calls - owner - b, b}, capacity, maximum});
    }
  }
  return all;
}

class orders_of : public testing::Test {
 protected:
  ~orders_of() override {
    checker::live_orders<chase_lev_orders>::reset();
    checker::live_orders<run_queue_orders>::reset();
  }
};

TEST_F(orders_of, events_are_paths_of_the_chase_lev_system_and_no_invariant_is_broken) {
  struct part {
    int calls;
    std::size_t maximum;
    int orders;
  };
  for (const part& p : {part{3, 1, 100}, {3, 4, 100}, {4, 2, 1}}) {
    const concrete_system s(shipped_chase_lev(), chase_lev_invariants(), 1, 13, 2);
    walker w(s);
    const tally t = replayed<chase_lev_calls>(w, scripts(p.calls, "Pp", 1, p.maximum), p.orders);
    EXPECT_EQ(t.others, 0U) << "of " << t.orders;
    EXPECT_EQ(w.broken, std::set<std::string>{});
    EXPECT_GT(t.executions, 10U);
    std::printf("%zu clients, %zu executions, %zu orders\n", t.clients, t.executions, t.orders);
  }
}

TEST_F(orders_of, events_over_asymmetric_fences_are_paths_and_no_invariant_is_broken) {
  const transition_system system = shipped("chase-lev-asymmetric");
  for (const auto& [calls, maximum, orders] : {std::tuple(3, 1U, 100), {3, 4U, 100}, {4, 2U, 1}}) {
    const concrete_system s(system, chase_lev_invariants(), 1, 13, 2);
    walker w(s);
    const tally t = replayed<chase_lev_calls_over<asymmetric_model>>(w, scripts(calls, "Pp", 1, maximum), orders);
    EXPECT_EQ(t.others, 0U) << "of " << t.orders;
    EXPECT_EQ(w.broken, std::set<std::string>{});
    EXPECT_TRUE(w.fired.contains("steal.look > empty"));
    EXPECT_TRUE(calls == 3 || w.fired.contains("steal.bottom > empty"));
    EXPECT_GT(t.executions, 10U);
    std::printf("%zu clients, %zu executions, %zu orders\n", t.clients, t.executions, t.orders);
  }
}

const std::string owner_accesses = "pop.reserve seq_cst, pop.fence relaxed, pop.top seq_cst, pop.restore release";
const std::string thief_accesses = "steal.top seq_cst, steal.fence relaxed, steal.bottom seq_cst";
/// A pop of the last item beside a thief, and a pop and a theft beside a thief that has seen a claim.
const std::vector<script> races{{"PPpp", {1, 0}, 2}, {"PPp", {1, 1}, 2}, {"PPp", {2, 0}, 2}};

// In place of a fence the owner has seq_cst accesses, or the thief, or both. All steps but one are made.
TEST_F(orders_of, events_under_tables_with_seq_cst_accesses_are_paths_and_no_invariant_is_broken) {
  const std::string fenced_push = "push.fence release, push.publish relaxed, ";
  for (const std::string& rows :
       {owner_accesses + ", pop.claim release", std::string("pop.reserve seq_cst, pop.fence release, pop.top seq_cst"),
        thief_accesses + ", steal.claim seq_cst", fenced_push + "pop.reserve relaxed",
        fenced_push + owner_accesses + ", pop.restore relaxed, pop.claim release, " + thief_accesses +
            ", steal.claim seq_cst"}) {
    use_rows(rows);
    std::set<std::string> fired;
    transition_system system = shipped_chase_lev();
    system.one_owner = true;
    for (const auto& [calls, capacity, maximum, orders] : {std::tuple(3, 1, 4U, 20), {4, 1, 2U, 1}, {0, 2, 2U, 5}}) {
      const concrete_system s(system, chase_lev_invariants(), capacity, 13, 2);
      walker w(s);
      std::vector<script> all = calls == 0 ? races : scripts(calls, "Pp", 1, maximum);
      if (calls == 0) all.push_back({"PPPppPP", {1, 0}, 2});  // it leaves a lap and comes back
      const tally t = replayed<chase_lev_calls>(w, all, orders);
      EXPECT_EQ(t.others, 0U) << "of " << t.orders << ", " << rows;
      EXPECT_EQ(w.broken, std::set<std::string>{}) << rows;
      fired.insert(w.fired.begin(), w.fired.end());
      std::printf("%zu clients, %zu executions, %zu orders\n", t.clients, t.executions, t.orders);
    }
    for (const step& each : system.steps) {
      if (each.name == "push.room > no room") continue;  // the clients do not push into a full deque
      EXPECT_TRUE(fired.contains(each.name)) << each.name << ", " << rows;
    }
  }
}

/// In the transition of that step, what is written one way is written another way.
void rewrite(concrete_system& s, const std::string& where, const std::string& from, const std::string& to) {
  int found = 0;
  const auto in = [&](std::string& term) {
    for (std::size_t at = 0; (at = term.find(from, at)) != std::string::npos; at += to.size(), ++found) {
      term.replace(at, from.size(), to);
    }
  };
  for (std::size_t i = 0; i != s.transitions.size(); ++i) {
    if (s.transitions[i].name != where) continue;
    for (std::string& g : s.transitions[i].guards) in(g);
    for (auto& [name, term] : s.transitions[i].updates) in(term);
    s.steps[i] = concrete_step(s.u, s.transitions[i], s.all);
  }
  EXPECT_NE(found, 0) << where << ": " << from;
}

// The rule for two fences counts each top that was seen. With accesses in place of a fence, only claims count that
// happen before the fence, or are seq_cst: tables without such claims have executions which show that. And such a
// claim of the owner's hands on no reservation.
TEST_F(orders_of, events_are_no_paths_if_a_pair_of_accesses_counts_as_one_of_fences) {
  struct fault {
    std::string rows, where, from, to, broken;
  };
  const std::string looks = "steal.top > steal.bottom", fenced = "steal.fence > steal.bottom";
  const std::string by_owner = "pop.claim > pop.restore#2: 67", by_thief = "steal.claim > item steal.item: 66";
  for (const fault& wrong :
       {fault{owner_accesses, fenced, "(select firm (select steal.top me))", "(select steal.top me)", by_owner},
        fault{thief_accesses, looks, "(select firm v)", "v", by_thief},
        fault{owner_accesses + ", " + thief_accesses, looks, "(select firm v)", "v", by_thief},
        fault{owner_accesses, "pop.claim > pop.restore#2", "fence.stores", "stores", by_owner}}) {
    use_rows(wrong.rows);
    concrete_system s(shipped_chase_lev(), chase_lev_invariants(), 2, 13, 2);
    walker right(s);
    EXPECT_EQ(replayed<chase_lev_calls>(right, races, 2).others, 0U) << wrong.rows;
    EXPECT_TRUE(right.broken.contains(wrong.broken)) << wrong.rows;
    rewrite(s, wrong.where, wrong.from, wrong.to);
    walker w(s);
    EXPECT_NE(replayed<chase_lev_calls>(w, races, 2).others, 0U) << wrong.rows << ", " << wrong.where;
  }
}

/// Thread 0 pushes two items, and hands the deque over to thread 1, which pops; thread 2 steals.
template <class Model>
struct second_owner {
  static constexpr unsigned threads = 3;
  chase_lev<int, Model> deque{deque_options{.initial_capacity = 2}};
  typename Model::template atomic<int> handed{0, "handed"};

  void thread(unsigned t) {
    if (t == 0) {
      deque.push(1);
      deque.push(2);
      handed.store(1, order::release);
    } else if (t == 1) {
      if (handed.load(order::acquire) == 1) static_cast<void>(deque.pop());
    } else if (const auto got = deque.steal()) {
      Model::check(*got == 1, "a thief takes the oldest item");
    }
  }
  void finish() {}
};

// A fence of the old owner's makes no store of the new one a release: so a relaxed pop.reserve needs one owner, though
// all clients of the audit pass it.
TEST_F(orders_of, owners_may_change_unless_the_reservation_is_relaxed) {
  EXPECT_EQ(checker::run<second_owner>().outcome, checker::outcome::ok);
  for (const std::string& rows : {std::string(), ", " + thief_accesses + ", steal.claim seq_cst"}) {
    use_rows("push.fence release, push.publish relaxed, pop.reserve release" + rows);
    EXPECT_EQ(checker::run<second_owner>().outcome, checker::outcome::ok) << rows;
    use_rows("push.fence release, push.publish relaxed, pop.reserve relaxed" + rows);
    EXPECT_EQ(checker::run<second_owner>().kind, checker::violation::assertion) << rows;
  }
}

TEST_F(orders_of, events_are_paths_of_the_run_queues_system_and_no_invariant_is_broken) {
  const transition_system system = shipped("run-queue");
  for (const auto& [calls, orders] : {std::pair{4, 100}, {5, 1}}) {
    const concrete_system s(system, run_queue_invariants(), 2, 13, 2);
    walker w(s);
    const tally t = replayed<run_queue_calls>(w, scripts(calls, "OPp", 2, 2), orders);
    EXPECT_EQ(t.others, 0U) << "of " << t.orders;
    EXPECT_EQ(w.broken, std::set<std::string>{});
    EXPECT_GT(t.executions, 100U);
    for (const char* step : {"overflow.claim > nothing (2)", "room.head > push.item", "pop.claim > pop.claim#2",
                             "steal.tail > empty", "steal.claim > lost"}) {
      EXPECT_TRUE(calls == 4 || w.fired.contains(step)) << step;
    }
    std::printf("%zu clients, %zu executions, %zu orders\n", t.clients, t.executions, t.orders);
  }
}

/// Thefts of half from the queue, into it, and both. Each item of a batch is watched.
const std::vector<script> halves{
    {"PPPP", {}, 4, 4, {"h", ""}},     {"PPPp", {}, 4, 4, {"h", "s"}},  {"PPPO", {}, 4, 4, {"h", "h"}},
    {"PPPPO", {}, 4, 4, {"h", ""}},    {"PPPPP", {}, 4, 4, {"hs", ""}}, {"PPP", {}, 4, 4, {"h", "s"}, 3},
    {"PPPpp", {}, 4, 4, {"h", ""}, 4}, {"H", {}, 2, 2, {"s", "q"}},     {"Hp", {}, 4, 4, {"s", "q"}},
    {"PHp", {}, 2, 2, {"s", ""}},      {"HH", {}, 4, 4, {"s", "q"}},    {"HPP", {}, 4, 4, {"h", ""}},
    {"HpH", {}, 4, 4, {"h", ""}},      {"PpHp", {}, 2, 2, {"ss", ""}},  {"HHpp", {}, 4, 4, {"", "q"}},
    {"PPpH", {}, 2, 2, {"s", "q"}},    {"HHHp", {}, 4, 4, {"", "q"}},   {"PPPPPP", {}, 8, 8, {"h", "s"}},
    {"HP", {}, 8, 8, {"h", "s"}},      {"PpH", {}, 2, 2, {"s", "q"}}};

TEST_F(orders_of, events_of_thefts_of_half_are_paths_and_no_invariant_is_broken) {
  const transition_system system = shipped("run-queue");
  std::set<std::string> fired;
  for (const std::int64_t capacity : {2, 4, 8}) {
    std::vector<script> some = halves;
    std::erase_if(some, [&](const script& s) { return static_cast<std::int64_t>(s.capacity) != capacity; });
    for (const std::int64_t watched : {1, 2, 3}) {
      concrete_system s(system, run_queue_invariants(), capacity, 13, 2);
      s.watched = watched;
      walker w(s);
      const tally t = replayed<run_queue_calls>(w, some, 1);
      EXPECT_EQ(t.others, 0U) << "of " << t.orders;
      EXPECT_EQ(w.broken, std::set<std::string>{});
      fired.insert(w.fired.begin(), w.fired.end());
      std::printf("capacity %d: %zu clients, %zu executions, %zu orders\n", static_cast<int>(capacity), t.clients,
                  t.executions, t.orders);
    }
  }
  // Of these the queue sees nothing, or nothing else than of "bring > in vain".
  const std::set<std::string> without_a_trace{"half > nothing", "bring > in vain (2)", "bring > in vain (3)",
                                              "bring > a batch"};
  const std::set<std::string> never{"half.copy > a batch", "bring > half.publish#2", "half.publish > a batch (2)"};
  for (const step& s : system.steps) {
    if (!s.name.starts_with("half") && !s.name.starts_with("bring")) continue;
    EXPECT_NE(fired.contains(s.name), without_a_trace.contains(s.name) || never.contains(s.name)) << s.name;
  }
}

/// Makes a step impossible where the guard does not hold.
void forbid(concrete_system& s, const std::string& where, const std::string& guard) {
  for (std::size_t i = 0; i != s.transitions.size(); ++i) {
    if (s.transitions[i].name != where) continue;
    s.transitions[i].guards.emplace_back(guard);
    s.steps[i] = concrete_step(s.u, s.transitions[i], s.all);
  }
}

// What a fence acquires of claims: not of those that were not read, and of each only what that thief had seen.
TEST_F(orders_of, events_are_no_paths_if_a_fence_acquires_too_much) {
  concrete_system all_claims(shipped_chase_lev(), chase_lev_invariants(), 1, 13, 2);
  forbid(all_claims, "steal.fence > steal.bottom", "(>= v (select told top))");
  concrete_system all_stores(shipped_chase_lev(), chase_lev_invariants(), 1, 13, 2);
  for (std::size_t i = 0; i != all_stores.transitions.size(); ++i) {
    transition& t = all_stores.transitions[i];
    if (t.name != "steal.claim > item steal.item") continue;
    t.updates["told"] = "(store told (+ (select steal.top me) 1) stores)";
    all_stores.steps[i] = concrete_step(all_stores.u, t, all_stores.all);
  }
  for (const concrete_system* s : {&all_claims, &all_stores}) {
    walker w(*s);
    EXPECT_NE(replayed<chase_lev_calls>(w, scripts(4, "Pp", 1, 2), 3).others, 0U);
  }
}

TEST_F(orders_of, thefts_of_half_are_no_paths_if_the_semantics_forbid_what_is_real) {
  for (const auto& [where, guard] : {std::pair{"steal.item > steal.claim", "(not (= v (- 1)))"},  // no copy is read
                                     {"half.tail > empty", "(= v stores)"},                       // no old tail
                                     {"half.claim > lost", "(= v (+ (select half.head me) 2))"},
                                     {"half.copy > in vain", "false"},  // a claim always succeeds
                                     {"half.copy > half.copy", "false"}}) {
    std::size_t others = 0;
    for (const std::int64_t capacity : {2, 4}) {
      concrete_system s(shipped("run-queue"), run_queue_invariants(), capacity, 13, 2);
      forbid(s, where, guard);
      walker w(s);
      std::vector<script> some = halves;
      std::erase_if(some, [&](const script& each) { return static_cast<std::int64_t>(each.capacity) != capacity; });
      others += replayed<run_queue_calls>(w, some, 0).others;
    }
    EXPECT_NE(others, 0U) << where << " " << guard;
  }
}

TEST_F(orders_of, thefts_of_half_by_a_mutant_are_paths_of_its_own_system_and_break_what_is_recorded) {
  using orders = checker::live_orders<run_queue_orders>;
  struct fault {
    checker::mutation what;
    const char* broken;
  };
  const std::vector<script> some{
      {"PPPp", {}, 4, 4, {"h", "s"}}, {"HHp", {}, 4, 4, {"s", "q"}}, {"HpH", {}, 4, 4, {"h", ""}}};
  const concrete_system right(shipped("run-queue"), run_queue_invariants(), 4, 13, 2);
  for (const fault& f : {fault{{"half.tail", change::weaken}, "half.tail > half.first: 23"},
                         fault{{"half.publish", change::weaken}, "half.publish > a batch: 5"}}) {
    orders::reset();
    orders::apply(f.what);
    const concrete_system its(shipped("run-queue"), run_queue_invariants(), 4, 13, 2);
    walker in_its(its), in_right(right);
    EXPECT_EQ(replayed<run_queue_calls>(in_its, some, 0).others, 0U) << f.broken;
    EXPECT_TRUE(in_its.broken.contains(f.broken)) << f.broken;
    EXPECT_NE(replayed<run_queue_calls>(in_right, some, 0).others, 0U) << f.broken;
  }
}

TEST_F(orders_of, events_are_no_paths_of_a_run_queue_whose_semantics_forbid_what_is_real) {
  for (const auto& [where, guard] : {std::pair{"steal.tail > empty", "(= v stores)"},  // no old tail
                                     {"steal.claim > lost", "(= v (+ (select seen.top me) 2))"},
                                     {"steal.head > steal.tail", "(= v top)"}}) {  // no old head
    concrete_system s(shipped("run-queue"), run_queue_invariants(), 2, 13, 2);
    forbid(s, where, guard);
    walker w(s);
    EXPECT_NE(replayed<run_queue_calls>(w, scripts(4, "OPp", 2, 2), 0).others, 0U) << where << " " << guard;
  }
}

TEST_F(orders_of, events_of_a_run_queues_mutant_are_paths_of_its_own_system_and_break_what_is_recorded) {
  const concrete_system right(shipped("run-queue"), run_queue_invariants(), 2, 13, 2);
  checker::live_orders<run_queue_orders>::apply({"steal.tail", change::weaken});
  const concrete_system its(shipped("run-queue"), run_queue_invariants(), 2, 13, 2);
  walker in_its(its), in_right(right);
  EXPECT_EQ(replayed<run_queue_calls>(in_its, scripts(3, "OPp", 2, 2), 0).others, 0U);
  EXPECT_TRUE(in_its.broken.contains("steal.tail > steal.item: 18"));  // as run_queue.inv says
  EXPECT_NE(replayed<run_queue_calls>(in_right, scripts(3, "OPp", 2, 2), 0).others, 0U);
}

}  // namespace
}  // namespace licit::proof
