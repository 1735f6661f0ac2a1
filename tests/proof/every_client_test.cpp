/// Each execution of every client that `make verify` generates is a path of the structure's transition system, in
/// whatever order its events are made. Every invariant holds on the way.
#include <cstddef>
#include <cstdio>
#include <random>
#include <set>
#include <string>

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

/// All clients of up to so many calls, of the words that `make verify` gives its larger clients.
template <template <class> class Client>
class every_client {
 public:
  explicit every_client(const char* structure) : structure_{structure}, system_{shipped(structure)} {}

  /// Each execution in the order of insertion, and in so many others.
  void is_a_path(unsigned most_calls, int orders) const {
    for (const unsigned capacity : promise::capacities) {
      concrete_system s(system_, invariants_of(system_), capacity, 16, 2);
      s.other_capacity = capacity;  // of a thief's own queue
      walker w(s);
      std::size_t clients = 0, executions = 0;
      std::mt19937 random(1);
      const auto explore = [&](const std::string& text) {
        const suites::line l =
            suites::parse("capacity=" + std::to_string(capacity) + ":" + text, suites::vocabulary_of<specified>());
        checker::options o;
        o.ghosts = false;
        o.observe = [&](const graph& g) {
          ++executions;
          for (int n = 0; n <= orders; ++n) {
            EXPECT_TRUE(w.is_path(g, extension(g, n == 0 ? nullptr : &random))) << structure_ << ": " << text;
          }
        };
        const auto v = checker::run_program_with<suites::line_program<Client, checker::model>>(l, l.threads, o);
        EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
        ++clients;
        return true;
      };
      for (unsigned calls = 1; calls <= most_calls; ++calls) {
        suites::client_generator({promise::owner, promise::thief, 2, calls, true}, explore).run();
      }
      EXPECT_EQ(w.broken, std::set<std::string>{}) << structure_;
      std::printf("%s, up to %u calls, capacity %u: %zu clients, %zu executions, %d orders of each\n", structure_,
                  most_calls, capacity, clients, executions, orders + 1);
    }
  }
  /// As `make verify` has them.
  void is_a_path() const { is_a_path(promise::calls, 1); }

 private:
  using specified = Client<checker::model>;
  using promise = typename specified::promise;

  const char* structure_;
  transition_system system_;
};

const every_client<suites::every_chase_lev> of_chase_lev("chase-lev");
const every_client<suites::every_chase_lev_asymmetric> of_chase_lev_asymmetric("chase-lev-asymmetric");
const every_client<suites::every_run_queue> of_run_queue("run-queue");

TEST(every_client_of_verify, of_few_calls_is_a_path) {
  of_chase_lev.is_a_path(4, 1);
  of_chase_lev_asymmetric.is_a_path(4, 1);
  of_run_queue.is_a_path(4, 1);
}

TEST(every_client_of_verify, of_few_calls_is_a_path_in_a_hundred_orders_long) {
  of_chase_lev.is_a_path(4, 100);
  of_chase_lev_asymmetric.is_a_path(4, 100);
  of_run_queue.is_a_path(4, 100);
}

TEST(every_client_of_verify, of_chase_lev_is_a_path_long) { of_chase_lev.is_a_path(); }
TEST(every_client_of_verify, of_chase_lev_over_asymmetric_fences_is_a_path_long) {
  of_chase_lev_asymmetric.is_a_path();
}
TEST(every_client_of_verify, of_the_run_queue_is_a_path_long) { of_run_queue.is_a_path(); }

}  // namespace
}  // namespace licit::proof
