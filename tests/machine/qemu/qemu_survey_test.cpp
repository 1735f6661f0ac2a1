// Where threads meet, and where a thread is alone.
#include <gtest/gtest.h>

#include "machine/qemu/strategy.hpp"

namespace licit::qemu {
namespace {

struct a_survey : testing::Test {
  a_survey() { learnt.begin(0x1000, 0x1100); }
  survey learnt;
};

TEST_F(a_survey, one_that_is_alone_meets_nobody) {
  learnt.saw(0, 0x1010, 8, true);
  learnt.saw(0, 0x1010, 8, false);
  EXPECT_FALSE(learnt.meet(0x1010, 8));
}

TEST_F(a_survey, a_write_and_another_thread_meet) {
  learnt.saw(0, 0x1010, 8, true);
  learnt.saw(1, 0x1010, 8, false);
  EXPECT_TRUE(learnt.meet(0x1010, 8));
}

TEST_F(a_survey, who_only_reads_meets_nobody) {
  learnt.saw(0, 0x1010, 8, false);
  learnt.saw(1, 0x1010, 8, false);
  EXPECT_FALSE(learnt.meet(0x1010, 8));
}

TEST_F(a_survey, where_nobody_was_threads_may_meet) {
  EXPECT_TRUE(learnt.meet(0x1020, 8));
  learnt.saw(0, 0x1020, 8, true);
  EXPECT_FALSE(learnt.meet(0x1020, 8));
  EXPECT_TRUE(learnt.meet(0x1020, 16)) << "its second half is new";
}

TEST_F(a_survey, parts_of_a_place_are_the_place) {
  learnt.saw(0, 0x1032, 1, true);
  learnt.saw(1, 0x1034, 4, false);
  EXPECT_TRUE(learnt.meet(0x1030, 4)) << "too often is no harm";
  learnt.saw(0, 0x1038, 8, true);
  learnt.saw(2, 0x103c, 8, true);
  EXPECT_FALSE(learnt.meet(0x1040, 8));
  EXPECT_TRUE(learnt.meet(0x1038, 8));
}

TEST_F(a_survey, another_region_is_new) {
  learnt.saw(0, 0x1010, 8, true);
  learnt.begin(0x1000, 0x1100);
  EXPECT_TRUE(learnt.meet(0x1010, 8));
}

}  // namespace
}  // namespace licit::qemu
