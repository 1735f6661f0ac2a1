// Programs that start their threads themselves, by the engine's own calls.
#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/executor.hpp"
#include "explored.hpp"
#include "oracle.hpp"
#include "straight_line.hpp"
#include "support/scale.hpp"

namespace licit::checker_test {
namespace {

using checker::detail::action;
using checker::detail::change;
using checker::detail::executor;
using checker::detail::location_id;
using checker::detail::word;

/// A function for each thread; the first is there from the beginning, and starts the others.
class spawning final : public checker::detail::surroundings {
 public:
  using body = std::function<void(spawning&)>;

  explicit spawning(std::vector<body> threads, const checker::options& o = {})
      : engine_{o}, bodies_{std::move(threads)} {
    for (location_id& l : locations_) l = engine_.memory().permanent({}, {.name = "x"});
  }

  checker::verdict explore() {
    running_ = this;
    return engine_.explore({.threads = checker::max_threads,
                            .size = 1,
                            .alignment = 1,
                            .construct = nullptr,
                            .thread = &run,
                            .finish = nullptr,
                            .destroy = nullptr,
                            .around = this});
  }

  executor& engine() { return engine_; }
  checker::detail::answer access(checker::detail::operation op, unsigned at) {
    op.location = locations_[at];
    if (engine_.may_loop(op)) checker::detail::clear_stack_below();
    return engine_.access(op);
  }
  word load(unsigned at, order o = order::relaxed) { return access({.what = action::load, .success = o}, at).value; }
  void store(unsigned at, word value, order o = order::relaxed) {
    access({.what = action::store, .success = o, .operand = value}, at);
  }
  void await(unsigned at, word value) {
    access({.what = action::load, .expected = value, .until = [](word v, word wanted) { return v == wanted; }}, at);
  }
  void perform(const instruction& i) {
    switch (i.what) {
      case verb::load: load(i.at, i.success); break;
      case verb::store: store(i.at, static_cast<word>(i.value), i.success); break;
      case verb::fetch_add:
        access({.what = action::modify, .success = i.success, .how = change::add, .operand = word(i.value)}, i.at);
        break;
      case verb::compare_exchange:
      case verb::weak_compare_exchange:
        access({.what = action::modify,
                .success = i.success,
                .failure = i.failure,
                .how = change::compare_exchange,
                .weak = i.what == verb::weak_compare_exchange,
                .operand = word(i.value),
                .expected = word(i.expected)},
               i.at);
        break;
      case verb::light_fence: engine_.fence(order::relaxed, checker::detail::asymmetry::light, nullptr); break;
      case verb::heavy_fence: engine_.fence(order::seq_cst, checker::detail::asymmetry::heavy, nullptr); break;
      default: engine_.fence(i.success, checker::detail::asymmetry::none, nullptr); break;
    }
  }
  void begin_as(unsigned at, word value) { engine_.set_initial(locations_[at], value); }
  void say(const std::string& what) { said_ = what; }
  [[nodiscard]] const std::string& said() const { return said_; }

  std::multiset<std::string> heard;  ///< what the executions said

 private:
  void reset() override {
    for (const location_id l : locations_) engine_.set_initial(l, 0);
    said_.clear();
  }
  void enter(unsigned /*thread*/) override {}
  void leave(unsigned /*thread*/) override {}
  void ended(bool /*counts*/) override { heard.insert(said_); }
  void describe() override {}
  [[nodiscard]] std::span<const std::byte> globals() const override { return {}; }
  [[nodiscard]] std::span<const std::byte> thread_locals_of(unsigned /*thread*/) const override { return {}; }

  static void run(void* /*object*/, unsigned t) {
    if (t != 0) running_->engine_.begin();
    running_->bodies_[t](*running_);
    running_->engine_.finish();
  }

  static inline spawning* running_ = nullptr;
  executor engine_;
  std::vector<body> bodies_;
  std::array<location_id, first_plain> locations_{};
  std::string said_;
};

/// The first thread starts one for each of the program's, and waits for them.
checker::verdict explore_spawned(const straight_line& program, const checker::options& o = {}) {
  std::vector<spawning::body> bodies;
  const auto count = static_cast<unsigned>(program.size());
  bodies.emplace_back([count](spawning& s) {
    for (unsigned t = 1; t <= count; ++t) EXPECT_EQ(s.engine().spawn("spawn"), t);
    for (unsigned t = 1; t <= count; ++t) s.engine().join(t, "join");
  });
  for (const auto& thread : program) {
    bodies.emplace_back([&thread](spawning& s) {
      for (const instruction& i : thread) s.perform(i);
    });
  }
  return spawning(bodies, o).explore();
}

using namespace shorthand;  // NOLINT(google-build-using-namespace)
constexpr order sc = order::seq_cst;
constexpr order acq = order::acquire;
constexpr order rel = order::release;

TEST(spawning, has_the_executions_of_the_threads_that_were_there_from_the_beginning) {
  const std::vector<straight_line> programs{
      {{W(0, 1), R(1)}, {W(1, 1), R(0)}},
      {{W(0, 1, sc), R(1, sc)}, {W(1, 1, sc), R(0, sc)}},
      {{W(0, 1), F(), R(1)}, {W(1, 1), F(), R(0)}},
      {{W(0, 1), W(1, 1, rel)}, {R(1, acq), R(0)}},
      {{W(0, 1), W(1, 2)}, {W(1, 1), W(0, 2)}},
      {{W(0, 1)}, {W(1, 1)}, {R(0, acq), R(1, acq)}, {R(1, acq), R(0, acq)}},
      {{A(0), A(0)}, {A(0), R(1)}, {C(0, 1, 5), W(1, 1)}},
      {{C(0, 0, 1), R(1)}, {C(0, 0, 2), W(1, 1)}, {C(0, 1, 3, sc), R(1, sc)}},
      {{W(0, 1), W(1, 1), W(2, 1)}, {R(2), R(1), R(0)}, {A(1, sc), A(2)}},
  };
  for (const straight_line& program : programs) {
    const checker::verdict before = run(program);
    const checker::verdict v = explore_spawned(program);
    EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
    EXPECT_EQ(v.executions, before.executions) << text(program);
    EXPECT_EQ(v.blocked, before.blocked) << text(program);
    EXPECT_EQ(v.rejected, before.rejected) << text(program);
  }
}

void compare_with_the_oracle(const straight_line& program, checker::release_sequences rule, sequences same) {
  std::multiset<std::string> found;
  checker::options o{.sequences = rule};
  o.observe = [&](const checker::detail::graph& g) { found.insert(canonical(g, 1)); };
  const checker::verdict v = explore_spawned(program, o);
  EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message << text(program);
  const std::set<std::string> expected = ask(program, same).executions;
  EXPECT_EQ(found, (std::multiset<std::string>(expected.begin(), expected.end()))) << text(program);
}

/// Plain accesses are left out: they are no events of a program that is checked as it is.
TEST(spawning, random_programs_have_the_executions_of_the_oracle) {
  const auto programs = static_cast<unsigned>(licit_test::from_environment("LICIT_PROGRAMS", 2000)) / 4;
  program_author a{licit_test::from_environment("LICIT_SEED", 1)};
  for (unsigned done = 0; done != programs && !testing::Test::HasFailure();) {
    const straight_line program = a.program();
    const auto is_plain = [](const instruction& i) { return i.at >= first_plain; };
    if (std::ranges::any_of(program, [&](const auto& t) { return std::ranges::any_of(t, is_plain); })) continue;
    compare_with_the_oracle(program, checker::release_sequences::cxx20, sequences::cxx20);
    compare_with_the_oracle(program, checker::release_sequences::cxx11, sequences::cxx11);
    ++done;
  }
}

TEST(spawning, orders_what_came_before_it_and_what_a_join_waited_for) {
  spawning s({[](spawning& p) {
                p.store(0, 1);
                const unsigned other = p.engine().spawn("spawn");
                p.engine().join(other, "join");
                p.say(std::to_string(p.load(0)) + std::to_string(p.load(1)));
              },
              [](spawning& p) {
                if (p.load(0) != 1) p.engine().fail_check("it reads what was before");
                p.store(0, 2);
                p.store(1, 3);
              }});
  const checker::verdict v = s.explore();
  EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
  EXPECT_EQ(v.executions, 1U);
  EXPECT_EQ(s.heard, (std::multiset<std::string>{"23"}));
}

TEST(spawning, orders_nothing_without_a_join) {
  spawning s({[](spawning& p) {
                p.engine().spawn("spawn");
                p.say(std::to_string(p.load(0)));
              },
              [](spawning& p) { p.store(0, 1); }});
  EXPECT_EQ(s.explore().executions, 2U);
  EXPECT_EQ(s.heard, (std::multiset<std::string>{"0", "1"}));
}

/// What a location holds before its first atomic access may depend on what was read; each alternative has its own.
TEST(spawning, begins_a_location_in_each_execution_with_what_that_execution_wrote_there) {
  spawning s({[](spawning& p) {
                p.engine().spawn("spawn 1");
                const word seen = p.load(0);
                p.begin_as(1, seen);
                const unsigned other = p.engine().spawn("spawn 2");
                const word first = p.load(1);
                p.engine().join(other, "join");
                p.say(std::to_string(seen) + std::to_string(first));
              },
              [](spawning& p) { p.store(0, 1); }, [](spawning& p) { p.store(1, 5); }});
  const checker::verdict v = s.explore();
  EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
  EXPECT_EQ(s.heard, (std::multiset<std::string>{"00", "05", "11", "15"}));
}

/// The thread that stores to what the beginning depends on comes last, and revisits the load before that. So a location
/// has begun otherwise since the compare-exchange was offered the beginning.
TEST(spawning, begins_a_location_as_it_did_where_an_alternative_was_offered) {
  spawning s({[](spawning& p) {
                const unsigned late = p.engine().spawn("spawn late");
                const word seen = p.load(0);
                p.begin_as(1, seen);
                const unsigned stores = p.engine().spawn("spawn stores");
                const unsigned exchanges = p.engine().spawn("spawn exchanges");
                p.engine().join(stores, "join stores");
                p.engine().join(exchanges, "join exchanges");
                p.engine().join(late, "join late");
                p.say(std::to_string(seen) + p.said());
              },
              [](spawning& p) {
                p.engine().join(p.engine().spawn("spawn nothing"), "join nothing");
                p.store(0, 1);
              },
              [](spawning& p) { p.store(1, 5); },
              [](spawning& p) {
                const auto was =
                    p.access({.what = action::modify, .how = change::compare_exchange, .operand = 7, .expected = 0}, 1);
                p.say(std::to_string(was.value) + (was.success ? "!" : ""));
              },
              [](spawning&) {}});
  const checker::verdict v = s.explore();
  EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
  EXPECT_EQ(s.heard, (std::multiset<std::string>{"00!", "05", "11", "15"}));
}

TEST(spawning, says_who_waits_for_whom_in_a_deadlock) {
  spawning s(
      {[](spawning& p) { p.engine().join(p.engine().spawn("spawn"), "join"); }, [](spawning& p) { p.await(0, 1); }});
  const checker::verdict v = s.explore();
  EXPECT_EQ(v.kind, checker::violation::deadlock);
  EXPECT_NE(v.message.find("thread 0 waits for thread 1 to end"), std::string::npos) << v.message;
}

TEST(spawning, refuses_more_threads_than_the_checker_has) {
  spawning s(std::vector<spawning::body>(checker::max_threads, [](spawning& p) {
    if (p.engine().thread() != 0) return;
    for (unsigned n = 0; n != checker::max_threads; ++n) p.engine().spawn("spawn");
  }));
  const checker::verdict v = s.explore();
  EXPECT_EQ(v.kind, checker::violation::unsupported);
  EXPECT_NE(v.message.find("more than 8 threads"), std::string::npos) << v.message;
}

TEST(spawning, is_sampled_too_and_confirmed) {
  for (const checker::mode how : {checker::mode::random, checker::mode::pct}) {
    checker::options o{.how = how};
    o.sample.executions = 200;
    const checker::verdict v = explore_spawned({{W(0, 1), R(1)}, {W(1, 1), R(0)}}, o);
    EXPECT_EQ(v.outcome, checker::outcome::ok) << v.message;
    EXPECT_EQ(v.executions, 200U);
  }
}

}  // namespace
}  // namespace licit::checker_test
