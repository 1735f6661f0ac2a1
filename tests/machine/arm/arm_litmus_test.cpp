/// Litmus tests, with the verdicts of Arm's model as the literature has them: J. Alglave, L. Maranget, M. Tautschnig,
/// "Herding Cats", TOPLAS 2014 (the tests' names); C. Pulte et al., POPL 2018, and herd's aarch64.cat (the verdicts).
/// Each is explored to its end: what is seen is what is allowed, no more and no less.
#include <cstdio>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "litmus.hpp"

namespace licit::arm_test {
namespace {

using words = std::vector<code>;
using names = std::set<std::string>;

words operator+(words a, const words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// W10 is 1 and W11 is 2 in each thread; W0 takes the first read, W1 the second; W3 is zero and depends on W0.
const words ones_and_twos{mov(10, 1), mov(11, 2)};
const words depends{eor(3, 0, 0)};

/// A way to order two accesses of a thread, and whether it does.
struct way {
  const char* name;
  words accesses;
  bool orders;
  bool acquires = false;  ///< it orders behind the write that its update reads
};

/// From a write of w10 to location a, to a write of w11 or w10 to b.
std::vector<way> writes(unsigned a, unsigned first, unsigned b, unsigned second) {
  return {
      {"po", {str(first, a), str(second, b)}, false},
      {"dmb", {str(first, a), dmb_ish, str(second, b)}, true},
      {"dmb.st", {str(first, a), dmb_ishst, str(second, b)}, true},
      {"dmb.ld", {str(first, a), dmb_ishld, str(second, b)}, false},
      {"isb", {str(first, a), isb, str(second, b)}, false},
      {"stlr", {str(first, a), stlr(second, b)}, true},
      {"stlr first", {stlr(first, a), str(second, b)}, false},
      {"swpl", {str(first, a), swp(second, wzr, b, ordering::release)}, true},
      {"stlxr", {str(first, a), ldxr(5, b), stlxr(6, second, b)}, true},
      {"stxr", {str(first, a), ldxr(5, b), stxr(6, second, b)}, false},
  };
}

/// From a read of location a into w0, to a read of b into w1.
std::vector<way> reads(unsigned a, unsigned b) {
  const auto by_address = ldr_indexed(1, b, 3);
  return {
      {"po", {ldr(0, a), ldr(1, b)}, false},
      {"dmb", {ldr(0, a), dmb_ish, ldr(1, b)}, true},
      {"dmb.ld", {ldr(0, a), dmb_ishld, ldr(1, b)}, true},
      {"dmb.st", {ldr(0, a), dmb_ishst, ldr(1, b)}, false},
      {"ldar", {ldar(0, a), ldr(1, b)}, true},
      {"ldapr", {ldapr(0, a), ldr(1, b)}, true},
      {"ldar second", {ldr(0, a), ldar(1, b)}, false},
      {"ldaxr", {ldaxr(0, a), ldr(1, b)}, true},
      {"addr", words{ldr(0, a)} + depends + words{by_address}, true},
      {"ctrl", {ldr(0, a), cbnz(0, 1), ldr(1, b)}, false},
      {"ctrl+isb", {ldr(0, a), cbnz(0, 1), isb, ldr(1, b)}, true},
      {"flags+isb", {ldr(0, a), cmp(0, 10), b_ne(1), isb, ldr(1, b)}, true},
      {"isb", {ldr(0, a), isb, ldr(1, b)}, false},
      {"addr through the stack", words{ldr(0, a)} + depends + words{str_stack(3, 8), ldr_stack(3, 8), by_address},
       true},
      {"register+isb", words{ldr(0, a), eor(3, 0, 0), isb, ldr(1, b)}, false},
      {"overwritten register", words{ldr(0, a)} + depends + words{mov(3, 0), by_address}, false},
      {"overwritten stack",
       words{ldr(0, a)} + depends + words{mov(4, 0), str_stack(3, 8), str_stack(4, 8), ldr_stack(3, 8), by_address},
       false},
      {"csel", {ldr(0, a), cmp(0, 10), csel_eq(3, wzr, wzr), by_address}, true},
  };
}

/// From a read of location a into w0, to a write of w10 to b.
std::vector<way> read_then_write(unsigned a, unsigned b) {
  const words by_data{add(4, 3, 10), str(4, b)};
  return {
      {"po", {ldr(0, a), str(10, b)}, false},
      {"dmb", {ldr(0, a), dmb_ish, str(10, b)}, true},
      {"dmb.ld", {ldr(0, a), dmb_ishld, str(10, b)}, true},
      {"dmb.st", {ldr(0, a), dmb_ishst, str(10, b)}, false},
      {"ldar", {ldar(0, a), str(10, b)}, true},
      {"ldapr", {ldapr(0, a), str(10, b)}, true},
      {"stlr", {ldr(0, a), stlr(10, b)}, true},
      {"data", words{ldr(0, a)} + depends + by_data, true},
      {"addr", words{ldr(0, a)} + depends + words{str_indexed(10, b, 3)}, true},
      {"ctrl", {ldr(0, a), cbnz(0, 1), str(10, b)}, true},
      {"flags", {ldr(0, a), cmp(0, 10), b_ne(1), str(10, b)}, true},
      {"addr+po", words{ldr(0, a)} + depends + words{ldr_indexed(5, b, 3), str(10, b)}, true},
      {"addr of own+po", words{ldr(0, a)} + depends + words{0xB86368E5 | 31 << 5, str(10, b)},
       true},  // ldr w5, [sp, x3]
      {"data through the stack", words{ldr(0, a)} + depends + words{str_stack(3, 8), ldr_stack(3, 8)} + by_data, true},
      {"swp", words{ldr(0, a)} + depends + words{add(4, 3, 10), swp(4, wzr, b)}, true},
  };
}

/// From a write of `first` to location a, to a read of b into w0.
std::vector<way> write_then_read(unsigned a, unsigned first, unsigned b) {
  return {
      {"po", {str(first, a), ldr(0, b)}, false},
      {"dmb", {str(first, a), dmb_ish, ldr(0, b)}, true},
      {"dmb.st", {str(first, a), dmb_ishst, ldr(0, b)}, false},
      {"dmb.ld", {str(first, a), dmb_ishld, ldr(0, b)}, false},
      {"stlr ldar", {stlr(first, a), ldar(0, b)}, true},
      {"stlr ldapr", {stlr(first, a), ldapr(0, b)}, false},
      {"str ldar", {str(first, a), ldar(0, b)}, false},
      {"stlr ldr", {stlr(first, a), ldr(0, b)}, false},
      {"swp", {swp(first, wzr, a), ldr(0, b)}, false},
      {"swpl", {swp(first, 5, a, ordering::release), ldr(0, b)}, false},
      {"swpa", {swp(first, 5, a, ordering::acquire), ldr(0, b)}, false, true},
      {"swpal", {swp(first, 5, a, ordering::both), ldr(0, b)}, true},
      {"swpal without a result", {swp(first, wzr, a, ordering::both), ldr(0, b)}, false},
      {"ldaxr stlxr", {ldaxr(5, a), stlxr(6, first, a), ldr(0, b)}, false, true},
      {"ldaxr stlxr ldar", {ldaxr(5, a), stlxr(6, first, a), ldar(0, b)}, true},
      {"rfi ldar", {str(first, a), ldar(5, a), ldr(0, b)}, false},
      {"swp, rfi ldar", {swp(first, 5, a), ldar(6, a), ldr(0, b)}, false, true},
  };
}

/// Says at the end how many programs were explored.
class tally : public ::testing::Environment {
 public:
  void TearDown() override { std::printf("%u programs\n", programs); }
  unsigned programs = 0;
};
tally* const explored = [] {
  auto* const made = new tally;  // NOLINT: GoogleTest's
  ::testing::AddGlobalTestEnvironment(made);
  return made;
}();

/// What is seen is `always`, and `weak` unless it is forbidden; and every execution obeys the axioms.
void expect(const std::string& name, const litmus& test, const names& always, const std::string& weak, bool forbidden) {
  const outcomes all = outcomes_of(test);
  ++explored->programs;
  names expected = always;
  if (!forbidden) expected.insert(weak);
  EXPECT_EQ(all.seen, expected) << name;
  EXPECT_TRUE(all.unsound.empty()) << name << ": " << (all.unsound.empty() ? "" : all.unsound[0]);
  EXPECT_TRUE(all.counts.complete) << name;
  EXPECT_EQ(all.counts.too_long, 0U) << name;
}

litmus with_constants(litmus test) {
  for (words& t : test.threads) t = ones_and_twos + t;
  return test;
}

std::string named(const char* test, std::initializer_list<const way*> ways) {
  std::string name = test;
  for (const way* w : ways) name += std::string("+") + w->name;
  return name;
}

TEST(ArmLitmus, StoreBuffering) {
  for (const way& a : write_then_read(x, 10, y)) {
    for (const way& b : write_then_read(y, 10, x)) {
      expect(named("SB", {&a, &b}), with_constants({{a.accesses, b.accesses}, {{0, 0}, {1, 0}}}), {"0 1", "1 0", "1 1"},
             "0 0", a.orders && b.orders);
    }
  }
}

TEST(ArmLitmus, MessagePassing) {
  for (const way& a : writes(x, 10, y, 10)) {
    for (const way& b : reads(y, x)) {
      expect(named("MP", {&a, &b}), with_constants({{a.accesses, b.accesses}, {{1, 0}, {1, 1}}}), {"0 0", "0 1", "1 1"},
             "1 0", a.orders && b.orders);
    }
  }
}

TEST(ArmLitmus, S) {
  for (const way& a : writes(x, 11, y, 10)) {
    for (const way& b : read_then_write(y, x)) {
      expect(named("S", {&a, &b}), with_constants({{a.accesses, b.accesses}, {{1, 0}, {memory_of, x}}}),
             {"0 1", "0 2", "1 1"}, "1 2", a.orders && b.orders);
    }
  }
}

TEST(ArmLitmus, R) {
  for (const way& a : writes(x, 10, y, 10)) {
    for (const way& b : write_then_read(y, 11, x)) {
      expect(named("R", {&a, &b}), with_constants({{a.accesses, b.accesses}, {{memory_of, y}, {1, 0}}}),
             {"1 0", "1 1", "2 1"}, "2 0", a.orders && (b.orders || b.acquires));
    }
  }
}

TEST(ArmLitmus, TwoPlusTwoWrites) {
  for (const way& a : writes(x, 10, y, 11)) {
    for (const way& b : writes(y, 10, x, 11)) {
      expect(named("2+2W", {&a, &b}), with_constants({{a.accesses, b.accesses}, {{memory_of, x}, {memory_of, y}}}),
             {"2 2", "1 2", "2 1"}, "1 1", a.orders && b.orders);
    }
  }
}

TEST(ArmLitmus, LoadBuffering) {
  for (const way& a : read_then_write(x, y)) {
    for (const way& b : read_then_write(y, x)) {
      expect(named("LB", {&a, &b}), with_constants({{a.accesses, b.accesses}, {{0, 0}, {1, 0}}}), {"0 0", "0 1", "1 0"},
             "1 1", a.orders && b.orders);
    }
  }
}

/// Of three threads, of which one alone leaves its accesses unordered.
TEST(ArmLitmus, LoadBufferingOfThree) {
  for (const way& a : read_then_write(x, y)) {
    const words data = words{ldr(0, z)} + depends + words{add(4, 3, 10), str(4, x)};
    const litmus test{{a.accesses, {ldr(0, y), dmb_ish, str(10, z)}, data}, {{0, 0}, {1, 0}, {2, 0}}};
    EXPECT_EQ(outcomes_of(with_constants(test)).seen.contains("1 1 1"), !a.orders) << named("3.LB", {&a});
  }
}

/// A test of herdtools7's catalogue, with the verdict that its kinds.txt has. `lost`: why it is not seen here.
struct published {
  const char* name;
  litmus test;
  const char* outcome;
  bool allowed;
  const char* lost = nullptr;
};

/// All tests of load buffering in catalogue/aarch64/tests (J. Alglave, L. Maranget and others), by our registers.
std::vector<published> load_buffering_of_herd() {
  const words reads_x{ldr(0, x), mov(2, 1), stlr(2, y)};
  const words reads_y{ldr(0, y), mov(2, 1), stlr(2, x)};
  const auto plain = [](const words& between) {
    return litmus{{words{ldr(0, x)} + between + words{mov(2, 1), str(2, y)}, {ldr(0, y), mov(2, 1), str(2, x)}},
                  {{0, 0}, {1, 0}}};
  };
  const auto third = [&](const words& other) { return litmus{{reads_x, other}, {{0, 0}, {1, 3}}}; };
  const auto fifth = [&](const words& other) { return litmus{{reads_y, other}, {{0, 0}, {1, 5}}}; };
  litmus fenced = plain({dmb_sy});
  fenced.threads[1].insert(fenced.threads[1].begin() + 1, dmb_sy);
  const words rs_rs{ldr(3, y), copy(13, 3), cas(3, wzr, z), eor(3, 3, 3), mov(4, 1), str_indexed_signed(4, x, 3)};
  return {
      {"LB", plain({}), "1 1", true},
      {"LB+dmb.sy+po", plain({dmb_sy}), "1 1", true},
      {"LB+dmb.sys", fenced, "1 1", false},
      {"LB+rel+BEQ", third({ldr(3, y), cmp_with(0, 1), copy(1, 1), b_eq(2), copy(1, 3), mov(8, 7), str(8, x)}), "7 1",
       true},
      {"LB+rel+BEQ2", third({ldr(3, y), cmp_with(0, 1), mov(1, 7), b_eq(2), copy(1, 3), mov(8, 7), str(1, x)}), "1 1",
       false},
      {"LB+rel+BEQ3", third({ldr(3, y), cmp_with(0, 0), mov(1, 7), b_eq(2), copy(1, 3), mov(8, 7), str(1, x)}), "7 1",
       true},
      {"LB+BEQ4",
       {{reads_y, {ldr(0, x), cmp_with(0, 0), b_eq(1), mov(4, 1), str(4, y)}}, {{0, 0}, {1, 0}}},
       "1 1",
       false},
      {"LB+rel+CSEL", third({ldr(3, y), cmp_with(0, 0), mov(1, 7), csel_eq(1, 1, 3), str(1, x)}), "7 1", true,
       "a csel depends on both of its operands here"},
      {"LB+rel+CSEL2", third({ldr(3, y), cmp_with(0, 1), csel_eq(1, 1, 3), mov(8, 7), str(8, x)}), "7 1", true},
      {"LB+rel+CSEL3", third({ldr(3, y), cmp_with(0, 0), csel_eq(1, 1, 3), mov(8, 7), str(8, x)}), "7 1", true},
      {"LB+CSEL4",
       {{reads_y, {ldr(0, x), cmp_with(0, 0), csel_eq(0, 0, 0), mov(4, 1), str(4, y)}}, {{0, 0}, {1, 0}}},
       "1 1",
       true},
      {"LB+rel+data-post", {{reads_x, {ldr(1, y), orr_1(2, 1), str_then_add_4(2, x)}}, {{0, 0}, {1, 1}}}, "1 1", false},
      {"LB+rel+CAS", fifth({mov(4, 1), ldr(5, x), and_2(10, 5), cas(10, 4, y)}), "1 1", false},
      {"LB+rel+CAS+BIS", fifth({mov(4, 0), ldr(5, x), orr_1(10, 5), cas(4, 10, y)}), "1 1", false},
      {"LB+rel+LDADD", fifth({ldr(5, x), orr_1(10, 5), ldadd(10, 4, y)}), "1 1", false},
      {"LB+rel+STADD", fifth({ldr(5, x), orr_1(10, 5), ldadd(10, wzr, y)}), "1 1", false},
      {"LB+rel+CAS-ok-RsRs-addr", {{reads_x, rs_rs}, {{0, 0}, {1, 13}}, {z}}, "1 1", true},
      {"LB+rel+CAS-ok-MRs-addr",
       third({mov(3, 1), cas(3, wzr, y), eor(4, 3, 3), mov(5, 1), str_indexed_signed(5, x, 4)}), "1 1", false},
      {"LB+SWP-RsRt-addr+rel",
       {{{ldr(0, x), swp(0, 12, z), eor(13, 12, 12), add_1(2, 13), str(2, y)}, reads_y}, {{0, 0}, {1, 0}}},
       "1 1",
       true},
      {"LB+dmb.sy+data-amo.swp",
       {{{ldr(1, x), eor(2, 1, 1), add_1(4, 2), swp(4, 5, y)}, {ldr(1, y), dmb_sy, mov(2, 1), str(2, x)}},
        {{0, 1}, {1, 1}}},
       "1 1",
       false},
  };
}

TEST(ArmLitmus, LoadBufferingAsHerdHasIt) {
  for (const published& p : load_buffering_of_herd()) {
    const outcomes all = outcomes_of(p.test);
    EXPECT_EQ(all.seen.contains(p.outcome), p.allowed && p.lost == nullptr) << p.name;
    EXPECT_TRUE(all.unsound.empty()) << p.name << ": " << (all.unsound.empty() ? "" : all.unsound[0]);
    EXPECT_TRUE(all.counts.complete) << p.name;
  }
}

/// What is lost: a load of a read-modify-write is not foretold; nor is one foretold past another access of its
/// location.
TEST(ArmLitmus, LoadBufferingThatIsLost) {
  const auto seen = [&](const words& first) {
    return outcomes_of(with_constants({{first, {ldr(0, y), dmb_ish, str(10, x)}}, {{0, 0}, {1, 0}}})).seen;
  };
  EXPECT_FALSE(seen({ldadd(10, 0, x), str(10, y)}).contains("1 1"));
  EXPECT_FALSE(seen({ldr(0, x), ldr(1, x), str(10, y)}).contains("1 1"));
}

TEST(ArmLitmus, WriteToReadCausality) {
  for (const way& a : read_then_write(x, y)) {
    for (const way& b : reads(y, x)) {
      const names always{"0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 1"};
      expect(named("WRC", {&a, &b}), with_constants({{{str(10, x)}, a.accesses, b.accesses}, {{1, 0}, {2, 0}, {2, 1}}}),
             always, "1 1 0", a.orders && b.orders);
    }
  }
}

TEST(ArmLitmus, Isa2) {
  for (const way& a : writes(x, 10, y, 10)) {
    for (const way& b : read_then_write(y, z)) {
      for (const way& c : reads(z, x)) {
        const names always{"0 0 0", "0 0 1", "0 1 0", "0 1 1", "1 0 0", "1 0 1", "1 1 1"};
        expect(named("ISA2", {&a, &b, &c}),
               with_constants({{a.accesses, b.accesses, c.accesses}, {{1, 0}, {2, 0}, {2, 1}}}), always, "1 1 0",
               a.orders && b.orders && c.orders);
      }
    }
  }
}

/// Multi-copy atomicity: two readers that order their reads agree on the order of two writes.
TEST(ArmLitmus, IndependentReads) {
  names always;
  for (const char* a : {"0 0", "0 1", "1 0", "1 1"}) {
    for (const char* b : {"0 0", "0 1", "1 0", "1 1"}) always.insert(std::string(a) + " " + b);
  }
  always.erase("1 0 1 0");
  for (const way& a : reads(x, y)) {
    for (const way& b : reads(y, x)) {
      expect(named("IRIW", {&a, &b}),
             with_constants({{{str(10, x)}, {str(10, y)}, a.accesses, b.accesses}, {{2, 0}, {2, 1}, {3, 0}, {3, 1}}}),
             always, "1 0 1 0", a.orders && b.orders);
    }
  }
}

TEST(ArmLitmus, Coherence) {
  expect("CoRR", with_constants({{{str(10, x)}, {ldr(0, x), ldr(1, x)}}, {{1, 0}, {1, 1}}}), {"0 0", "0 1", "1 1"},
         "1 0", true);
  expect("CoWR", with_constants({{{str(10, x), ldr(0, x)}, {str(11, x)}}, {{0, 0}, {memory_of, x}}}),
         {"1 1", "1 2", "2 2"}, "2 1", true);
  expect("CoRW", with_constants({{{ldr(0, x), str(10, x)}, {str(11, x)}}, {{0, 0}, {memory_of, x}}}),
         {"0 1", "0 2", "2 1"}, "2 2", true);
  expect("CoWW", with_constants({{{str(10, x), str(11, x)}}, {{memory_of, x}}}), {"2"}, "1", true);
}

/// A write is not seen through its own thread's reading it: PPOCA is allowed, PPOAA is not.
TEST(ArmLitmus, ReadingOnesOwnWrite) {
  const words writer{str(10, z), dmb_ish, str(10, y)};
  const words rest{ldr(5, x), eor(6, 5, 5), ldr_indexed(1, z, 6)};
  const names always{"0 0", "0 1", "1 1"};
  const std::vector<observed> registers{{1, 0}, {1, 1}};
  expect("PPOCA", with_constants({{writer, words{ldr(0, y), cbnz(0, 1), str(10, x)} + rest}, registers}), always, "1 0",
         false);
  expect("PPOAA", with_constants({{writer, words{ldr(0, y), eor(3, 0, 0), str_indexed(10, x, 3)} + rest}, registers}),
         always, "1 0", true);
  expect("PPODA",
         with_constants({{writer, words{ldr(0, y), eor(3, 0, 0), add(3, 3, 10), str(3, x)} + rest}, registers}), always,
         "1 0", true);
}

/// The write of a read-modify-write, read by its own thread: ordered behind the read only where that read acquires.
TEST(ArmLitmus, ReadingOnesOwnUpdate) {
  const words writer{str(10, x), dmb_ish, str(10, y)};
  const names always{"0 0", "0 1", "1 1"};
  const std::vector<observed> registers{{1, 0}, {1, 1}};
  const auto reader = [&](code again) { return words{swp(11, 0, y), again, eor(6, 5, 5), ldr_indexed(1, x, 6)}; };
  expect("MP+dmb+swp-rfi-addr", with_constants({{writer, reader(ldr(5, y))}, registers}), always, "1 0", false);
  expect("MP+dmb+swp-rfi-acq", with_constants({{writer, reader(ldar(5, y))}, registers}), always, "1 0", true);
  expect("MP+dmb+swp-rfi-acqpc", with_constants({{writer, reader(ldapr(5, y))}, registers}), always, "1 0", true);
}

/// An update without a result is no read for dmb ishld; nor does it acquire.
TEST(ArmLitmus, UpdatesWithoutAResult) {
  const words writer{str(10, x), dmb_ish, str(10, y)};
  const std::vector<observed> places{{memory_of, y}, {1, 1}};
  const auto reader = [&](unsigned result, ordering o) { return words{ldadd(11, result, y, o), dmb_ishld, ldr(1, x)}; };
  const names always{"1 0", "1 1", "3 1"};
  expect("MP+dmb+ldadd-dmb.ld", with_constants({{writer, reader(5, ordering::plain)}, places}), always, "3 0", true);
  expect("MP+dmb+stadd-dmb.ld", with_constants({{writer, reader(wzr, ordering::plain)}, places}), always, "3 0", false);
  expect("MP+dmb+stadda-dmb.ld", with_constants({{writer, reader(wzr, ordering::acquire)}, places}), always, "3 0",
         false);
}

TEST(ArmLitmus, UpdatesAreAtomic) {
  const words one{ldadd(10, 0, x)};
  expect("two ldadd", with_constants({{one, one}, {{0, 0}, {1, 0}, {memory_of, x}}}), {"0 1 2", "1 0 2"}, "0 0 1",
         true);
  const words exclusive{ldxr(0, x), add(1, 0, 10), stxr(2, 1, x)};
  expect("two pairs", with_constants({{exclusive, exclusive}, {{0, 0}, {1, 0}, {memory_of, x}}}), {"0 1 2", "1 0 2"},
         "0 0 1", true);
  expect("pair and store", with_constants({{exclusive, {mov(5, 7), str(5, x)}}, {{0, 0}, {memory_of, x}}}),
         {"0 7", "7 8"}, "0 1", true);
  const words compare{mov(0, 0), cas(0, 10, x)};
  expect("two cas", with_constants({{compare, compare}, {{0, 0}, {1, 0}, {memory_of, x}}}), {"0 1 1", "1 0 1"}, "0 0 1",
         true);
}

/// A load may be satisfied before the store of the pair in front of it, however ordered; casal prevents it.
TEST(ArmLitmus, CompareAndSwap) {
  const auto thread = [](ordering o, unsigned a, unsigned b) { return words{mov(5, 0), cas(5, 10, a, o), ldr(0, b)}; };
  const names always{"0 1", "1 0", "1 1"};
  const std::vector<observed> registers{{0, 0}, {1, 0}};
  for (const ordering o : {ordering::plain, ordering::acquire, ordering::release, ordering::both}) {
    expect("SB+cas", with_constants({{thread(o, x, y), thread(o, y, x)}, registers}), always, "0 0",
           o == ordering::both);
  }
  // One that fails is a read only, and acquires all the same.
  const auto fails = [](ordering o) { return words{mov(0, 5), cas(0, 10, y, o), ldr(1, x)}; };
  const words writer{str(10, x), dmb_ish, str(10, y)};
  for (const ordering o : {ordering::plain, ordering::acquire, ordering::release, ordering::both}) {
    expect("MP+dmb+cas fails", with_constants({{writer, fails(o)}, {{1, 0}, {1, 1}}}), {"0 0", "0 1", "1 1"}, "1 0",
           o == ordering::acquire || o == ordering::both);
  }
}

/// The kernel's membarrier is a fence in the thread that calls it, and in the others wherever they stand.
TEST(ArmLitmus, Membarrier) {
  const words call{mov(8, 283), 0xD4000001};
  const std::vector<observed> registers{{0, 0}, {1, 0}};
  const words free{str(10, x), ldr(0, y)};
  const auto other = [](const words& between) { return words{str(10, y)} + between + words{ldr(0, x)}; };
  const names always{"0 1", "1 0", "1 1"};
  expect("SB+po+membarrier", with_constants({{free, other(call)}, registers}), always, "0 0", true);
  expect("SB+membarrier+po", with_constants({{other(call), {str(10, x), ldr(0, y)}}, registers}), always, "0 0", true);
  expect("SB+po+dmb", with_constants({{free, other({dmb_ish})}, registers}), always, "0 0", false);
  expect("MP+po+membarrier",
         with_constants({{{str(10, x), str(10, y)}, words{ldr(5, y)} + call + words{ldr(1, x)}}, {{1, 5}, {1, 1}}}),
         {"0 0", "0 1", "1 1"}, "1 0", true);
  // Two that do not call have nothing to do with each other.
  expect("SB+po+po, and a membarrier", with_constants({{free, {str(10, y), ldr(0, x)}, call}, registers}), always,
         "0 0", false);
}

// ---- the tests see what they are there to see ----

bool seen(const litmus& test, const std::string& outcome, arm::faults seeded) {
  return outcomes_of(test, seeded).seen.contains(outcome);
}

/// Values out of thin air: each thread writes what it reads.
TEST(ArmLitmusSeeded, WithoutDependenciesLoadsAreBuffered) {
  const litmus test =
      with_constants({{words{ldr(0, x)} + depends + words{add(4, 3, 10), str(4, y)}, {ldr(0, y), dmb_ish, str(10, x)}},
                      {{0, 0}, {1, 0}}});
  EXPECT_FALSE(seen(test, "1 1", {}));
  EXPECT_TRUE(seen(test, "1 1", {.no_dependencies = true}));
  const litmus from_nowhere = with_constants({{{ldr(0, x), str(0, y)}, {ldr(0, y), str(0, x)}}, {{0, 0}, {1, 0}}});
  EXPECT_EQ(outcomes_of(from_nowhere).seen, (names{"0 0"}));
}

TEST(ArmLitmusSeeded, WithoutDependenciesMessagesAreLost) {
  const words writer{str(10, x), dmb_ish, str(10, y)};
  const words reader = words{ldr(0, y)} + depends + words{ldr_indexed(1, x, 3)};
  const litmus test = with_constants({{writer, reader}, {{1, 0}, {1, 1}}});
  EXPECT_FALSE(seen(test, "1 0", {}));
  EXPECT_TRUE(seen(test, "1 0", {.no_dependencies = true}));
  const outcomes all = outcomes_of(test, {.no_dependencies = true});
  ASSERT_FALSE(all.unsound.empty()) << "the axioms find it";
  EXPECT_NE(all.unsound[0].find("external visibility"), std::string::npos) << all.unsound[0];
}

TEST(ArmLitmusSeeded, ViewsOfEachLocationAreNotMultiCopyAtomic) {
  const words a{ldar(0, x), ldr(1, y)};
  const words b{ldar(0, y), ldr(1, x)};
  const litmus test = with_constants({{{str(10, x)}, {str(10, y)}, a, b}, {{2, 0}, {2, 1}, {3, 0}, {3, 1}}});
  EXPECT_FALSE(seen(test, "1 0 1 0", {}));
  EXPECT_TRUE(seen(test, "1 0 1 0", {.per_location_views = true}));
}

}  // namespace
}  // namespace licit::arm_test
