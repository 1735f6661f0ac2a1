/// Each execution of clients of a deque is a path of its transition system, in whatever order its events are made: that
/// of their insertion, and random ones. Every invariant holds on the way.
#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <licit/checker/run.hpp>
#include <licit/deque/chase_lev.hpp>
#include <licit/deque/run_queue.hpp>

#include <gtest/gtest.h>

#include "concrete_system.hpp"
#include "deque_paths.hpp"
#include "graphs.hpp"
#include "proof/structures.hpp"
#include "tables.hpp"

namespace licit::proof {
namespace {

using checker::change;
using checker::model;
using namespace of_deque;

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

/// Whether some execution of some client is no path.
template <class Calls>
bool misses_some(walker& w, const std::vector<script>& all, int orders) {
  return std::ranges::any_of(all, [&](const script& s) { return replayed<Calls>(w, {s}, orders).others != 0; });
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
    transition_system system = chase_lev_of_single_thefts();
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
    concrete_system s(chase_lev_of_single_thefts(), chase_lev_invariants(), 2, 13, 2);
    walker right(s);
    EXPECT_EQ(replayed<chase_lev_calls>(right, races, 2).others, 0U) << wrong.rows;
    EXPECT_TRUE(right.broken.contains(wrong.broken)) << wrong.rows;
    rewrite(s, wrong.where, wrong.from, wrong.to);
    walker w(s);
    EXPECT_TRUE(misses_some<chase_lev_calls>(w, races, 2)) << wrong.rows << ", " << wrong.where;
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
  checker::options without_ghosts;  // of which one would fail first
  without_ghosts.ghosts = false;
  EXPECT_EQ(checker::run<second_owner>(without_ghosts).outcome, checker::outcome::ok);
  for (const std::string& rows : {std::string(), ", " + thief_accesses + ", steal.claim seq_cst"}) {
    use_rows("push.fence release, push.publish relaxed, pop.reserve release" + rows);
    EXPECT_EQ(checker::run<second_owner>(without_ghosts).outcome, checker::outcome::ok) << rows;
    use_rows("push.fence release, push.publish relaxed, pop.reserve relaxed" + rows);
    EXPECT_EQ(checker::run<second_owner>(without_ghosts).kind, checker::violation::assertion) << rows;
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
    EXPECT_TRUE(misses_some<chase_lev_calls>(w, scripts(4, "Pp", 1, 2), 3));
  }
}

TEST_F(orders_of, thefts_of_half_are_no_paths_if_the_semantics_forbid_what_is_real) {
  for (const auto& [where, guard] : {std::pair{"steal.item > steal.claim", "(not (= v (- 1)))"},  // no copy is read
                                     {"half.tail > empty", "(= v stores)"},                       // no old tail
                                     {"half.claim > lost", "(= v (+ (select half.head me) 2))"},
                                     {"half.copy > in vain", "false"},  // a claim always succeeds
                                     {"half.copy > half.copy", "false"}}) {
    const auto misses = [&](std::int64_t capacity) {
      concrete_system s(shipped("run-queue"), run_queue_invariants(), capacity, 13, 2);
      forbid(s, where, guard);
      walker w(s);
      std::vector<script> some = halves;
      std::erase_if(some, [&](const script& each) { return static_cast<std::int64_t>(each.capacity) != capacity; });
      return misses_some<run_queue_calls>(w, some, 0);
    };
    EXPECT_TRUE(misses(2) || misses(4)) << where << " " << guard;
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
    EXPECT_TRUE(misses_some<run_queue_calls>(in_right, some, 0)) << f.broken;
  }
}

TEST_F(orders_of, events_are_no_paths_of_a_run_queue_whose_semantics_forbid_what_is_real) {
  for (const auto& [where, guard] : {std::pair{"steal.tail > empty", "(= v stores)"},  // no old tail
                                     {"steal.claim > lost", "(= v (+ (select seen.top me) 2))"},
                                     {"steal.head > steal.tail", "(= v top)"}}) {  // no old head
    concrete_system s(shipped("run-queue"), run_queue_invariants(), 2, 13, 2);
    forbid(s, where, guard);
    walker w(s);
    EXPECT_TRUE(misses_some<run_queue_calls>(w, scripts(4, "OPp", 2, 2), 0)) << where << " " << guard;
  }
}

TEST_F(orders_of, events_of_a_run_queues_mutant_are_paths_of_its_own_system_and_break_what_is_recorded) {
  const concrete_system right(shipped("run-queue"), run_queue_invariants(), 2, 13, 2);
  checker::live_orders<run_queue_orders>::apply({"steal.tail", change::weaken});
  const concrete_system its(shipped("run-queue"), run_queue_invariants(), 2, 13, 2);
  walker in_its(its), in_right(right);
  EXPECT_EQ(replayed<run_queue_calls>(in_its, scripts(3, "OPp", 2, 2), 0).others, 0U);
  EXPECT_TRUE(in_its.broken.contains("steal.tail > steal.item: 18"));  // as run_queue.inv says
  EXPECT_TRUE(misses_some<run_queue_calls>(in_right, scripts(3, "OPp", 2, 2), 0));
}

}  // namespace
}  // namespace licit::proof
