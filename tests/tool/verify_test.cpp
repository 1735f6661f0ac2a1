#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "suites/every/clients.hpp"

namespace {

using licit_test::contains;
using licit_test::finished;
using licit_test::licit;

// How many executions Relacy counts depends on the compiler and on where memory comes from.
TEST(Verify, RelacysFullSearchEnds) {
  const finished f = licit("verify --structure chase-lev --checker relacy --program last_item overwrite");
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "2 rows, all as expected")) << f.output;
  EXPECT_FALSE(contains(f.output, "random")) << f.output;
}

TEST(Verify, ExactCountsOfTheExhaustiveChecker) {
  const finished f =
      licit("verify --structure chase-lev --checker exhaustive --program last_item two_items two_thieves");
  EXPECT_EQ(f.status, 0) << f.output;
  for (const char* row :
       {"none, both                 8 ", "none, both                74 ", "none, both             16789 "}) {
    EXPECT_TRUE(contains(f.output, row)) << row << "\n" << f.output;
  }
  EXPECT_TRUE(contains(f.output, "3 rows, all as expected")) << f.output;
}

TEST(Verify, TheRuleOfReleaseSequencesDecidesPopReserve) {
  const finished f =
      licit("verify --structure chase-lev --checker exhaustive --program two_items --break 'pop.reserve relaxed'");
  EXPECT_EQ(f.status, 1) << f.output;
  EXPECT_TRUE(contains(f.output, "violation  NOT AS EXPECTED (ok)")) << f.output;
  EXPECT_TRUE(contains(f.output, "none, c++11               74 ")) << f.output;
  EXPECT_TRUE(contains(f.output, "2 rows, 1 NOT as expected")) << f.output;  // the other is ok
}

TEST(Verify, AThreadThatStopsForGoodStopsNobodyElse) {
  const finished f =
      licit("verify --structure chase-lev --program last_item two_thieves --release-sequences c++20 --stall 1 2");
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "none, c++20, stall 1          53 ")) << f.output;
  EXPECT_TRUE(contains(f.output, "none, c++20, stall 2      118319 ")) << f.output;
  EXPECT_TRUE(contains(f.output, "3 rows, all as expected")) << f.output;  // last_item has no thread 2
}

TEST(Verify, BrokenCodeIsStatusOneWithAHistoryBySiteName) {
  const finished f = licit("verify --structure chase-lev --program two_items --break 'steal.fence removed'");
  EXPECT_EQ(f.status, 1) << f.output;
  EXPECT_TRUE(contains(f.output, "NOT AS EXPECTED")) << f.output;
  EXPECT_TRUE(contains(f.output, "steal.claim")) << f.output;
  EXPECT_TRUE(contains(f.output, "pop.reserve")) << f.output;
  EXPECT_FALSE(contains(f.output, "steal.fence ")) << "the fence that is not there: " << f.output;
}

TEST(Verify, ACaughtMutantIsStatusZeroWithItsHistory) {
  const finished f = licit("verify --structure chase-lev --checker relacy --mutant 'steal.claim a blind store'");
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "violation")) << f.output;
  EXPECT_TRUE(contains(f.output, "steal.claim    writes")) << f.output;
}

class Drawn : public testing::Test {
 protected:
  Drawn() : folder_{std::filesystem::temp_directory_path() / ("licit_drawn_" + std::to_string(::getpid()))} {
    std::filesystem::create_directories(folder_);
  }
  ~Drawn() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::filesystem::path folder_;
};

const std::string mutant = "verify --structure chase-lev --checker exhaustive --mutant 'pop.fence removed' ";

TEST_F(Drawn, AsDotSvgAndPng) {
  const finished f = licit(mutant + "--dot " + path("a.dot") + " --svg " + path("a.svg"));
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "drawn: by_name with pop.fence removed")) << f.output;
  for (const char* part : {"steal.claim", "pop.reserve", "payload[1]", "in no interleaving: "}) {
    EXPECT_TRUE(contains(read("a.dot"), part)) << part;
    EXPECT_TRUE(contains(read("a.svg"), part)) << part;
  }
  EXPECT_TRUE(contains(read("a.svg"), "<svg"));
  EXPECT_EQ(licit(mutant + "--svg " + path("a.png")).status, 0);
  EXPECT_EQ(read("a.png").substr(1, 3), "PNG");
}

TEST_F(Drawn, ByShardsOfProcessesToo) {
  const finished f = licit(
      "verify --structure chase-lev --checker exhaustive --program growth_two_thieves --break 'growth forgets an "
      "item' " +
      ("--jobs 2 --dot " + path("a.dot")));
  EXPECT_EQ(f.status, 1) << f.output;
  EXPECT_TRUE(contains(f.output, "shrunk to thread 0: ")) << f.output;
  EXPECT_TRUE(contains(read("a.dot"), "digraph")) << f.output;
}

TEST_F(Drawn, NotWithoutGraphvizOrViolation) {
  const finished without =
      licit("verify --structure chase-lev --checker exhaustive --program last_item --svg " + path("a.svg"));
  EXPECT_EQ(without.status, 0) << without.output;
  EXPECT_TRUE(contains(without.output, "nothing is drawn: no violation")) << without.output;
  const finished nowhere = licit(mutant + "--dot /nonexistent/a.dot");
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_TRUE(contains(nowhere.output, "cannot write /nonexistent/a.dot: No such file")) << nowhere.output;
  const std::string path_was = std::getenv("PATH");
  ::setenv("PATH", "/nonexistent", 1);
  const finished missing = licit(mutant + "--svg " + path("a.svg"));
  ::setenv("PATH", path_was.c_str(), 1);
  EXPECT_EQ(missing.status, 2);
  EXPECT_TRUE(contains(missing.output, "needs Graphviz's `dot` (Debian: graphviz)")) << missing.output;
}

TEST_F(Drawn, AsJson) {
  ASSERT_EQ(licit(mutant + "--json " + path("a.json")).status, 0);
  const auto row = nlohmann::json::parse(read("a.json"))[0];
  EXPECT_EQ(row["client"], "thread 0: push, push, pop_if, pop_if; thread 1: steal");
  const auto& e = row["execution"];
  EXPECT_EQ(e["kind"], "data race");
  unsigned offending = 0;
  for (const auto& event : e["events"]) offending += event.contains("offends") ? 1U : 0U;
  EXPECT_EQ(offending, 2U);
  unsigned races = 0;
  for (const auto& edge : e["edges"]) races += edge["relation"] == "race" ? 1U : 0U;
  EXPECT_EQ(races, 1U);
}

TEST(Verify, AHistoryIsOfTheSmallestClient) {
  const finished f = licit(
      "verify --structure chase-lev --checker exhaustive --program growth_two_thieves --break 'grow.publish relaxed'");
  EXPECT_EQ(f.status, 1) << f.output;
  EXPECT_TRUE(contains(f.output, "shrunk to thread 0: push, push; thread 1: steal; thread 2: nothing")) << f.output;
  const finished relacy = licit("verify --structure chase-lev --checker relacy --mutant 'steal.claim a blind store'");
  EXPECT_FALSE(contains(relacy.output, "shrunk")) << relacy.output;
}

TEST(Verify, ALimitIsStatusThreeAndNeverOk) {
  const finished f = licit("verify --structure chase-lev --program two_thieves --limit 100 --iterations 10");
  EXPECT_EQ(f.status, 3) << f.output;
  EXPECT_TRUE(contains(f.output, "stopped after 100 executions")) << f.output;
}

TEST(Verify, BadUsageNamesTheOptionAndItsRange) {
  for (const auto& [arguments, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"verify --iterations 0", "--iterations: Value 0 not in range 1 to 1000000000"},
           {"verify --iterations many", "--iterations"},
           {"verify --structure chase-lev --program nobody", "--program: nobody not in {"},
           {"verify --structure chase-lev --checker nobody", "--checker: nobody not in {"},
           {"verify --structure chase-lev --mutant nobody", "--mutant: nobody not in {"},
           {"verify --limit 0", "--limit"},
           {"verify --frobnicate", "--frobnicate"},
           {"gallery nobody", "names: nobody not in {"},
           {"verify --structure chase-lev --program overwrite --svg ''", "--svg: the word is empty"},
           {"audit --library ''", "--library: the word is empty"},
           {"audit --site ''", "--site: the word is empty"},
           {"prove --smt ''", "--smt: the word is empty"},
           {"prove --mutant ''", "--mutant: the word is empty"},
           {"merge --json '' none.json", "--json: the word is empty"},
           {"trace -o '' none.json", "--html: the word is empty"},
           {"check --shard '' none", "--shard: the word is empty"},
           {"check --seconds nan none", "--seconds: nan is no number"},
           {"check --executions -1 none", "--executions"},
           {"check --executions 0 none", "--executions: Value 0 not in range 1 to 1000000000000"},
           {"check --executions 99999999999999999999999 none", "--executions"},
           {"check --seed -1 none", "--seed"},
           {"verify --checker exhaustive --iterations 5", "--iterations is of --mode and of Relacy"},
           {"verify --structure parker --every 1 --iterations 5", "--every has none of "},
           {"verify --structure parker --every 1 --break 'pop.fence removed'", "and the mutant \"pop.fence removed\""},
           {"", "subcommand is required"}}) {
    const finished f = licit(arguments);
    EXPECT_EQ(f.status, 2) << arguments;
    EXPECT_TRUE(contains(f.output, message)) << arguments << ": " << f.output;
  }
}

/// The variable of a program that is run by itself, whose words `licit check` has as options.
TEST(Check, WhatTheEnvironmentAsksForIsNotIgnored) {
  for (const char* what : {" check /bin/true", " check --audit /bin/true"}) {
    const finished f = licit_test::run("LICIT_CHECK=seconds=1 " LICIT_TOOL + std::string(what));
    EXPECT_EQ(f.status, 2) << f.output;
    EXPECT_TRUE(contains(f.output, "LICIT_CHECK is set: ")) << f.output;
  }
}

TEST(Verify, AFileThatCannotBeWrittenIsNamed) {
  const finished f = licit("verify --structure chase-lev --program overwrite --json /nonexistent/v.json");
  EXPECT_EQ(f.status, 2);
  EXPECT_TRUE(contains(f.output, "/nonexistent/v.json: No such file or directory")) << f.output;
}

TEST(Verify, JsonRowsHaveTheDocumentedFields) {
  const auto file = std::filesystem::path(testing::TempDir()) / "verdicts.json";
  const finished f =
      licit("verify --structure chase-lev --checker relacy --program overwrite refill --iterations 500 --json " +
            file.string());
  ASSERT_EQ(f.status, 0) << f.output;
  std::ifstream in(file);
  const auto rows = nlohmann::json::parse(in);
  ASSERT_EQ(rows.size(), 3U);
  for (const auto& row : rows) {
    for (const char* key : {"program", "checker", "mode", "executions", "blocked", "seconds", "verdict", "expected"}) {
      EXPECT_TRUE(row.contains(key)) << key;
    }
    EXPECT_EQ(row["verdict"], "ok");
  }
  EXPECT_EQ(rows[0]["mode"], "exhaustive");
  EXPECT_EQ(rows[1]["mode"], "sampled");
  EXPECT_EQ(rows[2]["executions"], 500);
}

nlohmann::json rows_of(const std::string& file) {
  std::ifstream in(file);
  return nlohmann::json::parse(in);
}

TEST(Verify, EveryClientHasARowForEachNumberOfCallsAndAClaim) {
  const std::string file = testing::TempDir() + "every.json";
  const finished f =
      licit("verify --structure chase-lev --every 3 --alphabet full --edges 1 --capacity 2 --json " + file);
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output,
                       "ok: chase-lev: every client of up to 3 calls, an owner (push, pop, pop_if, size) and up to 2 "
                       "thieves (steal, half, size), capacity 2, up to one edge from outside, up to 0 items before: "
                       "linearizable with respect to happens-before"))
      << f.output;
  EXPECT_TRUE(contains(f.output, "\nnot covered: other calls and sizes, more than one edge from outside, real time\n"));
  const auto rows = rows_of(file);
  ASSERT_EQ(rows.size(), 3U);
  const std::array<const char*, 4> owner{"push", "pop", "pop_if", "size"};
  const std::array<const char*, 3> thief{"steal", "half", "size"};
  for (unsigned calls = 1; calls <= 3; ++calls) {
    EXPECT_EQ(rows[calls - 1]["calls"], calls);
    EXPECT_EQ(rows[calls - 1]["clients"], licit::suites::count_of({owner, thief, 2, calls})) << calls;
    EXPECT_EQ(rows[calls - 1]["verdict"], "ok");
  }
}

/// With each of two beginnings. A park waits for ever in some.
TEST(Verify, EveryClientOfAPartOfTheScheduler) {
  const std::string file = testing::TempDir() + "parker.json";
  const finished f = licit("verify --structure parker --every 3 --json " + file);
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(
      contains(f.output, "ok: parker: every client of up to 3 calls, an owner (park) and up to 2 thieves (unpark), "))
      << f.output;
  const auto rows = rows_of(file);
  ASSERT_EQ(rows.size(), 3U);
  const std::array<const char*, 1> owner{"park"};
  const std::array<const char*, 1> thief{"unpark"};
  for (unsigned calls = 1; calls <= 3; ++calls) {
    EXPECT_EQ(rows[calls - 1]["clients"], 2 * licit::suites::count_of({owner, thief, 2, calls})) << calls;
  }
#ifndef __clang__  // how many rounds of park's loop are explored depends on the compiler
  EXPECT_EQ(rows[2]["executions"], 76);
#endif
  EXPECT_EQ(licit("verify --structure parker --every 2 --break 'unpark.swap relaxed'").status, 1);
}

TEST(Verify, EveryClientOfBrokenCodeFails) {
  const std::string file = testing::TempDir() + "broken.json";
  const finished f = licit("verify --structure chase-lev --every 3 --break 'steal.bottom relaxed' --json " + file);
  EXPECT_EQ(f.status, 1) << f.output;
  EXPECT_TRUE(contains(f.output, "violation: capacity=1: push | steal\n")) << f.output;
  const auto rows = rows_of(file);
  EXPECT_EQ(rows.back()["line"], "capacity=1: push | steal");
  EXPECT_EQ(rows.back()["verdict"], "violation");
}

/// What none finds is a failure, unless it is listed.
TEST(Verify, TheSmallestClientThatFindsAMutant) {
  const std::string file = testing::TempDir() + "kill.json";
  const finished f = licit("verify --structure run-queue --every 2 --alphabet full --filling 2 --kill --json " + file);
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "  steal.tail relaxed                     2  capacity=2: try | steal\n")) << f.output;
  EXPECT_TRUE(
      contains(f.output, "  half.publish relaxed                   2  capacity=4 try*3: half | steal, stolen onward\n"))
      << f.output;
  const auto rows = rows_of(file);
  EXPECT_EQ(rows.size(), 14U);
  EXPECT_EQ(rows[2]["calls"], 2);
  EXPECT_EQ(rows[2]["line"], "capacity=2: try | steal");
  EXPECT_EQ(licit("verify --structure run-queue --every 1 --kill").status, 1);
  const finished listed = licit("verify --structure split --every 1 --kill");
  EXPECT_TRUE(contains(listed.output,
                       "  turn.end a blind store                 -  loses a request that comes while the owner turns"))
      << listed.output;
}

/// A smaller client that met the limit may find the mutant too.
TEST(Verify, TheSmallestClientThatWasDecided) {
  const std::string file = testing::TempDir() + "decided.json";
  const finished f = licit("verify --structure chase-lev --every 3 --filling 1 --kill --limit 1 --json " + file);
  EXPECT_EQ(f.status, 3) << f.output;
  EXPECT_TRUE(
      contains(f.output,
               "  growth publishes no ring               3  capacity=1 push: push | steal | steal  (the smallest "
               "decided: 8 smaller clients met the limit)\n"))
      << f.output;
  EXPECT_TRUE(contains(f.output, "  growth forgets an item                 1  capacity=1 push: push\n")) << f.output;
  unsigned open = 0;
  for (const auto& row : rows_of(file)) open += row.contains("undecided") ? 1 : 0;
  EXPECT_TRUE(contains(f.output, "; for " + std::to_string(open) + " of them clients met the limit\n")) << f.output;
  const finished listed = licit("verify --structure split --every 2 --filling 1 --kill --limit 1");
  EXPECT_TRUE(contains(listed.output, " clients met the limit; loses a request that comes while the owner turns"))
      << listed.output;
}

/// A channel has capacities and no owner who could push items before.
TEST(Verify, ClientsWithoutAnOwnerBeginWithNoItems) {
  const finished f = licit("verify --structure waiters --every 1 --filling 1");
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output,
                       "up to 3 threads (send, receive, wait, quit), capacities 1 and 2, no edge from "
                       "outside, up to 0 items before: linearizable"))
      << f.output;
}

TEST(Verify, ACapacityThatTheStructureRefusesIsAnError) {
  for (const char* what : {"", " --kill"}) {
    const finished f = licit(std::string("verify --structure run-queue --every 2 --capacity 1") + what);
    EXPECT_EQ(f.status, 2) << f.output;
    EXPECT_TRUE(contains(f.output, "--capacity 1 for run-queue: ")) << f.output;
  }
  EXPECT_EQ(licit("verify --structure run-queue --every 1 --edges 2").status, 2);
  const finished twice = licit("verify --structure run-queue --every 2 --capacity 2 2");
  EXPECT_TRUE(contains(twice.output, "\n     2           15 ")) << twice.output;
}

TEST(Verify, AnEstimateRefusesWhatIsOfASearch) {
  for (const char* what : {"--json e.json", "--limit 1", "--iterations 5", "--mode random", "--stall 1", "--jobs 2",
                           "--release-sequences c++11 c++20", "--shard 0/2", "--dot e.dot"}) {
    const finished f = licit(std::string("verify --structure parker --estimate ") + what);
    EXPECT_EQ(f.status, 2) << what;
    EXPECT_TRUE(contains(f.output, "--estimate has none of --json, ")) << f.output;
  }
  EXPECT_TRUE(contains(licit("verify --estimate --client 'push | steal'").output, "--client needs one --structure"));
  EXPECT_TRUE(contains(licit("verify --structure parker --estimate --break 'pop.fence removed'").output,
                       "nothing to estimate: no chosen structure has the mutant"));
}

TEST(Verify, AnEstimateIsOfTheCodeAndTheRulesThatAreAskedFor) {
  const std::string of_client = "verify --structure chase-lev --estimate --client 'capacity=1: push push | steal'";
  const finished plain = licit(of_client);
  EXPECT_EQ(plain.status, 0) << plain.output;
  EXPECT_TRUE(contains(plain.output, "under C++20's release sequences")) << plain.output;
  EXPECT_TRUE(contains(licit(of_client + " --release-sequences c++11").output, "under C++11's release sequences"));
  const finished broken = licit(of_client + " --break 'push.publish relaxed'");
  EXPECT_EQ(broken.status, 1) << broken.output;
  EXPECT_TRUE(contains(broken.output, "violation: ")) << broken.output;
}

/// A client that is too large for the limit is not one that is wrong.
TEST(Verify, AGeneratedClientBeyondTheLimitIsNotFinished) {
  const finished f = licit("verify --structure lifo-slot --checker exhaustive --limit 3");
  EXPECT_EQ(f.status, 3) << f.output;
  EXPECT_FALSE(contains(f.output, "NOT AS EXPECTED")) << f.output;
  EXPECT_TRUE(contains(f.output, "  limit\n")) << f.output;
  const finished rows = licit("verify --structure chase-lev --program two_thieves --limit 100 --checker exhaustive");
  EXPECT_TRUE(contains(rows.output, " not finished\n")) << rows.output;
}

/// Of the core alphabet, and of the full one with an edge; as many as the closed forms say.
TEST(Verify, GeneratedClientsArePartOfTheVerdict) {
  const finished f = licit("verify --structure run-queue --checker exhaustive");
  EXPECT_EQ(f.status, 0) << f.output;
  constexpr std::array<const char*, 2> owner{"try", "pop"};
  constexpr std::array<const char*, 2> thief{"steal", "half"};
  constexpr std::array<const char*, 4> all_of_owner{"try", "push", "pop", "size"};
  constexpr std::array<const char*, 3> all_of_thief{"steal", "half", "size"};
  constexpr unsigned capacities = 2;
  std::uint64_t core = 0;
  std::uint64_t full = 0;
  for (unsigned n = 1; n <= 7; ++n) core += capacities * licit::suites::count_of({owner, thief, 2, n});
  for (unsigned n = 1; n <= 5; ++n) full += capacities * licit::suites::count_of({all_of_owner, all_of_thief, 2, n});
  EXPECT_TRUE(contains(f.output, fmt::format("\n  all of up to 7 calls {:>7} ", core))) << f.output;
  EXPECT_TRUE(contains(f.output, fmt::format("\n  all of up to 5 calls {:>7} ", full))) << f.output;
  EXPECT_TRUE(contains(f.output, "  ok, full alphabet, an edge\n")) << f.output;
  // What is stolen onward, without items before and with three.
  constexpr std::array<const char*, 3> with_loot{"try", "half", "pop"};
  constexpr std::array<const char*, 1> of_loot{"steal"};
  std::array<std::uint64_t, 7> onward{};
  for (unsigned n = 1; n <= 6; ++n) onward[n] = onward[n - 1] + 2 * licit::suites::count_of({with_loot, of_loot, 2, n});
  EXPECT_TRUE(contains(f.output, fmt::format("\n  all of up to 6 calls {:>7} ", onward[6]))) << f.output;
  EXPECT_TRUE(contains(f.output, fmt::format("\n  all of up to 5 calls {:>7} ", onward[5]))) << f.output;
  EXPECT_TRUE(contains(
      f.output, std::to_string(core + full + onward[6] + onward[5]) +
                    " generated clients (every client by up to 3 threads: of the core alphabet, without an edge from "
                    "outside, up to 7 calls of run-queue (capacities 2 and 4), 6 calls of run-queue with stolen onward "
                    "(capacity 4); of the full alphabet, with up to one edge, up to 5 calls of run-queue with stolen "
                    "onward (capacity 4), 5 calls of run-queue (capacities 2 and 4)) are linearizable with respect to "
                    "happens-before; and "))
      << f.output;
}

TEST(Verify, EqualThievesStandForEachOther) {
  const std::string file = (std::filesystem::path(testing::TempDir()) / "symmetric.json").string();
  const finished f = licit(
      "verify --symmetric --structure chase-lev tagged --checker exhaustive --program two_thieves refill two_halves "
      "--json " +
      file);
  ASSERT_EQ(f.status, 0) << f.output;
  const auto rows = rows_of(file);
  const auto of = [&](const std::string& program) {
    return *std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row["program"] == program; });
  };
  const auto equal = of("two_thieves");
  EXPECT_EQ(equal["represented"], 16789);
  EXPECT_LT(equal["executions"], 16789 / 2 + 200);
  EXPECT_EQ(equal["bound"], "none, both, symmetric");
  for (const auto& [program, why] : {std::pair{"refill", "no two threads have the same calls"},
                                     {"two_halves", "threads with the same calls have an object each of their own"}}) {
    EXPECT_EQ(of(program)["note"], why);
    EXPECT_FALSE(of(program).contains("represented")) << program;
    EXPECT_TRUE(contains(f.output, why)) << f.output;
  }
  const finished wrong = licit(
      "verify --symmetric --structure chase-lev --checker exhaustive --client 'push push pop pop | steal | steal' "
      "--break 'steal.fence removed'");
  EXPECT_EQ(wrong.status, 1) << wrong.output;
  EXPECT_TRUE(contains(wrong.output, "steal.claim")) << wrong.output;
}

TEST(Verify, ListNamesEveryProgramWithItsProperty) {
  const finished f = licit("verify --list");
  EXPECT_EQ(f.status, 0);
  for (const char* name : {"last_item", "growth", "two_thieves", "pop.reserve relaxed"}) {
    EXPECT_TRUE(contains(f.output, name)) << name;
  }
}

TEST(Verify, PrintsALineAStructureAndWhatWasShown) {
  const finished f = licit("verify --structure lifo-slot task-registry --checker exhaustive");
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(
      contains(f.output, "structure              clients     executions   mutants caught   seconds  verdict\n"));
  EXPECT_TRUE(contains(f.output, "\nlifo-slot ")) << f.output;
  EXPECT_TRUE(contains(f.output, "\ntask-registry ")) << f.output;
  EXPECT_FALSE(contains(f.output, "none, c++20")) << "a row: " << f.output;
  EXPECT_TRUE(contains(f.output, "are right in every execution of RC11, under both C++20's and C++11's release"))
      << f.output;
  EXPECT_TRUE(contains(f.output, "; not shown: other clients and sizes, and load buffering")) << f.output;
}

TEST(Verify, PrintsEachRowOnAll) {
  const finished f = licit("verify --structure lifo-slot task-registry --checker exhaustive --all");
  EXPECT_EQ(f.status, 0) << f.output;
  EXPECT_TRUE(contains(f.output, "none, c++20")) << f.output;
  EXPECT_TRUE(contains(f.output, " rows, all as expected")) << f.output;
}

TEST(Verify, AFailureStandsInFullInTheShortTableToo) {
  const finished f = licit("verify --structure chase-lev --checker exhaustive --break 'steal.fence removed'");
  EXPECT_EQ(f.status, 1) << f.output;
  EXPECT_TRUE(contains(f.output, "violation  NOT AS EXPECTED (ok)\n")) << f.output;
  EXPECT_TRUE(contains(f.output, "A column is a thread")) << f.output;
  EXPECT_TRUE(contains(f.output, "\nNOT AS EXPECTED: ")) << f.output;
}

TEST(Verify, AClientOfTheUsers) {
  const std::string own = "verify --structure chase-lev --checker exhaustive --client ";
  const finished right = licit(own + "'capacity=1: push pop | steal'");
  EXPECT_EQ(right.status, 0) << right.output;
  EXPECT_TRUE(contains(right.output, "1 client of 1 structure is right in every execution")) << right.output;
  const finished wrong = licit(own + "'push push pop pop | steal' --break 'steal.fence removed'");
  EXPECT_EQ(wrong.status, 1) << wrong.output;
  EXPECT_TRUE(contains(wrong.output, "steal.claim")) << wrong.output;
  for (const auto& [line, message] : std::initializer_list<std::pair<const char*, const char*>>{
           {"'push pup | steal'", "client \"push pup | steal\", column 6: no such word"},
           {"'size=1: push'", "column 1: no such setting"},
           {"'push*0 | steal'", "0 times"},
           {"''", "the line is empty"},
           {"' | ()'", "column 6: a call was expected"},
           {"'tell: push | steal'", "column 1: no such word here"},
           {"'capacity=0: push | steal'", "cannot be set up: "},
           {"'capacity=3: push | steal'", "must be a power of two"},
           {"'push*17 | steal'", "column 1: more than 16 items"},
           {"'push | push'", "column 8: only the owner"},
           {"'push | steal' --stall 3", "nothing to check: Relacy does not run --client"},
           {"'push |'  --program last_item", "--program excludes"}}) {
    const finished f = licit(own + line);
    EXPECT_EQ(f.status, 2) << line;
    EXPECT_TRUE(contains(f.output, message)) << line << ": " << f.output;
  }
  EXPECT_TRUE(contains(licit("verify --client 'push | steal'").output, "--client needs one --structure"));
}

/// What a client cannot run is refused by its word and column, and never taken for a violation of the structure.
TEST(Verify, AClientThatItsStructureCannotRunIsRefused) {
  struct misuse {
    const char* structure;
    const char* line;
    const char* message;
  };
  for (const misuse& m : {
           misuse{"census", "enter!: run(1) | close wait", "column 9: there is no such worker"},
           misuse{"census", "enter!: run(0,1) | close", "column 9: there is no such task"},
           misuse{"census", "enter enter: run run | close", "column 14: another call runs this task too"},
           misuse{"census", "run | close wait", "each run an enter"},
           misuse{"census", "take | close", "a take a spawn"},
           misuse{"census", "enter(2): run | close", "column 1: this word takes no number"},
           misuse{"idle-set", "park(1) | claim", "column 1: there is no such worker"},
           misuse{"idle-set", "workers=5: park | claim", "workers is from 1 to 4"},
           misuse{"idle-set", "workers=2: park(0) | park(0)", "column 12: another thread is this worker too"},
           misuse{"idle-set", "workers=2: park | look(1)", "column 19: nobody brings work"},
           misuse{"idle-set", "workers=2: park | end", "column 19: no worker searches"},
           misuse{"idle-set", "park | claim(1)", "column 8: this word takes no number"},
           misuse{"task-state", "run | run release", "more than one run, drive or hold"},
           misuse{"task-state", "run | note(4) release", "column 7: there is no such note"},
           misuse{"task-state", "run | take", "column 7: the task does not come into the queue again"},
           misuse{"task-state", "run | join(0) detach", "column 7: joiners are numbered from 1 on"},
           misuse{"task-state", "run | wait release | join(3) detach", "column 7: another thread has the handle"},
           misuse{"task-state", "run post*17 | wait", "more than 16 letters"},
           misuse{"trace-ring", "record | record", "column 10: only the writer"},
           misuse{"trace-ring", "record(2) | read", "column 1: this word takes no number"},
           misuse{"inject-queue", "push*17 | pop", "more than 16 items of a thread"},
           misuse{"inject-queue", "batch(4) | pop", "column 1: 1 to 3 items at once"},
           misuse{"inject-queue", "push(2) | pop", "column 1: this word takes no number"},
           misuse{"inject-queue", "push | pop(0)", "column 8: 1 to 3 items at once"},
       }) {
    const finished f =
        licit(std::string("verify --checker exhaustive --structure ") + m.structure + " --client '" + m.line + "'");
    EXPECT_EQ(f.status, 2) << m.structure << " " << m.line << ": " << f.output;
    EXPECT_TRUE(contains(f.output, m.message)) << m.structure << " " << m.line << ": " << f.output;
  }
}

/// Which kills the process that checks it.
TEST(Verify, AClientThatItsStructureDoesNotSurviveIsAnError) {
  const finished f = licit("verify --structure crew --checker exhaustive --client 'interval=0: work | stop'");
  EXPECT_EQ(f.status, 2) << f.output;
  EXPECT_TRUE(contains(f.output, "client \"interval=0: work | stop\"")) << f.output;
}

TEST(Verify, SilentInAPipe) {
  const finished f = licit("verify --structure chase-lev --program overwrite");
  EXPECT_FALSE(contains(f.output, "\x1b")) << "escape sequences in a pipe";
}

}  // namespace
