/// The notation of client programs: what it says, and what is no line.
#include "suites/line.hpp"

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace licit::suites {
namespace {

constexpr std::array words{"push", "pop", "steal"};
constexpr std::array settings{"capacity", "own-maximum"};
constexpr std::array before{"fill"};
constexpr vocabulary known{words, settings, before};

std::string text(const calls& all) {
  std::string out;
  for (const call& c : all) {
    out += c.what == call::kind::tell   ? "tell"
           : c.what == call::kind::told ? "told"
           : c.word < words.size()      ? words[c.word]
                                        : before[c.word - words.size()];
    for (unsigned n = 0; n != c.numbers; ++n) out += "," + std::to_string(c.number[n]);
    out += std::string(c.on_success ? "?" : "") + (c.must ? "! " : " ");
  }
  return out;
}

TEST(Line, HasAPartForEachThread) {
  const line l = parse("push pop | steal | steal steal", known);
  EXPECT_EQ(l.threads, 3U);
  EXPECT_EQ(text(l.thread[0]), "push pop ");
  EXPECT_EQ(text(l.thread[2]), "steal steal ");
  EXPECT_EQ(l.before.size(), 0U);
  EXPECT_EQ(l.count(0), 1U);
  EXPECT_EQ(l.count(2), 3U);
  EXPECT_FALSE(l.tells);
}

TEST(Line, HasSettingsAndCallsBeforeTheColon) {
  const line l = parse("capacity=4 fill(1,3) push leave own-maximum=20: pop", known);
  EXPECT_EQ(l.setting(0, 1), 4U);
  EXPECT_EQ(l.setting(1, 1), 20U);
  EXPECT_EQ(text(l.before), "fill,1,3 push ");
  EXPECT_TRUE(l.leaves);
  EXPECT_EQ(parse("push", known).setting(0, 7), 7U);
}

TEST(Line, RepeatsWordsAndGroups) {
  EXPECT_EQ(text(parse("push*3 (pop push)*2", known).thread[0]), "push push push pop push pop push ");
  EXPECT_EQ(text(parse("(push (pop)*2)*2", known).thread[0]), "push pop pop push pop pop ");
}

TEST(Line, HasNumbersMarksAndPublication) {
  const line l = parse("push tell | told steal(0,2)!", known);
  EXPECT_EQ(text(l.thread[0]), "push tell ");
  EXPECT_EQ(text(l.thread[1]), "told steal,0,2! ");
  EXPECT_TRUE(l.tells);
  EXPECT_EQ(l.thread[1].begin()[1].at(1, 9), 2U);
  EXPECT_EQ(l.thread[1].begin()[1].at(0, 9), 0U);
  EXPECT_EQ(l.thread[0].begin()->at(0, 9), 9U);
}

TEST(Line, HasCallsThatNeedTheOneBefore) {
  const line l = parse("pop push? | steal(1)?! pop", known);
  EXPECT_EQ(text(l.thread[0]), "pop push? ");
  EXPECT_EQ(text(l.thread[1]), "steal,1?! pop ");
}

TEST(Line, TellsNumbers) {
  const line l = parse("push tell(2) | told(2) steal", known);
  EXPECT_EQ(text(l.thread[0]), "push tell,2 ");
  EXPECT_EQ(text(l.thread[1]), "told,2 steal ");
}

TEST(Line, MayBeAConstant) {
  constexpr line l = parse("capacity=2: push | steal", known);
  static_assert(l.threads == 2 && l.setting(0, 1) == 2);
}

struct bad {
  const char* text;
  std::size_t column;
  const char* what;
};

class NoLine : public testing::TestWithParam<bad> {};

TEST_P(NoLine, SaysWhereAndWhy) {
  try {
    (void)parse(GetParam().text, known);
    FAIL() << GetParam().text << " was read";
  } catch (const line_error& e) {
    EXPECT_EQ(e.column(), GetParam().column) << e.what();
    EXPECT_NE(std::string(e.what()).find(GetParam().what), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find(GetParam().text), std::string::npos) << e.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Texts, NoLine,
    testing::Values(bad{"push jump", 6, "no such word"}, bad{"size=3: push", 1, "no such setting"},
                    bad{"fill(0,1)", 1, "no such word"}, bad{"push(", 6, "a number"},
                    bad{"push(1,2,3)", 10, "two numbers"}, bad{"push(256)", 6, "above 255"},
                    bad{"push*0", 7, "0 times"}, bad{"push*25", 8, "more than 24"}, bad{"(push", 6, ") was expected"},
                    bad{"push)", 5, "was expected"}, bad{"push | pop | pop | pop | pop", 25, "more than 4 threads"},
                    bad{"push: pop: pop", 10, "was expected"}, bad{"PUSH", 1, "a word"}, bad{"push?: pop", 5, "a word"},
                    bad{"tell: push", 1, "no such word"}, bad{"push | told", 8, "nobody tells"},
                    bad{"push tell(0) | told", 6, "above 0"}, bad{"capacity=1 capacity=2: push", 12, "a setting twice"},
                    bad{"(((((((((push", 10, "within each other"}, bad{"pull", 1, "there are: push"},
                    bad{"capacity=: push", 10, "a number"}));

}  // namespace
}  // namespace licit::suites
