/// The execution as a harness uses it: synchronisation from outside, a thread's own memory, sizes, and what is refused.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "assembler.hpp"
#include "machine/arm/execution.hpp"

namespace licit::arm_test {
namespace {

constexpr std::uint64_t x = 0x1000, y = 0x1008;

/// Always the oldest; remembers between how many it chose last.
class oldest : public arm::chooser {
 public:
  std::size_t choose(std::size_t n) override { return n - 1; }
  std::size_t pick(std::span<const arm::event_number> writes) override {
    count = writes.size();
    return chooser::pick(writes);
  }
  std::size_t count = 0;
};

class ArmExecution : public ::testing::Test {
 protected:
  ArmExecution() { e.begin(3); }
  ~ArmExecution() override {
    const auto wrong = e.check();
    EXPECT_FALSE(wrong) << *wrong;
  }

  std::uint64_t load(unsigned t, std::uint64_t address, code word = ldr(0, 9)) {
    return e.load(t, 0, arm::decode(word), address, old)[0];
  }
  void store(unsigned t, std::uint64_t address, std::uint64_t value, code word = str(0, 9)) {
    e.store(t, 0, arm::decode(word), address, {value}, newest);
  }
  void step(unsigned t, code word) { e.step(t, 0, arm::decode(word)); }
  /// What the axioms say when that load is made to read something else.
  [[nodiscard]] std::string with_last_read_from(arm::event_number source) const {
    arm::candidate c = e.candidate();
    const auto last = std::find_if(c.events.rbegin(), c.events.rend(),
                                   [](const arm::event& event) { return event.kind == arm::event_kind::read; });
    last->from = source;
    return arm::violated(c).value_or("");
  }

  arm::execution e{[](std::uint64_t address, unsigned /*size*/) { return address == x ? 7U : 0U; }};
  oldest old;
  arm::latest newest;
};

TEST_F(ArmExecution, SaysWhatWasAccessedWhere) {
  EXPECT_TRUE(e.accessed(x, 16).empty());
  (void)load(0, y);
  store(1, x, 9);
  const auto all = e.accessed(x, 16);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].address, x);
  EXPECT_EQ(all[0].size, 4U);
  EXPECT_EQ(all[1].address, y);
  EXPECT_EQ(e.accessed(x + 3, 1).size(), 1U) << "a byte of it";
  EXPECT_TRUE(e.accessed(x + 4, 4).empty()) << "the other half of its word";
}

TEST_F(ArmExecution, TheInitialValueIsTheHarnesss) {
  EXPECT_EQ(e.latest_value(x, 4), 7U);
  EXPECT_EQ(load(0, x), 7U);
  store(1, x, 9);
  EXPECT_EQ(e.latest_value(x, 4), 9U);
  EXPECT_EQ(load(2, x), 7U);
}

TEST_F(ArmExecution, SynchronisationOrders) {
  store(0, x, 1);
  e.synchronise(0, 1);
  e.synchronise(1, 2);  // and passes on what came before
  EXPECT_EQ(load(2, x), 1U);
  EXPECT_EQ(old.count, 1U);
  EXPECT_NE(with_last_read_from(arm::initially), "");
}

TEST_F(ArmExecution, NothingIsOrderedTheOtherWay) {
  store(1, x, 1);
  e.synchronise(0, 1);
  EXPECT_EQ(load(0, x), 7U);
  EXPECT_EQ(load(2, x), 7U);
}

/// Its one side is free: that is what asymmetric fences are for.
TEST_F(ArmExecution, MembarrierIsAFenceInEachThread) {
  store(0, x, 1);
  store(1, y, 1);
  e.membarrier(1);
  EXPECT_EQ(load(1, x), 1U);
  EXPECT_EQ(load(0, y), 1U);
  EXPECT_EQ(load(2, y), 1U) << "what the caller has done is before what all do";
}

TEST_F(ArmExecution, MembarrierDoesNotJoinTheOthers) {
  store(0, x, 1);
  e.membarrier(1);
  EXPECT_EQ(load(2, x), 7U) << "thread 0 and thread 2 have nothing to do with each other";
  EXPECT_EQ(load(1, x), 1U);
}

/// A fence in a thread that is only told so: its earlier store is before its later load.
TEST_F(ArmExecution, MembarrierOrdersTheOthersOwnAccesses) {
  store(0, x, 1);
  e.membarrier(1);
  EXPECT_EQ(load(0, y), 0U);
  store(2, y, 1);
  step(2, dmb_ish);
  EXPECT_EQ(load(2, x), 1U) << "store buffering";
  EXPECT_NE(with_last_read_from(arm::initially), "");
}

TEST_F(ArmExecution, ReleasingIntoOnesOwnMemoryOrdersWithAcquiringLoads) {
  store(0, x, 1);
  e.private_access(0, 0, arm::decode(stlr(0, 9)), 0x9000);
  load(0, y, ldar(0, 9));
  store(1, y, 1);
  step(1, dmb_ish);
  EXPECT_EQ(load(1, x), 1U);
}

TEST_F(ArmExecution, WithoutAReleaseThatIsStoreBuffering) {
  store(0, x, 1);
  e.private_access(0, 0, arm::decode(str(0, 9)), 0x9000);
  load(0, y, ldar(0, 9));
  store(1, y, 1);
  step(1, dmb_ish);
  EXPECT_EQ(load(1, x), 7U);
}

/// The first of two registers that were stored together depends on a load; the second does not.
TEST_F(ArmExecution, APairOnTheStackIsTwoValues) {
  constexpr code stp = 0xA90007E0, ldp = 0xA9400FE2;  // stp x0, x1, [sp]; ldp x2, x3, [sp]
  store(1, x, 1);
  step(1, dmb_ish);
  store(1, y, 1);
  const auto reads = [&](code address_by) {
    e.begin(3);
    store(1, x, 1);
    step(1, dmb_ish);
    store(1, y, 1);
    EXPECT_EQ(e.load(0, 0, arm::decode(ldr(0, 9)), y, newest)[0], 1U);
    e.private_access(0, 0, arm::decode(stp), 0x9000);
    e.private_access(0, 0, arm::decode(ldp), 0x9000);
    return load(0, x, address_by);
  };
  EXPECT_EQ(reads(ldr_indexed(5, 9, 2)), 1U);
  EXPECT_EQ(reads(ldr_indexed(5, 9, 3)), 7U);
}

/// A pair is two accesses, each with its own choice.
TEST_F(ArmExecution, PairsAreTwoAccesses) {
  constexpr code stp = 0x29000520, ldp = 0x29400520;  // of w0, w1, [x9]
  store(0, x, 1);
  e.store(1, 0, arm::decode(stp), x, {2, 3}, newest);
  EXPECT_EQ(e.load(2, 0, arm::decode(ldp), x, newest), (arm::values{2, 3}));
  EXPECT_EQ(e.size(), 5U);
}

TEST_F(ArmExecution, AnUpdateReadsTheLatest) {
  store(0, x, 1);
  e.update(1, 0, arm::decode(ldadd(0, 1, 9)), x, 1, 5);
  EXPECT_EQ(e.latest_value(x, 4), 5U);
  EXPECT_THROW(e.update(1, 0, arm::decode(ldadd(0, 1, 9)), x, 1, 5), arm::refused);
}

TEST_F(ArmExecution, NothingComesBetweenAnUpdatesReadAndItsWrite) {
  store(0, x, 1);
  e.update(1, 0, arm::decode(ldadd(0, 1, 9)), x, 1, 2);
  e.store(2, 0, arm::decode(str(0, 9)), x, {3}, old);
  EXPECT_EQ(old.count, 3U - 1U) << "last, or before both; not between";
  EXPECT_EQ(e.latest_value(x, 4), 2U);
}

TEST_F(ArmExecution, APairOfExclusivesSucceedsOrFails) {
  const arm::instruction take = arm::decode(ldxr(0, 9)), put = arm::decode(stxr(2, 1, 9));
  EXPECT_FALSE(e.may_succeed(0, put, x)) << "no load";
  EXPECT_EQ(e.load(0, 0, take, x, newest)[0], 7U);
  EXPECT_EQ(e.load(1, 0, take, x, newest)[0], 7U);
  EXPECT_FALSE(e.may_succeed(0, put, y));
  EXPECT_TRUE(e.may_succeed(0, put, x));
  e.store_exclusive(0, 0, put, x, 8);
  EXPECT_FALSE(e.may_succeed(1, put, x)) << "the place is taken";
  EXPECT_THROW(e.store_exclusive(1, 0, put, x, 8), arm::refused);
  e.store_exclusive(1, 0, put, x, std::nullopt);
  EXPECT_EQ(e.latest_value(x, 4), 8U);
  EXPECT_FALSE(e.may_succeed(0, put, x)) << "one store a load";
}

TEST_F(ArmExecution, ClrexEndsAPair) {
  e.load(0, 0, arm::decode(ldxr(0, 9)), x, newest);
  step(0, 0xD5033F5F);
  EXPECT_FALSE(e.may_succeed(0, arm::decode(stxr(2, 1, 9)), x));
}

// ---- sizes ----

constexpr code ldr_64 = 0xF9400120, str_64 = 0xF9000120, strb = 0x39000120;

TEST_F(ArmExecution, OnesOwnSizesMayMix) {
  e.store(0, 0, arm::decode(str_64), x, {0x1122334455667788}, newest);
  store(0, x + 4, 0xAABBCCDD);
  EXPECT_EQ(e.latest_value(x, 8), 0xAABBCCDD55667788U);
  for (const unsigned t : {0U, 1U}) {
    EXPECT_EQ(load(t, x), 0x55667788U);
    EXPECT_EQ(old.count, 1U) << "nothing older is to be had";
  }
}

TEST_F(ArmExecution, SmallerOnesAreJoined) {
  store(0, x, 0x55667788);
  store(0, x + 4, 0x11223344);
  e.synchronise(0, 1);
  EXPECT_EQ(e.load(1, 0, arm::decode(ldr_64), x, old)[0], 0x1122334455667788U);
  EXPECT_EQ(old.count, 1U) << "there is nothing older that it may read";
  store(1, x, 0, strb);
  EXPECT_EQ(e.latest_value(x + 4, 4), 0x11223344U) << "larger ones are cut";
  EXPECT_EQ(e.latest_value(x, 4), 0x55667700U);
}

TEST_F(ArmExecution, OthersSizesMayNotMixUnordered) {
  e.store(0, 0, arm::decode(str_64), x, {1}, newest);
  try {
    load(1, x);
    FAIL() << "was not refused";
  } catch (const arm::refused& r) {
    EXPECT_STREQ(r.what(),
                 "an access of 4 bytes at 0x1000 overlaps one of another size, 8 bytes at 0x1000, that is not ordered "
                 "before it");
  }
}

TEST_F(ArmExecution, OrderedSizesMayMixAgain) {
  store(0, x, 1);
  e.synchronise(0, 1);
  e.store(1, 0, arm::decode(str_64), x, {2}, newest);  // joins a store of thread 0, which is before it
  store(1, x, 3);
  EXPECT_EQ(e.latest_value(x, 8), 3U);
  EXPECT_THROW(e.load(0, 0, arm::decode(ldr_64), x, newest), arm::refused) << "thread 1 is not before thread 0";
}

/// A compare-exchange that fails leaves its pair open, on memory that is used again later.
TEST_F(ArmExecution, AnotherSizeEndsAPairOfExclusives) {
  const arm::instruction get = arm::decode(0x885F7C20);  // ldxr w0, [x1]
  const arm::instruction put = arm::decode(0x88027C20);  // stxr w2, w0, [x1]
  e.load(0, 0, get, x, newest);
  EXPECT_TRUE(e.may_succeed(0, put, x));
  store(0, x, 1, strb);
  EXPECT_FALSE(e.may_succeed(0, put, x));
  e.store_exclusive(0, 0, put, x, std::nullopt);
  EXPECT_EQ(e.latest_value(x, 4), 1U);
}

TEST_F(ArmExecution, MisalignedAndLargeAreRefused) {
  EXPECT_THROW(load(0, x + 2), arm::refused);
  EXPECT_THROW(e.load(0, 0, arm::decode(0xC87F8C41), x, newest), arm::refused);  // ldaxp of 16 bytes
  EXPECT_THROW(e.load(0, 0, arm::decode(str(0, 9)), x, newest), arm::refused);
  EXPECT_THROW(e.store(0, 0, arm::decode(ldr(0, 9)), x, {}, newest), arm::refused);
}

TEST_F(ArmExecution, AChoiceThatIsNoneIsRefused) {
  class wrong : public arm::chooser {
    std::size_t choose(std::size_t n) override { return n; }
  } by;
  store(0, x, 1);
  EXPECT_THROW(e.load(1, 0, arm::decode(ldr(0, 9)), x, by), arm::refused);
}

// ---- what an execution says of itself ----

TEST_F(ArmExecution, TheAxiomsSeeAnExecutionThatIsWrong) {
  store(0, x, 1);
  store(0, x, 2);
  load(0, x);
  EXPECT_NE(with_last_read_from(0).find("internal visibility does not hold"), std::string::npos);
  arm::candidate c = e.candidate();
  c.coherence[0] = {1, 0};
  EXPECT_TRUE(arm::violated(c));
}

TEST_F(ArmExecution, TheAxiomsSeeAnUpdateThatIsNotAtomic) {
  e.update(0, 0, arm::decode(ldadd(0, 1, 9)), x, 7, 8);
  store(1, x, 9);
  arm::candidate c = e.candidate();
  c.coherence[0] = {2, 1};
  EXPECT_EQ(arm::violated(c), "atomicity of a read-modify-write does not hold");
}

TEST_F(ArmExecution, EventsAsText) {
  e.store(1, 0x4010, arm::decode(stlr(0, 9)), x, {0xAB}, newest);
  EXPECT_EQ(arm::to_text(e.candidate().events[0]), "thread 1: write release 0xab at 0x1000 of 4, by 0x4010");
}

TEST_F(ArmExecution, ManyEventsAndManyExecutions) {
  for (unsigned round = 0; round != 3; ++round) {
    e.begin(2 + round % 2);
    for (unsigned n = 0; n != 300; ++n) {
      store(n % 2, x, n);
      EXPECT_EQ(e.load(1, 0, arm::decode(ldr(0, 9)), x, newest)[0], n);
      step(1, dmb_ish);
    }
    EXPECT_EQ(load(1, x), 299U);
  }
}

}  // namespace
}  // namespace licit::arm_test
