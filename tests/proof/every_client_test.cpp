/// Each execution of every client that `make verify` generates, and of those that the suites have chosen, is a path of
/// the structure's transition system, in whatever order its events are made. Every invariant holds on the way.
#include <array>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "concrete_system.hpp"
#include "deque_paths.hpp"
#include "graphs.hpp"
#include "proof/structures.hpp"
#include "suites/chase_lev.hpp"
#include "suites/chase_lev_asymmetric.hpp"
#include "suites/every/clients.hpp"
#include "suites/program.hpp"
#include "suites/run_queue.hpp"
#include "tables.hpp"

namespace licit::proof {
namespace {

using namespace of_deque;

using words = std::span<const char* const>;

/// What clients may call, and how many calls they make at most.
struct alphabet {
  words owner, thief;
  unsigned most_calls = 0;
};

struct tally {
  std::size_t clients = 0, executions = 0, others = 0;
  std::set<std::string> fired = {}, broken = {};
  std::string wrong = {};
};

// The classes of the suites, which also say what the calls answered.
template <class Model>
using chase_lev_heard = suites::specified_client<Model, chase_lev, deque_options, heard<suites::chase_lev_promise>>;
template <class Model>
using asymmetric_heard = suites::specified_client<asymmetric<Model>, chase_lev, deque_options,
                                                  heard<suites::looks_before_its_fence<suites::chase_lev_promise>>>;
template <class Model>
using run_queue_heard = suites::specified_client<Model, run_queue, run_queue_options, heard<suites::queue_promise>>;

/// The clients of a structure that `make verify` generates, against the structure's system.
template <template <class> class Client>
class every_client {
 public:
  using specified = Client<checker::model>;
  using promise = typename specified::promise;

  explicit every_client(const char* structure, queue of = queue::only)
      : structure_{structure}, of_{of}, system_{shipped(structure)} {}

  [[nodiscard]] concrete_system system(unsigned capacity) const {
    concrete_system s(system_, invariants_of(system_), capacity, 16, 2);
    s.other_capacity = capacity;  // of a thief's own queue
    return s;
  }
  /// The alphabets of its promise.
  [[nodiscard]] static alphabet core(unsigned most_calls) { return {promise::owner, promise::thief, most_calls}; }
  [[nodiscard]] static alphabet all(unsigned most_calls) {
    return {promise::all_of_owner, promise::all_of_thief, most_calls};
  }

  /// Each execution of each client, in the order of insertion and in so many others. `until_missed`: up to the first
  /// client of which one is no path.
  tally replayed(const concrete_system& s, unsigned capacity, const alphabet& of, int orders,
                 bool until_missed = false) const {
    walker w(s, of_);
    tally t;
    std::mt19937 random(1);
    std::string before;
    const auto explore = [&](const std::string& text) {
      const suites::line l = suites::parse("capacity=" + std::to_string(capacity) + before + ":" + text,
                                           suites::vocabulary_of<specified>());
      std::size_t seen = 0;
      checker::options o;
      o.ghosts = false;
      o.observe = [&](const graph& g) {
        ++seen;
        for (int n = 0; n <= orders; ++n) {
          if (!w.is_path(g, extension(g, n == 0 ? nullptr : &random), answered())) ++t.others;
        }
      };
      const auto v = checker::run_program_with<suites::line_program<Client, checker::model>>(l, l.threads, o);
      EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
      EXPECT_EQ(v.executions, seen) << text;
      EXPECT_NE(seen, 0U) << text;
      ++t.clients;
      t.executions += seen;
      return !until_missed || t.others == 0;
    };
    std::size_t all = 0;
    for (const char* const begun : promise::before) {
      before = begun;
      for (unsigned calls = 1; calls <= of.most_calls; ++calls) {
        const suites::client_size size{of.owner, of.thief, 2, calls, true};
        suites::client_generator(size, explore).run();
        all += suites::count_of(size);
        if (until_missed && t.others != 0) return t;
      }
    }
    EXPECT_EQ(t.clients, all);
    EXPECT_EQ(w.broken, std::set<std::string>{}) << structure_;
    t.fired = w.fired;
    return t;
  }

  /// Every one is a path, and makes these steps.
  void are_paths(const alphabet& of, int orders, std::initializer_list<const char*> steps) const {
    std::set<std::string> fired;
    for (const unsigned capacity : promise::capacities) {
      tally t = replayed(system(capacity), capacity, of, orders);
      EXPECT_EQ(t.others, 0U) << structure_;
      std::printf("%s, up to %u calls of %zu, capacity %u: %zu clients, %zu executions, %d orders of each\n",
                  structure_, of.most_calls, of.owner.size() + of.thief.size(), capacity, t.clients, t.executions,
                  orders + 1);
      fired.merge(t.fired);
    }
    for (const char* step : steps) EXPECT_TRUE(fired.contains(step)) << structure_ << ": " << step;
  }

 private:
  /// In the latest execution, if the class says it.
  static const answers* answered() {
    if constexpr (requires { promise::latest; }) {
      return &promise::latest;
    } else {
      return nullptr;
    }
  }

  const char* structure_;
  queue of_;
  transition_system system_;
};

// Made when a test first asks: the run-time tables that they read are statics of other files.
const auto& of_chase_lev() {
  static const every_client<chase_lev_heard> it("chase-lev");
  return it;
}
const auto& of_chase_lev_asymmetric() {
  static const every_client<asymmetric_heard> it("chase-lev-asymmetric");
  return it;
}
const auto& of_run_queue() {
  static const every_client<run_queue_heard> it("run-queue");
  return it;
}

const auto& of_loot() {
  static const every_client<suites::every_onward_queue> it("run-queue", queue::loot);
  return it;
}

const std::initializer_list<const char*> deque_steps{"steal.claim > item steal.item", "steal.claim > lost",
                                                     "pop.claim > pop.restore#2"};
const std::initializer_list<const char*> half_steps{"half.claim > lost", "half.claim won > half.again",
                                                    "half.again > half.ring#2", "half.bottom > empty"};
const std::initializer_list<const char*> queue_steps{"steal.claim > lost", "steal.tail > empty", "half.claim > lost"};
const std::initializer_list<const char*> overflow_steps{"overflow.claim > nothing (2)"};
const std::initializer_list<const char*> loot_steps{"half.publish > a batch", "steal.claim > lost"};

TEST(every_client_of_verify, of_few_calls_is_a_path) {
  of_chase_lev().are_paths(of_chase_lev().core(4), 1, deque_steps);
  of_chase_lev_asymmetric().are_paths(of_chase_lev_asymmetric().core(4), 1, deque_steps);
  of_run_queue().are_paths(of_run_queue().core(4), 1, queue_steps);
  of_run_queue().are_paths(of_run_queue().all(3), 1, {});
  of_loot().are_paths(of_loot().core(4), 1, loot_steps);
}

TEST(every_client_of_verify, is_no_path_if_the_semantics_forbid_what_is_real) {
  concrete_system no_old_tail = of_run_queue().system(2);
  concrete_system no_old_bottom = of_chase_lev().system(2);
  concrete_system no_old_loot = of_loot().system(4);
  for (const auto& [s, where] : {std::pair{&no_old_tail, "half.tail > empty"},
                                 {&no_old_bottom, "steal.bottom > empty"},
                                 {&no_old_loot, "steal.tail > empty"}}) {
    for (std::size_t i = 0; i != s->transitions.size(); ++i) {
      if (s->transitions[i].name != where) continue;
      s->transitions[i].guards.emplace_back("(= v stores)");
      s->steps[i] = concrete_step(s->u, s->transitions[i], s->all);
    }
  }
  EXPECT_NE(of_run_queue().replayed(no_old_tail, 2, of_run_queue().core(3), 0, true).others, 0U);
  EXPECT_NE(of_chase_lev().replayed(no_old_bottom, 2, of_chase_lev().core(3), 0, true).others, 0U);
  EXPECT_NE(of_loot().replayed(no_old_loot, 4, of_loot().core(4), 0, true).others, 0U);
}

// What a step is said to answer, or to hand over, is made wrong.
TEST(every_client_of_verify, is_no_path_if_its_calls_answer_something_else) {
  struct fault {
    const char *step, *answers;
  };
  const auto others = [](const auto& of, const fault& wrong) {
    concrete_system s = of.system(2);
    bool found = false;
    for (step& each : s.system.steps) {
      if (each.name != wrong.step) continue;
      found = true;
      each.hands ? each.hands->last = "(+ " + each.hands->first + " 2)" : each.returns = wrong.answers;
    }
    EXPECT_TRUE(found) << wrong.step;
    return of.replayed(s, 2, of.all(3), 0, true).others;
  };
  for (const fault& wrong :
       {fault{"steal.claim > lost", "empty"}, fault{"steal.bottom > empty", "lost"},
        fault{"steal.claim > item steal.item", "item steal.bottom"}, fault{"pop.top > item pop.item", "item pop.top"},
        fault{"pop.restore > none", "lost"}, fault{"push.publish > nothing", "no room"},
        fault{"half.bottom > empty", "lost"}, fault{"half.claim > lost", "empty"},
        fault{"half.claim won > half (4)", "lost"}, fault{"size.top > a number", "room"}}) {
    EXPECT_NE(others(of_chase_lev(), wrong), 0U) << wrong.step;
  }
  for (const fault& wrong :
       {fault{"overflow.claim > nothing (2)", ""}, fault{"room.head > full", "nothing"},
        fault{"half.claim > item half.first (2)", "item half.tail"}, fault{"half.tail > empty", "nothing"}}) {
    EXPECT_NE(others(of_run_queue(), wrong), 0U) << wrong.step;
  }
}

TEST(every_client_of_verify, of_few_calls_is_a_path_in_a_hundred_orders_long) {
  of_chase_lev().are_paths(of_chase_lev().core(4), 100, deque_steps);
  of_chase_lev_asymmetric().are_paths(of_chase_lev_asymmetric().core(4), 100, deque_steps);
  of_run_queue().are_paths(of_run_queue().core(4), 100, queue_steps);
  of_loot().are_paths(of_loot().core(4), 100, loot_steps);
}

TEST(every_client_of_verify, of_chase_lev_is_a_path_long) {
  of_chase_lev().are_paths(of_chase_lev().core(7), 1, deque_steps);
  of_chase_lev().are_paths(of_chase_lev().all(5), 1, half_steps);
}
TEST(every_client_of_verify, of_chase_lev_over_asymmetric_fences_is_a_path_long) {
  of_chase_lev_asymmetric().are_paths(of_chase_lev_asymmetric().core(7), 1, deque_steps);
  of_chase_lev_asymmetric().are_paths(of_chase_lev_asymmetric().all(4), 1, deque_steps);
}
TEST(every_client_of_verify, of_the_run_queue_is_a_path_long) {
  of_run_queue().are_paths(of_run_queue().core(7), 1, queue_steps);
  of_run_queue().are_paths(of_run_queue().all(5), 1, overflow_steps);
  of_loot().are_paths(of_loot().core(6), 1, loot_steps);
}
/// What the main thread pushes into queue 0.
template <class Client>
filling filling_of(const suites::line& l) {
  filling f{.items = 0, .first = 1};
  if constexpr (requires { Client::fill_word; }) {
    for (const suites::call& c : l.before) {
      if (c.word != Client::fill_word) continue;
      if (c.at(0, 0) == 0) {
        f.items = static_cast<std::int64_t>(c.at(1, 1));
        break;
      }
      f.first += c.at(1, 1);
    }
  }
  return f;
}

/// A client of the suites, in the order of insertion and in so many others, up to so many executions. With up to three
/// watched items, one after another, where thefts of half take several.
template <template <class> class Client>
tally replayed_chosen(const transition_system& system, const suites::client_line& chosen, int orders, std::size_t most,
                      const std::function<void(concrete_system&)>& change = {}) {
  const suites::line l = suites::parse(chosen.text, suites::vocabulary_of<Client<checker::model>>());
  const std::string text(chosen.text);
  const auto capacity = static_cast<unsigned>(l.setting(0, 2));  // the first setting of both suites
  tally t;
  std::mt19937 random(1);
  const bool several = system.structure == "run-queue" && text.find("half") != std::string::npos;
  for (int watched = 1; watched <= (several ? 3 : 1); ++watched) {
    concrete_system s(system, invariants_of(system), capacity, 24, 2);
    s.watched = watched;
    s.other_capacity = capacity;
    if (change) change(s);
    walker w(s, queue::only, filling_of<Client<checker::model>>(l));
    checker::options o;
    o.ghosts = false;
    o.max_executions = most;
    o.observe = [&](const graph& g) {
      t.executions += watched == 1 ? 1 : 0;
      for (int n = 0; n <= orders; ++n) {
        if (!w.is_path(g, extension(g, n == 0 ? nullptr : &random))) ++t.others;
      }
    };
    const auto v = checker::run_program_with<suites::line_program<Client, checker::model>>(l, l.threads, o);
    if (v.outcome == checker::outcome::violation) t.wrong = v.message;
    t.broken.merge(w.broken);
    t.fired.merge(w.fired);
  }
  EXPECT_NE(t.executions, 0U) << text;
  std::printf("%s, %s: %zu executions\n", system.structure.c_str(), text.c_str(), t.executions);
  return t;
}

void are_paths(const tally& t, std::string_view text) {
  EXPECT_EQ(t.others, 0U) << text;
  EXPECT_EQ(t.broken, std::set<std::string>{}) << text;
  EXPECT_EQ(t.wrong, "") << text;
}

template <template <class> class Client, class Lines>
void chosen_are_paths(const char* structure, const Lines& lines, int orders, std::size_t most) {
  const transition_system system = shipped(structure);
  for (const suites::client_line& each : lines) {
    are_paths(replayed_chosen<Client>(system, each, orders, most), each.text);
  }
}

template <class Model>
using asymmetric_chase_lev_client = suites::chase_lev_client<asymmetric<Model>>;
template <class Model>
using asymmetric_half_client = suites::half_client<asymmetric<Model>>;
void chosen_are_paths(std::size_t most, std::size_t most_over_asymmetric_fences) {
  chosen_are_paths<suites::chase_lev_client>("chase-lev", suites::chase_lev_lines, 1, most);
  chosen_are_paths<suites::published_client>("chase-lev", suites::published_lines, 1, most);
  chosen_are_paths<suites::half_client>("chase-lev", suites::half_lines, 1, most);
  chosen_are_paths<asymmetric_chase_lev_client>("chase-lev-asymmetric", suites::chase_lev_lines, 1,
                                                most_over_asymmetric_fences);
  chosen_are_paths<asymmetric_half_client>("chase-lev-asymmetric", suites::half_lines, 1, most_over_asymmetric_fences);
  chosen_are_paths<suites::run_queue_client>("run-queue", suites::run_queue_lines, 1, most);
}

TEST(chosen_client_of_the_suites, is_a_path_in_its_first_executions) { chosen_are_paths(50, 50); }
// Of six items a theft of half takes three, if it does not lose one of them to another thief.
TEST(chosen_client_of_the_suites, has_thefts_of_three) {
  const suites::client_line three{"three", "capacity=8 own=4 fill(0,6): pop | half | steal", "", suites::reach::full};
  const tally t = replayed_chosen<suites::half_client>(shipped("chase-lev"), three, 1, 1000);
  are_paths(t, three.text);
  for (const char* step : {"half.claim > half", "half.claim won > half.again (2)", "half.claim won > half (3)"}) {
    EXPECT_TRUE(t.fired.contains(step)) << step;
  }
}
// The thief's own deque has room for one of the two that it would bring home.
TEST(chosen_client_of_the_suites, has_thefts_without_room_for_all) {
  const suites::client_line two{"two", "capacity=8 own=1 own-maximum=1 fill(0,6): pop | half | steal", "",
                                suites::reach::full};
  const tally t = replayed_chosen<suites::half_client>(shipped("chase-lev"), two, 1, 1000);
  are_paths(t, two.text);
  EXPECT_TRUE(t.fired.contains("half.claim won > half (2)"));
}
// Over asymmetric fences the largest clients have millions of executions.
TEST(chosen_client_of_the_suites, is_a_path_long) { chosen_are_paths(1'000'000, 50'000); }

// In turn: no thief reads an old bottom behind a claim; it does not go on then; a claim is lost to an older one; and a
// claim makes a pair for all claims there are, in place of its own.
TEST(chosen_client_of_the_suites, is_no_path_if_the_semantics_of_thefts_of_half_forbid_what_is_real) {
  const transition_system system = shipped("chase-lev");
  struct fault {
    const char *where, *guard, *from, *to;
  };
  for (const fault& wrong :
       {fault{"half.again > half.ring#2", "(= v stores)", "", ""}, fault{"half.again > half", "false", "", ""},
        fault{"half.claim > lost", "(> v (+ (select half.top me) 1))", "", ""},
        fault{"half.again > half.ring#2", "", "(select seen.top me)", "(+ top 1)"}}) {
    std::size_t others = 0;
    for (const suites::client_line& each : suites::half_lines) {
      if (each.name != "half_reclaim" && each.name != "half_two_thieves" && each.name != "half_renewal") continue;
      others += replayed_chosen<suites::half_client>(system, each, 1, 150, [&](concrete_system& s) {
                  for (std::size_t i = 0; i != s.transitions.size(); ++i) {
                    transition& t = s.transitions[i];
                    if (t.name != wrong.where) continue;
                    if (*wrong.guard != '\0') t.guards.emplace_back(wrong.guard);
                    for (std::string& g : t.guards) {
                      const std::size_t at = *wrong.from != '\0' ? g.find(wrong.from) : std::string::npos;
                      if (g.starts_with("(forall") && at != std::string::npos) {
                        g.replace(at, std::string_view(wrong.from).size(), wrong.to);
                      }
                    }
                    s.steps[i] = concrete_step(s.u, t, s.all);
                  }
                }).others;
    }
    EXPECT_NE(others, 0U) << wrong.where << " " << wrong.guard << wrong.to;
  }
}

// Among them each kind of pair: the owner has accesses in place of a fence, or thieves have, singly or by halves.
TEST(chosen_client_of_the_suites, is_a_path_under_other_tables_too) {
  const std::string owner_accesses = "pop.reserve seq_cst, pop.fence relaxed, pop.top seq_cst, pop.claim release";
  const std::string thief_accesses = "steal.top seq_cst, steal.fence relaxed, steal.bottom seq_cst, ";
  const std::string half_accesses = "steal.claim seq_cst, half.top seq_cst, half.fence relaxed, half.bottom seq_cst";
  const std::string fenced_push = "push.fence release, push.publish relaxed, ";
  for (const std::string& rows :
       {owner_accesses + ", pop.restore release", half_accesses, fenced_push + "pop.reserve relaxed, " + half_accesses,
        fenced_push + owner_accesses + ", " + thief_accesses + half_accesses}) {
    use_rows(rows);
    transition_system system = shipped("chase-lev");
    system.one_owner = true;
    std::size_t executions = 0;
    for (const suites::client_line& each : suites::half_lines) {
      const tally t = replayed_chosen<suites::half_client>(system, each, 1, 20);
      are_paths(t, rows + ": " + std::string(each.text));
      executions += t.executions;
    }
    EXPECT_GT(executions, 200U) << rows;
    checker::live_orders<chase_lev_orders>::reset();
  }
}

// As chase_lev.inv says of these mutants.
TEST(chosen_client_of_the_suites, is_a_path_of_a_mutants_own_system_where_it_breaks_what_is_recorded) {
  using orders = checker::live_orders<chase_lev_orders>;
  using checker::change;
  const transition_system right = shipped("chase-lev");
  struct fault {
    checker::mutation what;
    const char* broken;
    bool has_others;  ///< executions that the right deque does not have
  };
  for (const fault& f : {fault{{"half.claim", change::weaken, order::acq_rel}, "half.again > half.ring#2: 19", true},
                         fault{{"half.again", change::weaken, order::acquire}, "half.again > half.ring#2: 19", true},
                         fault{{"half.bottom", change::weaken}, "half.bottom > half.ring: 27", false}}) {
    orders::apply(f.what);
    const transition_system its = shipped("chase-lev");
    std::size_t others_of_right = 0;
    std::set<std::string> broken;
    for (const suites::client_line& each : suites::half_lines) {
      if (each.name != "half_renewal" && each.name != "half_beside_steal") continue;
      tally t = replayed_chosen<suites::half_client>(its, each, 0, 200);
      EXPECT_EQ(t.others, 0U) << each.text;
      broken.merge(t.broken);
      others_of_right += replayed_chosen<suites::half_client>(right, each, 0, 200).others;
    }
    orders::reset();
    EXPECT_TRUE(broken.contains(f.broken)) << f.broken;
    EXPECT_EQ(others_of_right != 0, f.has_others) << f.broken;
  }
}

TEST(every_client_of_verify, has_the_calls_of_verify) {
  EXPECT_EQ(suites::every_chase_lev<checker::model>::promise::calls, 7U);
  EXPECT_EQ(suites::every_chase_lev<checker::model>::promise::full_calls, 5U);
  EXPECT_EQ(suites::every_chase_lev_asymmetric<checker::model>::promise::calls, 7U);
  EXPECT_EQ(suites::every_chase_lev_asymmetric<checker::model>::promise::full_calls, 4U);
  EXPECT_EQ(suites::every_run_queue<checker::model>::promise::calls, 7U);
  EXPECT_EQ(suites::every_run_queue<checker::model>::promise::full_calls, 5U);
  EXPECT_EQ(suites::every_onward_queue<checker::model>::promise::calls, 6U);
}

}  // namespace
}  // namespace licit::proof
