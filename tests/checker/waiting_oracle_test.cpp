/// Waiting against a second opinion: random programs whose every access is seq_cst, on a machine that interleaves them.
/// Every outcome that the machine reaches, deadlocks among them, is one that the checker finds; without notifies it
/// finds no other; and it finds no execution twice. (With notifies it may: to be woken by a notify does not synchronise
/// with it, by the standard, so that what a woken thread reads need not be as new as a machine's memory.)
///
/// LICIT_PROGRAMS and LICIT_SEED say how many programs and from which seed.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <licit/checker/run.hpp>

#include <gtest/gtest.h>

#include "support/scale.hpp"
#include "waiting_steps.hpp"

namespace licit::checker_test {
namespace {

using namespace waiting;

const std::size_t programs = licit_test::from_environment("LICIT_PROGRAMS", 1500);
const auto seed = static_cast<unsigned>(licit_test::from_environment("LICIT_SEED", 1));

/// The machine: every interleaving, one step after another, with happens-before as vector clocks for whom a notify may
/// wake.
class machine {
 public:
  explicit machine(const text& program) : program_{program} {
    state s;
    for (auto& versions : s.written) versions.push_back({});
    explore(s);
  }
  [[nodiscard]] const std::set<std::string>& outcomes() const { return found_; }

 private:
  using clock = std::array<unsigned, most_threads>;
  struct version {
    int value = 0;
    clock released{};
    unsigned thread = 0;
    unsigned time = 0;  // of its thread; 0 for the initial one, which everyone has seen
  };
  struct thread_state {
    std::size_t next = 0;
    bool asleep = false;
    bool locked = false;
    std::size_t compared = 0;  // the version that it fell asleep on
    clock seen{};
  };
  struct state {
    std::array<thread_state, most_threads> threads{};
    std::array<std::vector<version>, locations> written{};
    clock unlocked{};
    bool held = false;
    logs done{};
  };

  static void join(clock& a, const clock& b) {
    for (unsigned t = 0; t != most_threads; ++t) a[t] = std::max(a[t], b[t]);
  }

  void explore(const state& s) {
    bool moved = false;
    for (unsigned t = 0; t != program_.size(); ++t) moved = advance(s, t) || moved;
    if (moved) return;
    std::array<int, locations> last{};
    for (unsigned l = 0; l != locations; ++l) last[l] = s.written[l].back().value;
    found_.insert(outcome(s.done, last));
  }

  /// Every next step of a thread. False if it has none.
  bool advance(const state& from, unsigned t) {
    const thread_state& now = from.threads[t];
    if (now.next == program_[t].size() || now.asleep) return false;
    const step& i = program_[t][now.next];
    if (i.what == verb::lock) {
      if (from.held) return false;
      state s = from;
      s.held = true;
      s.threads[t].locked = true;
      join(s.threads[t].seen, s.unlocked);
      finish(s, t, "");
      return true;
    }
    if (i.what == verb::await && from.written[i.at].back().value == i.value) return false;
    if (i.what == verb::notify_one || i.what == verb::notify_all || i.what == verb::wake_one) {
      notify(from, t, i);
      return true;
    }
    state s = from;
    thread_state& me = s.threads[t];
    auto& x = s.written[i.at];
    const int before = x.back().value;
    const bool reads = i.what != verb::store;
    const bool writes = i.what == verb::store || i.what == verb::add;
    if (reads) join(me.seen, x.back().released);
    if ((i.what == verb::wait || i.what == verb::futex_wait) && before == i.value) {
      if (i.what == verb::futex_wait) {
        state spurious = s;
        finish(spurious, t, "f");
      }
      me.asleep = true;
      me.compared = x.size() - 1;
      explore(s);
      return true;
    }
    if (writes) {
      version v{i.what == verb::add ? before + i.value : i.value, {}, t, ++me.seen[t]};
      v.released = me.seen;
      if (i.what == verb::add) join(v.released, x.back().released);
      x.push_back(v);
    }
    finish(s, t, i.what == verb::futex_wait ? "f" : reads && i.what != verb::wait ? digit(before) : "-");
    return true;
  }

  void notify(const state& from, unsigned t, const step& i) {
    std::vector<unsigned> candidates;
    for (unsigned w = 0; w != program_.size(); ++w) {
      const thread_state& waiter = from.threads[w];
      if (!waiter.asleep || program_[w][waiter.next].at != i.at) continue;
      if (i.what == verb::wake_one || eligible(from, t, waiter, i.at)) candidates.push_back(w);
    }
    if (i.what == verb::notify_all || candidates.empty()) {
      state s = from;
      for (const unsigned w : candidates) wake(s, w);
      finish(s, t, "-");
      return;
    }
    for (const unsigned w : candidates) {
      state s = from;
      wake(s, w);
      finish(s, t, "-");
    }
  }

  /// A write newer than what was compared happens before the notify.
  static bool eligible(const state& s, unsigned notifier, const thread_state& waiter, unsigned at) {
    for (std::size_t v = waiter.compared + 1; v < s.written[at].size(); ++v) {
      const version& y = s.written[at][v];
      if (s.threads[notifier].seen[y.thread] >= y.time) return true;
    }
    return false;
  }

  void wake(state& s, unsigned w) {
    s.threads[w].asleep = false;
    if (program_[w][s.threads[w].next].what != verb::futex_wait) return;  // a wait compares again
    complete(s, w, "f");
    unlock_after(s, w, false);
  }

  static void complete(state& s, unsigned t, const std::string& result) {
    thread_state& me = s.threads[t];
    s.done[t] += result;
    ++me.next;
  }

  /// The operation is done; and the lock that was taken for it is released.
  void finish(state& s, unsigned t, const std::string& result) {
    const bool locks = program_[t][s.threads[t].next].what == verb::lock;
    complete(s, t, result);
    unlock_after(s, t, locks);
    explore(s);
  }

  static void unlock_after(state& s, unsigned t, bool locks) {
    thread_state& me = s.threads[t];
    if (locks || !me.locked) return;
    me.locked = false;
    s.held = false;
    ++me.seen[t];
    s.unlocked = me.seen;
  }

  const text& program_;
  std::set<std::string> found_;
};

struct found {
  std::set<std::string> outcomes;
  std::set<std::string> executions;
  std::string error;
};

found explored(const text& program) {
  client::program = &program;
  found f;
  checker::options o{.deadlocks = false};
  o.observe = [&](const checker::detail::graph& g) {
    std::array<int, locations> last{};
    for (unsigned l = 0; l != locations; ++l) {
      const auto w = g.last_write(static_cast<checker::detail::location_id>(l));
      last[l] = w == checker::detail::initial ? 0 : static_cast<int>(g[w].value);
    }
    f.outcomes.insert(outcome(client::done, last));
    if (!f.executions.insert(canonical(g)).second) f.error = "an execution is found twice: " + canonical(g);
  };
  const auto v = program.size() == 2 ? checker::run_program<client_of<2>>(o) : checker::run_program<client_of<3>>(o);
  if (v.outcome != checker::outcome::ok) f.error = v.message + "\n" + v.trace;
  return f;
}

text random_program(std::mt19937& random) {
  constexpr unsigned verbs = 10;  // no loops
  text program(2 + static_cast<unsigned>(random() % 2));
  for (auto& thread : program) {
    const unsigned most = program.size() == 2 ? most_operations : most_operations - 1;
    thread = random_thread(random, 1 + static_cast<unsigned>(random() % most), verbs);
  }
  return program;
}

bool notifies(const text& program) {
  return std::ranges::any_of(program, [](const auto& thread) {
    return std::ranges::any_of(thread, [](const step& i) {
      return i.what == verb::notify_one || i.what == verb::notify_all || i.what == verb::wake_one;
    });
  });
}

TEST(waiting_oracle, has_the_outcomes_of_an_interleaving_machine) {
  std::mt19937 random(seed);
  std::size_t executions = 0;
  std::size_t exact = 0;
  for (std::size_t n = 0; n != programs; ++n) {
    const text program = random_program(random);
    const machine all(program);
    const found f = explored(program);
    executions += f.executions.size();
    ASSERT_EQ(f.error, "") << shown(program);
    ASSERT_TRUE(std::ranges::includes(f.outcomes, all.outcomes())) << shown(program);
    const bool same = f.outcomes == all.outcomes();
    ASSERT_TRUE(same || notifies(program)) << shown(program);
    exact += same ? 1U : 0U;
  }
  std::printf("  %zu programs, %zu of them with the very same outcomes, %zu executions\n", programs, exact, executions);
}

}  // namespace
}  // namespace licit::checker_test
