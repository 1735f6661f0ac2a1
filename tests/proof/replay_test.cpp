/// The semantics of the proof against the exhaustive checker: what threads read in its executions, they can read along
/// a path of the transition system, and every invariant holds on the way. And random walks of the system.
#include <array>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <licit/checker/run.hpp>
#include <licit/deque/chase_lev.hpp>

#include <gtest/gtest.h>

#include "concrete_system.hpp"
#include "proof/structures.hpp"

namespace licit::proof {
namespace {

using checker::change;
using checker::model;
using checker::mutation;
using orders = checker::live_orders<chase_lev_orders>;

constexpr unsigned most_threads = 3;

/// What one thread did at one site: what it read, or whether its claim succeeded.
struct deed {
  std::string_view site;
  std::int64_t value = 0;
  auto operator<=>(const deed&) const = default;
};
using history = std::array<std::vector<deed>, most_threads>;

history running;                // of the execution that is being made
thread_local unsigned who = 0;  // the checker gives each of its threads its own
void note(std::string_view site, std::int64_t value = 0) { running[who].push_back({site, value}); }

std::vector<const void*> rings_of_deque;  // in the order of their publication
template <class T>
std::int64_t number(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return std::ranges::find(rings_of_deque, value) - rings_of_deque.begin();
  } else {
    return std::is_same_v<T, int> ? value - 1 : value;  // items are pushes, counted from 1
  }
}

/// The checker's policy; it writes down what threads do.
struct noted : model {
  template <class T>
  class atomic : public model::atomic<T> {
   public:
    using model::atomic<T>::atomic;
    template <class Site>
    T load(Site s) const {
      const T got = model::atomic<T>::load(s);
      note(Site::entry.site, number(got));
      return got;
    }
    template <class Site>
    void store(T value, Site s) {
      model::atomic<T>::store(value, s);
      if (Site::entry.site == "make.ring") rings_of_deque.clear();
      if constexpr (std::is_pointer_v<T>) rings_of_deque.push_back(value);
      if (!orders::row(Site::index).dropped) note(Site::entry.site);
    }
    template <class Site>
    bool compare_exchange(T& expected, T desired, Site s) {
      const bool won = model::atomic<T>::compare_exchange(expected, desired, s);
      note(Site::entry.site, won ? -1 : static_cast<std::int64_t>(expected));
      return won;
    }
  };
  template <class Site>
  static void fence(Site s) {
    model::fence(s);
    if (!orders::row(Site::index).dropped && orders::row(Site::index).success != order::relaxed) note(Site::entry.site);
  }
  struct fences {
    template <class Site>
    void operator()(Site s) const {
      fence(s);
    }
  };
  static void invariant(int /*number*/, bool /*holds*/) {}  // of mutants too, all executions
};

/// The owner's calls, and how many steals each thief makes.
struct script {
  std::string owner;
  std::array<int, 2> steals{};
  std::size_t capacity = 2;
  std::size_t maximum = capacity;
};

/// Plays a script; all histories of its executions are in `seen`.
class client {
 public:
  static inline std::set<history> seen;

  explicit client(const script& s)
      : script_{s}, deque_{deque_options{.initial_capacity = s.capacity, .maximum_capacity = s.maximum}} {
    for (auto& each : running) each.clear();
  }
  void thread(unsigned t) {
    who = t;
    for (const char c : t == 0 ? script_.owner : std::string(static_cast<std::size_t>(script_.steals[t - 1]), 's')) {
      if (c == 's') static_cast<void>(deque_.steal());
      if (c == 'p') static_cast<void>(deque_.pop());
      if (c == 'P' && deque_.size() != script_.maximum) deque_.push(++pushed_);
    }
  }
  void finish() { seen.insert(running); }

 private:
  const script& script_;
  chase_lev<int, noted> deque_;
  int pushed_ = 0;
};

std::set<history> histories(const script& s) {
  client::seen.clear();
  const auto v = checker::run_program_with<client>(s, most_threads);
  EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
  const auto is_no_step = [](const deed& d) {
    return d.site.starts_with("size.") || d.site == "grow.read" || d.site == "grow.copy";
  };
  for (history h; const history& each : std::set<history>(client::seen)) {
    h = each;
    for (auto& of : h) std::erase_if(of, is_no_step);
    client::seen.erase(each);
    client::seen.insert(h);
  }
  return client::seen;
}

/// Looks for a path of the system on which each thread does what the history says.
class replayer {
 public:
  explicit replayer(const concrete_system& s) : s_{s} {
    for (const step& each : s.system.steps) {
      std::vector<std::string> sites;
      if (each.does) sites.push_back(each.does->name);
      for (const auto& r : each.reads) sites.push_back(r.result);
      sites_.push_back(sites);
    }
  }

  bool is_path(const history& h) {
    failed_.clear();
    place start{{}, s_.first()};
    return found(h, start);
  }
  /// Of all states on paths that were found.
  std::string broken;
  std::set<std::string> fired;

 private:
  struct place {
    std::array<std::size_t, most_threads> done;
    cells state;
  };

  bool found(const history& h, const place& p) {
    bool over = true;
    for (unsigned t = 0; t != most_threads; ++t) over = over && p.done[t] == h[t].size();
    if (over) return true;
    if (!failed_.insert(key(p)).second) return false;
    for (unsigned t = 0; t != most_threads; ++t) {
      if (p.done[t] != h[t].size() && any_step(h, p, t)) return true;
    }
    return false;
  }
  bool any_step(const history& h, const place& p, unsigned t) {
    for (std::size_t i = 0; i != sites_.size(); ++i) {
      if (s_.system.steps[i].owner != (t == 0) || !begins(h[t], p.done[t], sites_[i])) continue;
      if (any_choice(h, p, t, i)) return true;
    }
    return false;
  }
  static bool begins(const std::vector<deed>& h, std::size_t from, const std::vector<std::string>& sites) {
    if (from + sites.size() > h.size()) return false;
    for (std::size_t i = 0; i != sites.size(); ++i) {
      if (h[from + i].site != sites[i]) return false;
    }
    return true;
  }
  bool any_choice(const history& h, const place& p, unsigned t, std::size_t i) {
    const std::int64_t last = s_.steps[i].choices == 0 ? -1 : s_.u.most() - 1;
    for (std::int64_t v = -1; v <= last; ++v) {
      place next{p.done, {}};
      if (!s_.steps[i].make(p.state, t == 0 ? 0 : t - 1, 0, v, v, next.state)) continue;
      if (!agrees(h[t], p.done[t], t, i, next.state)) continue;
      next.done[t] += sites_[i].size();
      if (!found(h, next)) continue;
      fired.insert(s_.system.steps[i].name);
      judge(p, t, i, v, next.state);
      return true;
    }
    return false;
  }
  bool agrees(const std::vector<deed>& h, std::size_t from, unsigned t, std::size_t i, const cells& after) const {
    const step& of = s_.system.steps[i];
    for (std::size_t n = 0; n != sites_[i].size(); ++n) {
      const deed& d = h[from + n];
      const bool operation = of.does && n == 0;
      if (operation && of.does->how == operation::compare_exchange) {
        if (of.does->won != (d.value == -1)) return false;
        if (of.does->won) continue;
      } else if (operation && of.does->how != operation::load) {
        continue;
      }
      const std::string& name = sites_[i][n];
      if (after[t == 0 ? s_.u.at(name) : s_.u.at(name, t - 1)] != d.value) return false;
    }
    return true;
  }
  void judge(const place& p, unsigned t, std::size_t i, std::int64_t v, const cells& after) {
    if (!broken.empty()) return;
    broken = s_.steps[i].broken(p.state, t == 0 ? 0 : t - 1, v, v, after);
    if (broken.empty() && judged_.insert(key({{}, after})).second) broken = s_.broken(after);
    if (!broken.empty()) broken = s_.system.steps[i].name + ": " + broken;
  }
  static std::string key(const place& p) {
    std::string out;
    for (const std::size_t d : p.done) out += static_cast<char>(d);
    for (const std::int64_t c : p.state) out += static_cast<char>(c);
    return out;
  }

  const concrete_system& s_;
  std::vector<std::vector<std::string>> sites_;
  std::unordered_set<std::string> failed_, judged_;
};

/// Every owner of exactly n calls that begins with a push, and every two thieves, with so many calls in all.
std::vector<script> scripts(int calls, std::size_t capacity, std::size_t maximum) {
  std::vector<script> all;
  for (int owner = 1; owner <= calls; ++owner) {
    for (int b = 0; 2 * b <= calls - owner; ++b) {
      for (unsigned bits = 0; bits != 1U << (owner - 1); ++bits) {
        script s{"P", {calls - owner - b, b}, capacity, maximum};
        for (int i = 0; i != owner - 1; ++i) s.owner += (bits >> i & 1U) != 0 ? 'p' : 'P';
        all.push_back(s);
      }
    }
  }
  return all;
}

class replay : public testing::Test {
 protected:
  ~replay() override { orders::reset(); }

  /// The histories that are no path, of all clients of so many calls.
  struct tally {
    std::size_t clients = 0, histories = 0, others = 0;
    std::string broken;
    std::set<std::string> fired;
  };
  static tally of(const concrete_system& s, const std::vector<script>& all) {
    tally t;
    replayer r(s);
    for (const script& each : all) {
      ++t.clients;
      for (const history& h : histories(each)) {
        ++t.histories;
        if (!r.is_path(h)) ++t.others;
      }
    }
    t.broken = r.broken;
    t.fired = r.fired;
    return t;
  }
  /// Whether some history of some client is no path.
  static bool misses_some(const concrete_system& s, const std::vector<script>& all) {
    return std::ranges::any_of(all, [&](const script& each) { return of(s, {each}).others != 0; });
  }
};

TEST_F(replay, finds_a_path_for_every_execution_and_no_invariant_broken) {
  std::set<std::string> fired;
  for (const auto& [capacity, maximum] : {std::pair<std::size_t, std::size_t>{1, 1}, {2, 2}, {1, 4}}) {
    const concrete_system s(shipped_chase_lev(), chase_lev_invariants(), static_cast<std::int64_t>(capacity), 13, 2);
    std::vector<script> all = scripts(5, capacity, maximum);
    if (capacity == 2) all.push_back({"PPPppPP", {1, 0}, 2});  // it pops into the lap before, and pushes out of it
    const tally t = of(s, all);
    EXPECT_EQ(t.others, 0U) << "of " << t.histories << " histories of " << t.clients << " clients";
    EXPECT_EQ(t.broken, "");
    EXPECT_GT(t.histories, 500U);
    fired.insert(t.fired.begin(), t.fired.end());
    std::printf("capacity %zu to %zu: %zu clients, %zu histories\n", capacity, maximum, t.clients, t.histories);
  }
  for (const step& each : chase_lev_of_single_thefts().steps) {
    if (each.name != "push.room > no room") {  // the clients do not push into a full deque
      EXPECT_TRUE(fired.contains(each.name)) << each.name;
    }
  }
}

TEST_F(replay, misses_executions_if_the_semantics_forbid_what_is_real) {
  struct fault {
    const char* where;
    const char* guard;
    int calls;
  };
  for (const fault& wrong :
       {fault{"steal.fence > steal.bottom", "(= v stores)", 5},                               // no old view
        fault{"steal.item > steal.claim", "(= v (select latest (select steal.top me)))", 4},  // no old item
        fault{"steal.item > steal.claim",
              "(not (= v (select carried (sl (select steal.ring me) (select steal.top me)))))", 4},  // nothing copied
        fault{"steal.claim > lost", "(= v (+ (select seen.top me) 2))", 4}}) {
    concrete_system s(shipped_chase_lev(), chase_lev_invariants(), 1, 13, 2);
    for (std::size_t i = 0; i != s.transitions.size(); ++i) {
      if (s.transitions[i].name != wrong.where) continue;
      s.transitions[i].guards.emplace_back(wrong.guard);
      s.steps[i] = concrete_step(s.u, s.transitions[i], s.all);
    }
    EXPECT_TRUE(misses_some(s, scripts(wrong.calls, 1, 2))) << wrong.where << " " << wrong.guard;
  }
}

TEST_F(replay, finds_executions_of_a_mutant_in_its_own_system_and_not_in_the_right_one) {
  const concrete_system right(shipped_chase_lev(), chase_lev_invariants(), 2, 13, 2);
  const std::vector<script> one{{"PPpp", {2, 0}, 2}};
  for (const mutation& m : {mutation{"pop.fence", change::weaken, order::acq_rel},
                            mutation{"steal.fence", change::weaken, order::acq_rel}}) {
    orders::reset();
    orders::apply(m);
    const concrete_system its(shipped_chase_lev(), chase_lev_invariants(), 2, 13, 2);
    EXPECT_EQ(of(its, one).others, 0U) << m.site;
    EXPECT_NE(of(its, one).broken, "") << m.site;
    EXPECT_TRUE(misses_some(right, one)) << m.site;
  }
}

TEST_F(replay, sees_a_false_invariant) {
  const std::string file = std::string(chase_lev_invariants()) + "(invariant 99 \"wrong\" (=> popping (< top mine)))";
  const concrete_system s(shipped_chase_lev(), file, 2, 13, 2);
  EXPECT_TRUE(of(s, scripts(4, 2, 2)).broken.ends_with(": 99"));
}

// A thief that reports `empty` may have missed what is there: its place is in the past.
TEST_F(replay, sees_that_the_order_of_steps_is_no_order_of_calls) {
  const std::string file = std::string(chase_lev_invariants()) +
                           R"((must "steal.bottom > empty" "now" (forall ((p Int)) (! (=> (and (<= 0 p) (< p pushes))
                             (gone-by p stores)) :pattern ((taken p))))))";
  const concrete_system s(shipped_chase_lev(), file, 2, 13, 2);
  EXPECT_EQ(of(s, scripts(4, 2, 2)).broken, "steal.bottom > empty: now");
  const std::string moments = std::string(chase_lev_invariants()) +
                              R"((invariant 99 "thefts read the newest bottom" (forall ((i Int)) (!
                                (=> (and (<= 0 i) (< i top) (= at 0)) (= (when i) stores)) :pattern ((when i))))))";
  const concrete_system t(shipped_chase_lev(), moments, 2, 13, 2);
  EXPECT_TRUE(of(t, scripts(4, 2, 2)).broken.ends_with(": 99"));
}

/// Random walks: from the first state, until so many steps, or the universe is full. The first thing that is broken.
std::string walked(const concrete_system& s, std::mt19937& random, int length, std::set<std::string>& fired) {
  cells now = s.first(), next;
  for (int n = 0; n != length; ++n) {
    const std::size_t i = random() % s.steps.size();
    const auto pick = [&](std::int64_t most) {
      return static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
    };
    const std::int64_t me = pick(s.u.thiefs()), other = pick(s.u.thiefs()), v = pick(s.u.most()) - 1;
    if (!s.transitions[i].redone.empty() && !s.u.has_ring(now[s.u.at("newest")] + 1)) continue;
    if (!s.steps[i].make(now, me, other, v, v, next)) continue;
    if (next[s.u.at("stores")] == s.u.most() - 1 || next[s.u.at("pushes")] == s.u.most() - 1) break;
    fired.insert(s.transitions[i].name);
    if (std::string what = s.steps[i].broken(now, me, v, v, next); !what.empty())
      return s.transitions[i].name + ": " + what;
    now = next;
    if (n % 16 == 0) {
      if (std::string what = s.broken(now); !what.empty()) return "invariant " + what;
    }
  }
  return "";
}

TEST_F(replay, walks_at_random_and_breaks_nothing) {
  std::mt19937 random(1);
  std::set<std::string> fired;
  for (const int capacity : {1, 2, 3}) {
    const concrete_system s(shipped_chase_lev(), chase_lev_invariants(), capacity, 12, 2);
    for (int n = 0; n != 100; ++n) ASSERT_EQ(walked(s, random, 4000, fired), "");
  }
  // What thefts of half do is seldom: steps_test.cpp makes more walks.
  const concrete_system s(chase_lev_of_single_thefts(), chase_lev_invariants(), 1, 12, 2);
  for (const transition& t : s.transitions) EXPECT_TRUE(fired.contains(t.name)) << t.name;
}

TEST_F(replay, breaks_something_at_random_in_a_mutant) {
  for (const mutation& m : {mutation{"pop.fence", change::drop}, mutation{"steal.fence", change::drop},
                            mutation{"steal.bottom", change::weaken}, mutation{"push.publish", change::weaken},
                            mutation{"steal.claim", change::blind_store}, mutation{"pop.claim", change::blind_store},
                            mutation{"pop.reserve", change::drop}}) {
    orders::reset();
    orders::apply(m);
    std::mt19937 random(1);
    std::set<std::string> fired;
    const concrete_system s(shipped_chase_lev(), chase_lev_invariants(), 2, 12, 2);
    std::string what;
    for (int n = 0; n != 3000 && what.empty(); ++n) what = walked(s, random, 4000, fired);
    EXPECT_NE(what, "") << m.site;
  }
}

}  // namespace
}  // namespace licit::proof
