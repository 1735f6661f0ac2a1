/// Random programs: the executions that are built event by event are those that the axioms allow of all that could be,
/// none missing, none too many, each once.
#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "litmus.hpp"

namespace licit::arm_test {
namespace {

using words = std::vector<code>;
using randomness = std::mt19937;

unsigned below(randomness& r, unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(r); }

/// A shared access, with what it may depend on; it leaves its value in w<number>.
words access(randomness& r, unsigned number, unsigned shared) {
  const unsigned at = x + below(r, shared);
  const unsigned from = number == 0 ? 0 : below(r, number);  // a read in front, if any
  const bool depends = number != 0 && below(r, 2) == 0;
  words all;
  if (depends) all = {eor(16, from, from)};
  const auto o = static_cast<ordering>(below(r, 4));
  switch (below(r, 10)) {
    case 0:
    case 1:
    case 2: all.push_back(depends ? ldr_indexed(number, at, 16) : ldr(number, at)); break;
    case 3: all.push_back(below(r, 2) == 0 ? ldar(number, at) : ldapr(number, at)); break;
    case 4:
    case 5:
      all.push_back(mov(17, number + 1));
      all.push_back(depends ? str_indexed(17, at, 16) : str(17, at));
      break;
    case 6:
      all.push_back(mov(17, number + 1));
      if (depends) all.push_back(add(17, 17, 16));
      all.push_back(below(r, 2) == 0 ? str(17, at) : stlr(17, at));
      break;
    case 7:
      all.push_back(mov(17, number + 1));
      if (depends) all.push_back(add(17, 17, 16));
      all.push_back(swp(17, below(r, 4) == 0 ? wzr : number, at, o));
      break;
    case 8:
      all.push_back(mov(17, number + 1));
      all.push_back(below(r, 2) == 0 ? ldxr(number, at) : ldaxr(number, at));
      all.push_back(below(r, 2) == 0 ? stxr(18, 17, at) : stlxr(18, 17, at));
      break;
    default:
      all.push_back(number == 0 ? nop : str_stack(from, 8));
      all.push_back(ldr_stack(15, 8));
      all.push_back(eor(15, 15, 15));
      all.push_back(ldr_indexed(number, at, 15));
      break;
  }
  return all;
}

words between(randomness& r, unsigned number) {
  const unsigned from = number == 0 ? 0 : below(r, number);
  switch (below(r, 10)) {
    case 0: return {dmb_ish};
    case 1: return {dmb_ishld};
    case 2: return {dmb_ishst};
    case 3: return {cbnz(from, 1)};
    case 4: return {cbnz(from, 1), isb};
    default: return {};
  }
}

litmus random_program(randomness& r) {
  const unsigned threads = 2 + below(r, 2);
  const unsigned shared = below(r, 4) == 0 ? 1 : 2;
  const unsigned most = threads == 2 ? 4 : 3;
  litmus test;
  for (unsigned t = 0; t != threads; ++t) {
    words all;
    const unsigned length = 2 + below(r, most - 1);
    for (unsigned n = 0; n != length; ++n) {
      for (const code w : between(r, n)) all.push_back(w);
      for (const code w : access(r, n, shared)) all.push_back(w);
    }
    test.threads.push_back(all);
  }
  return test;
}

/// Each thread's events in program order, thread by thread: the same for each execution of a program.
arm::candidate sorted(const arm::candidate& c) {
  std::vector<std::size_t> order(c.events.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t e) { return c.events[e].thread; });
  std::vector<std::size_t> place(order.size());
  for (std::size_t k = 0; k != order.size(); ++k) place[order[k]] = k;
  const auto move = [&](arm::event_number& e) {
    if (e != arm::initially) e = place[e];
  };
  arm::candidate all;
  std::vector<std::uint64_t> addresses;
  for (const std::size_t k : order) {
    arm::event e = c.events[k];
    move(e.from);
    move(e.rmw_read);
    for (auto* list : {&e.address_of, &e.data_of, &e.control_of}) {
      for (arm::event_number& source : *list) move(source);
    }
    e.location = (e.address - first_location) / between_locations;  // of what is no access it does not matter
    if (e.address == 0) e.location = 0;
    all.events.push_back(e);
  }
  all.coherence.resize(3);
  for (const auto& writes : c.coherence) {
    for (const arm::event_number w : writes) all.coherence[all.events[place[w]].location].push_back(place[w]);
  }
  return all;
}

std::string shown(const arm::candidate& c) {
  std::string text;
  for (const arm::event& e : c.events) {
    if (e.kind == arm::event_kind::read) text += (e.from == arm::initially ? "i" : std::to_string(e.from)) + " ";
  }
  for (const auto& writes : c.coherence) {
    text += "| ";
    for (const arm::event_number w : writes) text += std::to_string(w) + " ";
  }
  return text;
}

/// Whether event e is a load by itself that does not acquire: it may be foretold what it reads.
bool may_be_foretold(const arm::candidate& c, std::size_t e) {
  const arm::event& r = c.events[e];
  const auto updates = [&](const arm::event& w) { return w.rmw_read == e; };
  return r.kind == arm::event_kind::read && !r.acquire && !r.acquire_pc && !r.one_instruction &&
         std::ranges::none_of(c.events, updates);
}

/// Load buffering that is not explored: in no order of the events, each thread's in program order, does a read have its
/// write when it comes, or can be foretold it and have it before its thread accesses the location again.
bool is_lost(const arm::candidate& c) {
  std::vector<bool> done(c.events.size());
  const auto has_write = [&](std::size_t e) { return c.events[e].from == arm::initially || done[c.events[e].from]; };
  const auto may_come = [&](std::size_t e) {
    if (c.events[e].kind == arm::event_kind::read && !has_write(e) && !may_be_foretold(c, e)) return false;
    for (std::size_t p = e; p-- != 0 && c.events[p].thread == c.events[e].thread;) {
      const bool same = c.events[p].address == c.events[e].address && c.events[e].address != 0;
      if (!done[p] || (same && c.events[p].kind == arm::event_kind::read && !has_write(p))) return false;
    }
    return true;
  };
  for (bool more = true; more;) {
    more = false;
    for (std::size_t e = 0; e != c.events.size(); ++e) {
      if (done[e] || !may_come(e)) continue;
      done[e] = more = true;
    }
  }
  return std::ranges::find(done, false) != done.end();
}

/// All of a program that the axioms allow, by trying every source of each read and every order of writes.
class brute_force {
 public:
  explicit brute_force(arm::candidate c) : c_(std::move(c)) {}

  std::set<std::string> run() {
    for (auto& writes : c_.coherence) std::ranges::sort(writes);
    orders(0);
    return std::move(allowed_);
  }

 private:
  void orders(std::size_t location) {
    if (location == c_.coherence.size()) return sources(0);
    do orders(location + 1);
    while (std::ranges::next_permutation(c_.coherence[location]).found);
  }
  void sources(std::size_t e) {
    if (e == c_.events.size()) return judge();
    if (c_.events[e].kind != arm::event_kind::read) return sources(e + 1);
    c_.events[e].from = arm::initially;
    sources(e + 1);
    for (const arm::event_number w : c_.coherence[c_.events[e].location]) {
      c_.events[e].from = w;
      sources(e + 1);
    }
  }
  void judge() {
    if (is_lost(c_) || arm::violated(c_)) return;
    allowed_.insert(shown(c_));
  }

  arm::candidate c_;
  std::set<std::string> allowed_;
};

double size_of(const arm::candidate& c) {
  double all = 1;
  for (const auto& writes : c.coherence) {
    for (std::size_t k = 2; k <= writes.size(); ++k) all *= static_cast<double>(k);
  }
  for (const arm::event& e : c.events) {
    if (e.kind == arm::event_kind::read) all *= static_cast<double>(c.coherence[e.location].size() + 1);
  }
  return all;
}

struct built {
  std::multiset<std::string> executions;
  arm::candidate one;
  arm::counts counts;
};

built build(const litmus& test, arm::faults seeded, bool always_wait) {
  const arm::program p = program_of(test);
  built all;
  std::vector<std::string> visited;
  all.counts = arm::explore(p,
                            [&](const arm::outcome& o) {
                              all.one = sorted(o.of.candidate());
                              visited.push_back(shown(all.one));
                              return true;
                            },
                            seeded, {.always_wait = always_wait});
  // What was visited before all began again comes first.
  const auto first = visited.end() - static_cast<std::ptrdiff_t>(all.counts.executions);
  all.executions.insert(first, visited.end());
  return all;
}

struct tally {
  unsigned programs = 0, differ = 0;
  std::uint64_t executions = 0;
};

/// How many of the programs of that seed have other executions than the axioms allow.
tally compare(unsigned seed, unsigned programs, arm::faults seeded, bool always_wait = false) {
  randomness r(seed);
  tally all;
  while (all.programs != programs) {
    const litmus test = random_program(r);
    const built got = build(test, seeded, always_wait);
    if (got.counts.executions == 0 || size_of(got.one) > 20'000) continue;
    const std::set<std::string> allowed = brute_force(got.one).run();
    ++all.programs;
    all.executions += got.counts.executions;
    if (std::ranges::equal(got.executions, allowed)) continue;
    ++all.differ;
    if (seeded.no_dependencies || seeded.per_location_views) continue;
    ADD_FAILURE() << "built " << got.executions.size() << ", allowed " << allowed.size();
    for (const arm::event& e : got.one.events) std::puts(arm::to_text(e).c_str());
    for (const auto& s : allowed) {
      if (!got.executions.contains(s)) std::printf("missing %s\n", s.c_str());
    }
    for (const auto& s : got.executions) {
      if (!allowed.contains(s) || got.executions.count(s) != 1) std::printf("wrong %s\n", s.c_str());
    }
  }
  return all;
}

TEST(ArmRandom, WhatIsBuiltIsWhatTheAxiomsAllow) {
  const tally all = compare(1, 500, {});
  EXPECT_EQ(all.differ, 0U);
  EXPECT_GT(all.executions, 1000U);
  std::printf("%u programs, %llu executions\n", all.programs, static_cast<unsigned long long>(all.executions));
}

TEST(ArmRandomSeeded, WithoutDependenciesThereAreTooMany) {
  EXPECT_GT(compare(1, 100, {.no_dependencies = true}).differ, 0U);
}

TEST(ArmRandomSeeded, WithViewsOfEachLocationThereAreTooMany) {
  EXPECT_GT(compare(1, 100, {.per_location_views = true}).differ, 0U);
}

/// To wait only for threads that write there loses nothing: updates that fail, and what branches decide, among it.
TEST(ArmRandom, WaitingForWritersLosesNothing) {
  randomness r(2);
  for (unsigned n = 0; n != 40; ++n) {
    litmus test = random_program(r);
    for (words& t : test.threads) {  // a compare-and-swap, and a write only where it succeeds
      const words more{mov(9, below(r, 3)), cas(9, 10, x), cbnz(9, 2), str(10, y)};
      t.insert(below(r, 2) == 0 ? t.begin() : t.end(), more.begin(), more.end());
    }
    const built some = build(test, {}, false);
    const built all = build(test, {}, true);
    EXPECT_EQ(some.executions, all.executions);
    EXPECT_LE(some.counts.blocked, all.counts.blocked);
  }
}

}  // namespace
}  // namespace licit::arm_test
