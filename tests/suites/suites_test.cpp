/// Every structure of the catalogue: its programs are right, its mutants and broken algorithms are caught, and no
/// thread has to wait for one that has stopped.
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <ranges>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/graph.hpp"
#include "suites/structure.hpp"

namespace licit::suites {
namespace {

using checker::outcome;
using checker::release_sequences;

constexpr std::array rules{release_sequences::cxx20, release_sequences::cxx11};

std::string text(std::string_view s) { return std::string(s); }

/// Whether some thread of the execution did an operation last whose site's name begins with one of the words.
bool ends_at(const checker::detail::graph& g, std::string_view words) {
  for (unsigned t = 0; t != checker::max_threads; ++t) {
    const auto events = g.thread(t);
    if (events.empty() || g[events.back()].op.site == nullptr) continue;
    const std::string_view site = g[events.back()].op.site;
    for (const auto word : std::views::split(words, ' ')) {
      if (site.starts_with(std::string_view(word.begin(), word.end()))) return true;
    }
  }
  return false;
}

/// The sites of the threads' last operations.
std::string ends_of(const checker::detail::graph& g) {
  std::string all;
  for (unsigned t = 0; t != checker::max_threads; ++t) {
    const auto events = g.thread(t);
    const char* const site = events.empty() ? nullptr : g[events.back()].op.site;
    if (site != nullptr) all += std::string(" ") + site;
  }
  return all;
}

class Suite : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override { s.reset(); }
  void TearDown() override { s.reset(); }

  struct measured {
    const program* one;
    std::uint64_t executions;
    bool rules_differ;
  };

  /// Every program under C++20's rule, those with the fewest executions first.
  std::vector<measured> right_programs() {
    std::vector<measured> all;
    for (const program& p : s.programs) {
      const checker::verdict v = expect_right(p, release_sequences::cxx20);
      all.push_back({&p, v.executions, v.rules_differ});
    }
    std::ranges::stable_sort(all, {}, &measured::executions);
    return all;
  }
  static checker::verdict expect_right(const program& p, release_sequences rule) {
    const std::string_view loop = p.about.goes_round;
    std::uint64_t going_round = 0;
    std::string elsewhere;
    checker::options o{.sequences = rule, .equal = p.equal};
    if (!loop.empty()) {
      o.observe_blocked = [&](const checker::detail::graph& g) {
        if (ends_at(g, loop)) {
          ++going_round;
        } else if (elsewhere.empty()) {
          elsewhere = ends_of(g);
        }
      };
    }
    const checker::verdict v = p.explore(o);
    EXPECT_EQ(v.outcome, outcome::ok) << p.about.name << ": " << v.message << "\n" << v.trace;
    EXPECT_GT(v.executions, 0U) << p.about.name;
    EXPECT_TRUE((p.about.waits && loop.empty()) || v.blocked == going_round)
        << p.about.name << ": " << v.blocked << " executions are blocked, " << going_round << " of them in its loop"
        << (elsewhere.empty() ? "" : "; one is at" + elsewhere);
    return v;
  }
  struct capture {
    std::string by;  ///< a program's name; empty: none caught it
    bool rules_differ = true;
  };
  static capture caught(const std::vector<measured>& programs, release_sequences rule, std::uint64_t most) {
    for (const std::uint64_t first : {begun, ~std::uint64_t{0}}) {
      for (const measured& m : programs) {
        if (m.executions > most) break;
        const checker::verdict v = m.one->explore({.sequences = rule, .max_executions = first, .equal = m.one->equal});
        if (v.outcome == outcome::violation) return {text(m.one->about.name), v.rules_differ};
      }
    }
    return {};
  }
  /// Under both rules, but where one hides it: then not under that one.
  static void expect_caught(const mutant& m, const std::vector<measured>& programs) {
    const capture newer = caught(programs, release_sequences::cxx20, ~std::uint64_t{0});
    EXPECT_NE(newer.by, "") << m.name;
    if (!newer.rules_differ && !m.cxx11_hides) return;  // the other search would find the same
    const capture older = caught(programs, release_sequences::cxx11, m.cxx11_hides ? large : ~std::uint64_t{0});
    EXPECT_EQ(older.by.empty(), m.cxx11_hides) << m.name << ", by " << older.by;
  }

  // A mutant is looked for in so many executions of every program first.
  static constexpr std::uint64_t begun = 2'000;
  // Beyond so many executions, what repeats another's assertion is for the nightly tests.
  static constexpr std::uint64_t large = 100'000;
  // Up to so many, a program is explored again for each step that a thread may stop at.
  static constexpr std::uint64_t stoppable = 5'000;

  const structure& s = structures()[GetParam()];
};

/// As `make verify`: of executions that are the same but for equal threads, one. All of them: `licit verify`, nightly.
/// One test, because the programs' sizes, which the first half measures, are what makes the second half fast.
TEST_P(Suite, IsRightAndItsMutantsAreCaught) {
  ASSERT_FALSE(s.programs.empty());
  const std::vector<measured> programs = right_programs();
  for (const measured& m : programs) {
    if (m.rules_differ && m.executions <= large) expect_right(*m.one, release_sequences::cxx11);
  }
  for (const mutant& m : s.mutants) {
    s.reset();
    s.apply(m.what);
    expect_caught(m, programs);
  }
}

TEST_P(Suite, BrokenAlgorithmsAreCaught) {
  for (const program& p : s.broken) {
    for (const release_sequences rule : rules) {
      const checker::verdict v = p.explore({.sequences = rule});
      EXPECT_EQ(v.outcome, outcome::violation) << p.about.name;
      if (!v.rules_differ) break;  // the other search would find the same
    }
  }
}

TEST_P(Suite, MutantsNameSitesOfTheTable) {
  for (const mutant& m : s.mutants) {
    EXPECT_TRUE(std::ranges::any_of(s.audited.rows, [&](const row& r) { return r.site == m.what.site; })) << m.name;
  }
}

TEST_P(Suite, UnreachedNamesAreMutants) {
  for (const unreached& u : s.unreached) {
    EXPECT_TRUE(std::ranges::any_of(s.mutants, [&](const mutant& m) { return m.name == u.mutant; })) << u.mutant;
  }
}

TEST_P(Suite, NamesAreUnique) {
  std::map<std::string_view, unsigned> count;
  for (const auto* list : {&s.programs, &s.broken, &s.longer, &s.sampled}) {
    for (const program& p : *list) ++count[p.about.name];
  }
  for (const mutant& m : s.mutants) ++count[m.name];
  for (const auto& [name, n] : count) EXPECT_EQ(n, 1U) << name;
}

/// Where the threads need not wait for each other: a thread is stopped for good after each number of its steps.
TEST_P(Suite, NobodyWaitsForAStoppedThread) {
  for (const program& p : s.programs) {
    // Larger ones: `licit verify --stall`, nightly; with more than 100,000 executions only by --longer.
    if (p.about.waits || p.about.threads > 2) continue;
    if (p.explore({.max_executions = stoppable}).outcome == outcome::limit) continue;
    for (unsigned thread = 0; thread != p.about.threads; ++thread) {
      for (unsigned after = 0;; ++after) {
        const checker::verdict v = p.explore({.leaks = false, .stalled = {.thread = thread, .after = after}});
        ASSERT_EQ(v.outcome, outcome::ok)
            << p.about.name << ", thread " << thread << " stopped after " << after << " steps: " << v.message << "\n"
            << v.trace;
        if (!v.stalled) break;  // it has fewer steps
      }
    }
  }
}

TEST_P(Suite, SamplesAreRight) {
  for (const program& p : s.sampled) {
    for (const checker::mode how : {checker::mode::random, checker::mode::pct}) {
      const checker::verdict v = p.explore({.how = how, .sample = {.executions = 1'500}});
      EXPECT_EQ(v.outcome, outcome::ok) << p.about.name << ": " << v.message << "\n" << v.trace;
    }
  }
}

/// Nightly: not run by the other tests' filter. Of larger programs it is not compared.
TEST_P(Suite, RulesThatAreSaidToAgreeDo_long) {
  unsigned compared = 0;
  for (const program& p : s.programs) {
    const checker::verdict v = p.explore({.max_executions = large});
    if (v.outcome != outcome::ok || v.rules_differ) continue;
    EXPECT_EQ(p.explore({.sequences = release_sequences::cxx11}).executions, v.executions) << p.about.name;
    ++compared;
  }
  EXPECT_NE(compared, 0U);
}

/// What a sample at random finds of a mutant is the mutant's doing: `licit verify` looks for mutants so.
TEST_P(Suite, SamplesOfRightProgramsAreRight_long) {
  for (const program& p : s.programs) {
    const checker::verdict v = p.explore({.how = checker::mode::random, .sample = {.executions = 1'000}});
    EXPECT_EQ(v.outcome, outcome::ok) << p.about.name << ": " << v.message << "\n" << v.trace;
  }
}

std::vector<std::size_t> all() {
  std::vector<std::size_t> indices(structures().size());
  for (std::size_t i = 0; i != indices.size(); ++i) indices[i] = i;
  return indices;
}

INSTANTIATE_TEST_SUITE_P(All, Suite, testing::ValuesIn(all()), [](const auto& info) {
  std::string name(structures()[info.param].name);
  std::ranges::replace(name, '-', '_');
  return name;
});

/// Of the programs with more than 10,000 executions, nine of ten. So many probes take half a second or a few.
TEST(Sizes, OfLargeSearchesAreEstimatedWithinAFactorOfTwo_long) {
  constexpr std::uint64_t large = 10'000, most = 5'000'000;
  unsigned near = 0, estimated = 0;
  for (const structure& s : structures()) {
    for (const program& p : s.programs) {
      const checker::verdict v = p.explore({.max_executions = most});
      if (v.outcome != outcome::ok || v.executions <= large) continue;
      const double size =
          p.explore({.how = checker::mode::estimate, .sample = {.executions = 400, .seconds = 60}}).size.executions;
      const double ratio = size / static_cast<double>(v.executions);
      std::printf("  %-30s %10llu executions, estimated %.2f times as many\n", text(p.about.name).c_str(),
                  static_cast<unsigned long long>(v.executions), ratio);
      ++estimated;
      near += ratio > 0.5 && ratio < 2 ? 1U : 0U;
    }
  }
  EXPECT_GE(estimated, 30U);
  EXPECT_GE(10 * near, 9 * estimated) << near << " of " << estimated;
}

}  // namespace
}  // namespace licit::suites
