/// Each execution of every client that `make verify` generates, and of those that the suites have chosen, is a path of
/// the structure's transition system, in whatever order its events are made. Every invariant holds on the way.
#include <array>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <random>
#include <set>
#include <span>
#include <string>
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
  std::set<std::string> fired = {};
};

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

  /// Each execution of each client, in the order of insertion and in so many others.
  tally replayed(const concrete_system& s, unsigned capacity, const alphabet& of, int orders) const {
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
          if (!w.is_path(g, extension(g, n == 0 ? nullptr : &random))) ++t.others;
        }
      };
      const auto v = checker::run_program_with<suites::line_program<Client, checker::model>>(l, l.threads, o);
      EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
      EXPECT_EQ(v.executions, seen) << text;
      EXPECT_NE(seen, 0U) << text;
      ++t.clients;
      t.executions += seen;
      return true;
    };
    std::size_t all = 0;
    for (const char* const begun : promise::before) {
      before = begun;
      for (unsigned calls = 1; calls <= of.most_calls; ++calls) {
        const suites::client_size size{of.owner, of.thief, 2, calls, true};
        suites::client_generator(size, explore).run();
        all += suites::count_of(size);
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
  const char* structure_;
  queue of_;
  transition_system system_;
};

// Made when a test first asks: the run-time tables that they read are statics of other files.
const auto& of_chase_lev() {
  static const every_client<suites::every_chase_lev> it("chase-lev");
  return it;
}
const auto& of_chase_lev_asymmetric() {
  static const every_client<suites::every_chase_lev_asymmetric> it("chase-lev-asymmetric");
  return it;
}
const auto& of_run_queue() {
  static const every_client<suites::every_run_queue> it("run-queue");
  return it;
}

const auto& of_loot() {
  static const every_client<suites::every_onward_queue> it("run-queue", queue::loot);
  return it;
}

const std::initializer_list<const char*> deque_steps{"steal.claim > item steal.item", "steal.claim > lost",
                                                     "pop.claim > pop.restore#2"};
const std::initializer_list<const char*> queue_steps{"steal.claim > lost", "steal.tail > empty", "half.claim > lost"};
const std::initializer_list<const char*> overflow_steps{"overflow.claim > nothing (2)"};
const std::initializer_list<const char*> loot_steps{"half.publish > a batch", "steal.claim > lost"};
// Without Chase-Lev's theft of half and pop by name, which have no step.
constexpr std::array<const char*, 3> deque_owner{"push", "pop", "size"};
constexpr std::array<const char*, 2> deque_thief{"steal", "size"};

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
  EXPECT_NE(of_run_queue().replayed(no_old_tail, 2, of_run_queue().core(3), 0).others, 0U);
  EXPECT_NE(of_chase_lev().replayed(no_old_bottom, 2, of_chase_lev().core(3), 0).others, 0U);
  EXPECT_NE(of_loot().replayed(no_old_loot, 4, of_loot().core(4), 0).others, 0U);
}

TEST(every_client_of_verify, of_few_calls_is_a_path_in_a_hundred_orders_long) {
  of_chase_lev().are_paths(of_chase_lev().core(4), 100, deque_steps);
  of_chase_lev_asymmetric().are_paths(of_chase_lev_asymmetric().core(4), 100, deque_steps);
  of_run_queue().are_paths(of_run_queue().core(4), 100, queue_steps);
  of_loot().are_paths(of_loot().core(4), 100, loot_steps);
}

TEST(every_client_of_verify, of_chase_lev_is_a_path_long) {
  of_chase_lev().are_paths(of_chase_lev().core(7), 1, deque_steps);
  of_chase_lev().are_paths({deque_owner, deque_thief, 4}, 1, deque_steps);
}
TEST(every_client_of_verify, of_chase_lev_over_asymmetric_fences_is_a_path_long) {
  of_chase_lev_asymmetric().are_paths(of_chase_lev_asymmetric().core(7), 1, deque_steps);
  of_chase_lev_asymmetric().are_paths({deque_owner, deque_thief, 4}, 1, deque_steps);
}
TEST(every_client_of_verify, of_the_run_queue_is_a_path_long) {
  of_run_queue().are_paths(of_run_queue().core(7), 1, queue_steps);
  of_run_queue().are_paths(of_run_queue().all(4), 1, overflow_steps);
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
tally replayed_chosen(const transition_system& system, const suites::client_line& chosen, int orders,
                      std::size_t most) {
  const suites::line l = suites::parse(chosen.text, suites::vocabulary_of<Client<checker::model>>());
  const std::string text(chosen.text);
  const auto capacity = static_cast<unsigned>(l.setting(0, 2));  // the first setting of both suites
  tally t;
  std::mt19937 random(1);
  for (int watched = 1; watched <= (text.find("half") == std::string::npos ? 1 : 3); ++watched) {
    concrete_system s(system, invariants_of(system), capacity, 24, 2);
    s.watched = watched;
    s.other_capacity = capacity;
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
    EXPECT_NE(v.outcome, checker::outcome::violation) << v.message;
    EXPECT_EQ(w.broken, std::set<std::string>{}) << text;
    t.fired.merge(w.fired);
  }
  EXPECT_NE(t.executions, 0U) << text;
  std::printf("%s, %s: %zu executions\n", system.structure.c_str(), text.c_str(), t.executions);
  return t;
}

/// Without those that pop by name, which has no step.
template <template <class> class Client, class Lines>
void chosen_are_paths(const char* structure, const Lines& lines, int orders, std::size_t most) {
  const transition_system system = shipped(structure);
  for (const suites::client_line& each : lines) {
    if (each.text.find("pop_if") != std::string_view::npos) continue;
    EXPECT_EQ(replayed_chosen<Client>(system, each, orders, most).others, 0U) << each.text;
  }
}

template <class Model>
using asymmetric_chase_lev_client = suites::chase_lev_client<asymmetric<Model>>;
void chosen_are_paths(std::size_t most, std::size_t most_over_asymmetric_fences) {
  chosen_are_paths<suites::chase_lev_client>("chase-lev", suites::chase_lev_lines, 1, most);
  chosen_are_paths<suites::published_client>("chase-lev", suites::published_lines, 1, most);
  chosen_are_paths<asymmetric_chase_lev_client>("chase-lev-asymmetric", suites::chase_lev_lines, 1,
                                                most_over_asymmetric_fences);
  chosen_are_paths<suites::run_queue_client>("run-queue", suites::run_queue_lines, 1, most);
}

TEST(chosen_client_of_the_suites, is_a_path_in_its_first_executions) { chosen_are_paths(50, 50); }
// Over asymmetric fences the largest clients have millions of executions.
TEST(chosen_client_of_the_suites, is_a_path_long) { chosen_are_paths(1'000'000, 50'000); }

TEST(every_client_of_verify, has_the_calls_of_verify) {
  EXPECT_EQ(suites::every_chase_lev<checker::model>::promise::calls, 7U);
  EXPECT_EQ(suites::every_chase_lev_asymmetric<checker::model>::promise::calls, 7U);
  EXPECT_EQ(suites::every_run_queue<checker::model>::promise::calls, 7U);
  EXPECT_EQ(suites::every_run_queue<checker::model>::promise::full_calls, 4U);
  EXPECT_EQ(suites::every_onward_queue<checker::model>::promise::calls, 4U);
}

}  // namespace
}  // namespace licit::proof
