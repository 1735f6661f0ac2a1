/// Random litmus files, racy ones too, from their text to their count: the oracle's.
#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "checker/litmus/explore.hpp"
#include "checker/litmus/parser.hpp"
#include "oracle.hpp"
#include "straight.hpp"

namespace licit::litmus_test {
namespace {

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
