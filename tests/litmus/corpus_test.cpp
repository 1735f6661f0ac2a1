/// The corpus says of each test what comes of it, and random files are made here: the checker finds that, and the
/// oracle agrees where it can be asked. First: a test in the words of the oracle, where it has words for it.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "checker/litmus/ast.hpp"
#include "checker/litmus/explore.hpp"
#include "oracle.hpp"
#include "straight_line.hpp"

namespace licit::litmus_test {
namespace {

using checker_test::instruction;
using checker_test::verb;
using litmus::expression;
using litmus::operation;
using litmus::statement;

struct no_words : std::runtime_error {
  no_words() : std::runtime_error("the oracle has no words for it") {}
};

class translator {
 public:
  explicit translator(const litmus::test& t) : test_{t} {}

  checker_test::straight_line all() {
    for (const litmus::location& l : test_.locations) {
      if (l.initial != 0) throw no_words();
    }
    checker_test::straight_line made;
    for (const litmus::thread& t : test_.threads) {
      thread_ = static_cast<std::size_t>(&t - test_.threads.data());
      known_.clear();
      for (unsigned r = 0; r != t.registers.size(); ++r) known_[r] = static_cast<int>(t.initial[r]);
      out_.clear();
      translate(t.body);
      made.push_back(out_);
    }
    return made;
  }

 private:
  void translate(const statement& s) {
    if (s.what == statement::kind::block) {
      for (const statement& inner : s.body) translate(inner);
    } else if (s.what == statement::kind::evaluate) {
      evaluate(s.expressions[0]);
    } else {
      throw no_words();
    }
  }

  void evaluate(const expression& e) {
    if (e.what == operation::declare) {
      known_[e.target] = static_cast<int>(test_.threads[thread_].initial[e.target]);
      return;
    }
    if (e.what != operation::assign) return perform(e);
    const expression& from = e.operands[0];
    if (from.what == operation::constant) {
      known_[e.target] = static_cast<int>(from.number);
    } else {
      perform(from);
      known_.erase(e.target);
    }
  }

  void perform(const expression& e) {
    instruction i{verb::load, 0, e.success, e.failure};
    switch (e.what) {
      case operation::fence: i.what = verb::fence; break;
      case operation::load: break;
      case operation::store: i.what = verb::store; break;
      case operation::fetch_add:
      case operation::fetch_sub: i.what = verb::fetch_add; break;
      case operation::compare_exchange:
        i.what = e.weak ? verb::weak_compare_exchange : verb::compare_exchange;
        if (!e.expects_local || !known_.contains(e.expected)) throw no_words();
        i.expected = known_[e.expected];
        known_.erase(e.expected);
        break;
      case operation::plain_read: i.what = verb::plain_read; break;
      case operation::plain_write: i.what = verb::plain_write; break;
      default: throw no_words();
    }
    const bool plain = e.what == operation::plain_read || e.what == operation::plain_write;
    if (!e.index.empty() && e.index[0].what != operation::constant) throw no_words();
    const auto element = e.index.empty() ? 0U : static_cast<unsigned>(e.index[0].number);
    if (e.what != operation::fence) i.at = place(e.target + element, plain);
    if (!e.operands.empty()) {
      if (e.operands[0].what != operation::constant) throw no_words();
      i.value = static_cast<int>(e.operands[0].number) * (e.what == operation::fetch_sub ? -1 : 1);
    }
    if (e.what == operation::fence && e.success == order::relaxed) return;
    out_.push_back(i);
  }

  unsigned place(unsigned location, bool plain) {
    if (places_[plain ? 0 : 1].contains(location)) throw no_words();
    auto& mine = places_[plain ? 1 : 0];
    const unsigned first = plain ? checker_test::first_plain : 0;
    const unsigned end = plain ? checker_test::most_locations : checker_test::first_plain;
    const unsigned at = mine.try_emplace(location, first + static_cast<unsigned>(mine.size())).first->second;
    if (at >= end) throw no_words();
    return at;
  }

  const litmus::test& test_;
  std::size_t thread_ = 0;
  std::map<unsigned, int> known_;                       ///< constants in registers
  std::array<std::map<unsigned, unsigned>, 2> places_;  ///< atomic, plain
  std::vector<instruction> out_;
};

/// Nothing for a test with branches or loops, data dependencies, operations that the oracle does not know, initial
/// values other than 0, a location that is accessed both plainly and atomically, or too many of them.
std::optional<checker_test::straight_line> straight(const litmus::test& t) {
  try {
    return translator(t).all();
  } catch (const no_words&) {
    return std::nullopt;
  }
}

/// Every file of the corpus says what comes of it; the checker finds that, and the oracle agrees where it can be asked.

struct entry {
  std::string file;  ///< its own name
  litmus::test test;
};

const std::vector<entry>& corpus() {
  static const std::vector<entry> all = [] {
    std::vector<entry> found;
    for (const auto& e : std::filesystem::directory_iterator(LICIT_LITMUS_CORPUS)) {
      std::ifstream in(e.path());
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      for (litmus::test& one : litmus::parse_all(text)) found.push_back({one.name, std::move(one)});
    }
    return found;
  }();
  return all;
}

TEST(corpus, is_large_and_no_name_stands_twice) {
  EXPECT_GE(corpus().size(), 154U);
  std::map<std::string, unsigned> count;
  for (const entry& e : corpus()) EXPECT_EQ(++count[e.file], 1U) << e.file;
  for (const entry& e : corpus()) {
    EXPECT_FALSE(e.test.description.empty()) << e.file;
    EXPECT_TRUE(e.test.expected) << e.file;
  }
}

TEST(corpus, comes_out_as_each_file_expects) {
  for (const entry& e : corpus()) {
    const litmus::verdict got = litmus::explore(e.test);
    EXPECT_TRUE(got.message.empty()) << e.file << ": " << got.message;
    EXPECT_TRUE(e.test.expected && got.as(*e.test.expected))
        << e.file << ": " << (got.reachable() ? "allowed " : "forbidden ") << got.executions << " blocked "
        << got.blocked << " race: " << got.race;
  }
}

TEST(corpus, has_the_executions_that_the_oracle_counts) {
  unsigned counted = 0;
  unsigned racy = 0;
  for (const entry& e : corpus()) {
    const auto program = straight(e.test);
    if (!program || e.test.filter) continue;
    const checker_test::answer oracle = checker_test::ask(*program, checker_test::sequences::cxx20);
    EXPECT_EQ(e.test.expected->race, oracle.racy) << e.file;
    EXPECT_EQ(e.test.expected->executions, oracle.complete) << e.file;
    if (!oracle.racy) {
      EXPECT_EQ(oracle.complete, oracle.executions.size()) << e.file;
    }
    ++counted;
    racy += oracle.racy ? 1 : 0;
  }
  EXPECT_GE(counted, 125U);
  EXPECT_GE(racy, 5U);
  std::printf("%u of %zu tests counted by the oracle, %u of them race\n", counted, corpus().size(), racy);
}

/// Counts that are known from elsewhere: herd's and another checker's.
TEST(corpus, has_the_known_counts) {
  const std::map<std::string, std::uint64_t> known{
      {"SB", 4},          {"SB+fence-sc", 3}, {"MP", 4},       {"MP+rel+acq", 3}, {"LB", 3},       {"WRC", 8},
      {"WRC+rel+acq", 7}, {"IRIW", 16},       {"IRIW+sc", 15}, {"RMW+add2", 2},   {"RMW+add3", 6}, {"RMW+add4", 24}};
  for (const auto& [name, executions] : known) {
    const auto e = std::find_if(corpus().begin(), corpus().end(), [&](const entry& c) { return c.test.name == name; });
    ASSERT_NE(e, corpus().end()) << name;
    EXPECT_EQ(litmus::explore(e->test).executions, executions) << name;
  }
}

TEST(corpus, knows_the_release_sequences_of_cxx11) {
  const auto e =
      std::find_if(corpus().begin(), corpus().end(), [](const entry& c) { return c.test.name == "relseq+store"; });
  ASSERT_NE(e, corpus().end());
  EXPECT_TRUE(litmus::explore(e->test).reachable());
  EXPECT_FALSE(litmus::explore(e->test, {.sequences = checker::release_sequences::cxx11}).reachable());
}

/// Random litmus files, racy ones too, from their text to their count: the oracle's.

class author {
 public:
  std::string file() {
    std::string text = "C random\n{}\n";
    const unsigned threads = below(2) + 2;
    for (unsigned t = 0; t != threads; ++t) {
      text += "P" + std::to_string(t) + " (atomic_int* x, atomic_int* y, int* p, int* q) {\n  int e;\n";
      for (unsigned i = below(threads == 2 ? 4 : 2) + 1; i != 0; --i) text += "  " + statement() + "\n";
      text += "}\n";
    }
    return text + "exists true\n";
  }

 private:
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  template <std::size_t N>
  std::string one_of(const std::array<const char*, N>& all) {
    return all[below(N)];
  }
  std::string ordering() {
    return "memory_order_" + one_of(std::array{"relaxed", "acquire", "release", "acq_rel", "seq_cst"});
  }
  std::string load_ordering() { return "memory_order_" + one_of(std::array{"relaxed", "acquire", "seq_cst"}); }

  std::string statement() {
    const std::string place = one_of(std::array{"x", "y"});
    const std::string cell = one_of(std::array{"p", "q"});
    const std::string number = std::to_string(below(2) + 1);
    switch (below(8)) {
      case 0: return "atomic_load_explicit(" + place + ", " + load_ordering() + ");";
      case 1:
        return "atomic_store_explicit(" + place + ", " + number + ", memory_order_" +
               one_of(std::array{"relaxed", "release", "seq_cst"}) + ");";
      case 2: return "atomic_fetch_add_explicit(" + place + ", " + number + ", " + ordering() + ");";
      case 3:
        return "e = 0; atomic_compare_exchange_" + one_of(std::array{"weak", "strong"}) + "_explicit(" + place +
               ", &e, " + number + ", " + ordering() + ", " + load_ordering() + ");";
      case 4: return "atomic_thread_fence(" + ordering() + ");";
      case 5: return "*" + cell + " = " + number + ";";
      default: return "e = *" + cell + ";";
    }
  }

  std::mt19937_64 random_{20};
};

TEST(random, files_have_the_executions_and_races_that_the_oracle_finds) {
  author a;
  unsigned racy = 0;
  std::uint64_t executions = 0;
  for (unsigned i = 0; i != 3000 && !HasFailure(); ++i) {
    const std::string file = a.file();
    const litmus::test t = litmus::parse(file);
    const auto program = straight(t);
    ASSERT_TRUE(program) << file;
    const litmus::verdict got = litmus::explore(t);
    const checker_test::answer expected = checker_test::ask(*program, checker_test::sequences::cxx20);
    EXPECT_EQ(got.executions, expected.complete) << file;
    EXPECT_EQ(!got.race.empty(), expected.racy) << file;
    racy += expected.racy ? 1 : 0;
    executions += expected.complete;
  }
  EXPECT_GT(racy, 200U);
  std::printf("%u race; %llu executions\n", racy, static_cast<unsigned long long>(executions));
}

}  // namespace
}  // namespace licit::litmus_test
