/// Each execution of every client that `make verify` generates by the core alphabet is a path of the structure's
/// transition system, in whatever order its events are made. Every invariant holds on the way.
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
  using words = std::span<const char* const>;

  explicit every_client(const char* structure) : structure_{structure}, system_{shipped(structure)} {}

  [[nodiscard]] concrete_system system(unsigned capacity) const {
    concrete_system s(system_, invariants_of(system_), capacity, 16, 2);
    s.other_capacity = capacity;  // of a thief's own queue
    return s;
  }
  /// Each execution of each client of up to so many calls, in the order of insertion and in so many others.
  tally replayed(const concrete_system& s, unsigned capacity, words owner, unsigned most_calls, int orders) const {
    walker w(s);
    tally t;
    std::mt19937 random(1);
    const auto explore = [&](const std::string& text) {
      const suites::line l =
          suites::parse("capacity=" + std::to_string(capacity) + ":" + text, suites::vocabulary_of<specified>());
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
    for (unsigned calls = 1; calls <= most_calls; ++calls) {
      const suites::client_size size{owner, promise::thief, 2, calls, true};
      suites::client_generator(size, explore).run();
      all += suites::count_of(size);
    }
    EXPECT_EQ(t.clients, all);
    EXPECT_EQ(w.broken, std::set<std::string>{}) << structure_;
    t.fired = w.fired;
    return t;
  }

  /// Every one is a path, and makes these steps.
  void are_paths(unsigned most_calls, int orders, std::initializer_list<const char*> steps,
                 words owner = promise::owner) const {
    std::set<std::string> fired;
    for (const unsigned capacity : promise::capacities) {
      tally t = replayed(system(capacity), capacity, owner, most_calls, orders);
      EXPECT_EQ(t.others, 0U) << structure_;
      std::printf("%s, up to %u calls, capacity %u: %zu clients, %zu executions, %d orders of each\n", structure_,
                  most_calls, capacity, t.clients, t.executions, orders + 1);
      fired.merge(t.fired);
    }
    for (const char* step : steps) EXPECT_TRUE(fired.contains(step)) << structure_ << ": " << step;
  }

 private:
  const char* structure_;
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

const std::initializer_list<const char*> deque_steps{"steal.claim > item steal.item", "steal.claim > lost",
                                                     "pop.claim > pop.restore#2"};
const std::initializer_list<const char*> queue_steps{"steal.claim > lost", "steal.tail > empty", "half.claim > lost"};
constexpr std::array<const char*, 3> with_overflow{"push", "try", "pop"};

TEST(every_client_of_verify, of_few_calls_is_a_path) {
  of_chase_lev().are_paths(4, 1, deque_steps);
  of_chase_lev_asymmetric().are_paths(4, 1, deque_steps);
  of_run_queue().are_paths(4, 1, queue_steps);
  of_run_queue().are_paths(4, 0, {"overflow.claim > nothing (2)"}, with_overflow);
}

TEST(every_client_of_verify, is_no_path_if_the_semantics_forbid_what_is_real) {
  concrete_system no_old_tail = of_run_queue().system(2);
  concrete_system no_old_bottom = of_chase_lev().system(2);
  for (const auto& [s, where] :
       {std::pair{&no_old_tail, "half.tail > empty"}, {&no_old_bottom, "steal.bottom > empty"}}) {
    for (std::size_t i = 0; i != s->transitions.size(); ++i) {
      if (s->transitions[i].name != where) continue;
      s->transitions[i].guards.emplace_back("(= v stores)");
      s->steps[i] = concrete_step(s->u, s->transitions[i], s->all);
    }
  }
  using queue = suites::every_run_queue<checker::model>::promise;
  using deque = suites::every_chase_lev<checker::model>::promise;
  EXPECT_NE(of_run_queue().replayed(no_old_tail, 2, queue::owner, 3, 0).others, 0U);
  EXPECT_NE(of_chase_lev().replayed(no_old_bottom, 2, deque::owner, 3, 0).others, 0U);
}

TEST(every_client_of_verify, of_few_calls_is_a_path_in_a_hundred_orders_long) {
  of_chase_lev().are_paths(4, 100, deque_steps);
  of_chase_lev_asymmetric().are_paths(4, 100, deque_steps);
  of_run_queue().are_paths(4, 100, queue_steps);
}

TEST(every_client_of_verify, of_chase_lev_is_a_path_long) { of_chase_lev().are_paths(7, 1, deque_steps); }
TEST(every_client_of_verify, of_chase_lev_over_asymmetric_fences_is_a_path_long) {
  of_chase_lev_asymmetric().are_paths(7, 1, deque_steps);
}
TEST(every_client_of_verify, of_the_run_queue_is_a_path_long) {
  of_run_queue().are_paths(7, 1, queue_steps);
  of_run_queue().are_paths(5, 1, {"overflow.claim > nothing (2)"}, with_overflow);
}
TEST(every_client_of_verify, has_the_calls_of_verify) {
  EXPECT_EQ(suites::every_chase_lev<checker::model>::promise::calls, 7U);
  EXPECT_EQ(suites::every_chase_lev_asymmetric<checker::model>::promise::calls, 7U);
  EXPECT_EQ(suites::every_run_queue<checker::model>::promise::calls, 7U);
}

}  // namespace
}  // namespace licit::proof
