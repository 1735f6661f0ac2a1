#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "machine/codegen/listing.hpp"
#include "machine/codegen/process.hpp"

namespace {

using namespace licit::codegen;

// As objdump writes it: two sections that both begin at 0, a call of a member and one of the outlined atomics, marks
// that share an address, and a label of the compiler's own.
constexpr std::string_view symbols = R"(
marked.o:     file format elf64-littleaarch64

SYMBOL TABLE:
0000000000000000 l    d  .text	0000000000000000 .text
0000000000000004 l       .text	0000000000000000 licit.begin.4.0
0000000000000008 l       .text	0000000000000000 licit.end.4.1
0000000000000008 l       .text	0000000000000000 licit.begin.10.2
000000000000000c l       .text	0000000000000000 licit.end.10.3
0000000000000004 l       .text.cold	0000000000000000 licit.begin.14.4
0000000000000008 l       .text.cold	0000000000000000 licit.end.14.5
0000000000000000 g     F .text	0000000000000014 licit_pop
0000000000000000  w    F .text.cold	000000000000000c _ZN5licit8pop_lastEv
0000000000000000         *UND*	0000000000000000 __aarch64_cas8_relax

)";
constexpr std::string_view code = R"(
Disassembly of section .text:

0000000000000000 <licit_pop>:
   0:	ldr	x22, [x21]

0000000000000004 <licit.begin.4.0>:
   4:	stlr	x20, [x21]

0000000000000008 <licit.begin.10.2>:
   8:	dmb	ish

000000000000000c <licit.end.10.3>:
   c:	b	0 <_ZN5licit8pop_lastEv>
			c: R_AARCH64_JUMP26	_ZN5licit8pop_lastEv
  10:	ret

Disassembly of section .text.cold:

0000000000000000 <_ZN5licit8pop_lastEv>:
   0:	mov	x0, #0x0

0000000000000004 <licit.begin.14.4>:
   4:	bl	0 <__aarch64_cas8_relax>
			4: R_AARCH64_CALL26	__aarch64_cas8_relax

0000000000000008 <licit.end.14.5>:
   8:	ret
)";

std::vector<function> functions() { return read_disassembly(std::string(symbols) + std::string(code)); }

const structure& chase_lev = find_structure("chase-lev");

std::string complaint(auto what) {
  try {
    what();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return "no complaint";
}

TEST(Disassembly, FunctionsAreThoseOfTheSymbolTable) {
  const auto found = functions();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name, "licit_pop");
  EXPECT_EQ(found[0].lines.size(), 5U);
  EXPECT_EQ(found[0].lines[3].symbol, "_ZN5licit8pop_lastEv");
  EXPECT_EQ(found[1].lines.size(), 3U);
  EXPECT_THROW(read_disassembly("nothing"), std::runtime_error);
}

TEST(Listing, AnInstructionBelongsToTheSiteWhoseMarksItStandsBetween) {
  const auto places = attribute(chase_lev, family::arm, functions());
  EXPECT_EQ(places[4], (std::vector<sequence>{{"stlr"}}));
  EXPECT_EQ(places[10], (std::vector<sequence>{{"dmb ish"}}));
  EXPECT_EQ(places[14], (std::vector<sequence>{{"bl __aarch64_cas8_relax"}}));
}

TEST(Listing, PlacesThatAreTheSameAreOne) {
  auto twice = functions();
  twice.push_back(twice[1]);
  EXPECT_EQ(attribute(chase_lev, family::arm, twice)[14].size(), 1U);
}

TEST(Listing, AnOperationHasWhatItCalls) {
  const auto found = count(family::arm, functions());
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.at("pop"), (counts{{"stlr", 1}, {"dmb ish", 1}, {"bl __aarch64_cas8_relax", 1}}));
}

TEST(Listing, ABarrierOutsideEverySiteIsRefused) {
  auto stray = functions();
  stray[0].lines[0].text = "dmb\tish";
  EXPECT_EQ(complaint([&] { attribute(chase_lev, family::arm, stray); }), "licit_pop: `dmb\tish` belongs to no site");
}

TEST(Listing, MarksThatMovedAreRefused) {
  auto open = functions();
  open[0].lines[3].marks.clear();
  EXPECT_EQ(complaint([&] { attribute(chase_lev, family::arm, open); }),
            "licit_pop: pop.reserve begins and does not end");
  auto crossed = functions();
  crossed[0].lines[2].marks = {{true, 10}};
  EXPECT_EQ(complaint([&] { attribute(chase_lev, family::arm, crossed); }),
            "licit_pop: pop.reserve begins out of turn: the compiler moved a mark");
}

TEST(Listing, AnEndMayStandTwiceButNothingThatOrdersBeforeIt) {
  auto apart = functions();
  apart[0].lines.push_back({.text = "clrex", .symbol = {}, .marks = {}});
  apart[0].lines.push_back({.text = "mov\tw0, wzr", .symbol = {}, .marks = {{false, 10}}});
  EXPECT_EQ(attribute(chase_lev, family::arm, apart), attribute(chase_lev, family::arm, functions()));
  apart[0].lines.insert(apart[0].lines.end() - 1, {.text = "dmb\tish", .symbol = {}, .marks = {}});
  EXPECT_EQ(complaint([&] { attribute(chase_lev, family::arm, apart); }), "licit_pop: `dmb\tish` belongs to no site");
}

TEST(Listing, MarksThatChangeTheInstructionsAreRefused) {
  const auto plain = count(family::arm, functions());
  auto other = functions();
  other[0].lines[2].text = "dmb\tishld";
  EXPECT_EQ(complaint([&] { compare_marked(plain, plain); }), "no complaint");
  EXPECT_EQ(complaint([&] { compare_marked(plain, count(family::arm, other)); }),
            "pop has other ordering instructions with marks (1 bl __aarch64_cas8_relax, 1 dmb ishld, 1 stlr) than "
            "without (1 bl __aarch64_cas8_relax, 1 dmb ish, 1 stlr)");
}

using licit::operation;
using licit::order;
using licit::codegen::carries;
using licit::codegen::family;
using licit::codegen::ordering;
using instructions = std::vector<std::string>;

struct mapping {
  family of;
  operation kind;
  order wanted;
  instructions enough;
  instructions too_weak;
};

// Each order as the architectures' manuals map it, beside the nearest sequence that does not have it.
const std::array mappings{
    mapping{family::x86, operation::fence, order::seq_cst, {"mfence"}, {}},
    mapping{family::x86, operation::fence, order::seq_cst, {"lock or"}, {"lfence"}},
    mapping{family::x86, operation::store, order::seq_cst, {"xchg"}, {}},
    mapping{family::arm, operation::store, order::release, {"stlr"}, {}},
    mapping{family::arm, operation::store, order::release, {"dmb ish"}, {"dmb ishld"}},
    mapping{family::arm, operation::load, order::acquire, {"ldapr"}, {}},
    mapping{family::arm, operation::load, order::acquire, {"dmb ishld"}, {"dmb ishst"}},
    mapping{family::arm, operation::fence, order::seq_cst, {"dmb ish"}, {"dmb ishld"}},
    mapping{family::arm, operation::compare_exchange, order::release, {"ldxr", "stlxr"}, {"ldaxr", "stxr"}},
    mapping{family::arm, operation::compare_exchange, order::acq_rel, {"casal"}, {"casl"}},
    mapping{family::arm, operation::update, order::release, {"ldaddl"}, {"ldadd"}},
    mapping{family::arm, operation::update, order::acquire, {"ldadda"}, {"ldaddl"}},
    mapping{family::x86, operation::heavy_fence, order::seq_cst, {"membarrier()"}, {"lock or"}},
    mapping{family::arm, operation::compare_exchange, order::acq_rel, {"ldaxr", "stlxr"}, {"ldaxr", "stxr"}},
    mapping{family::arm,
            operation::compare_exchange,
            order::release,
            {"bl __aarch64_cas8_rel"},
            {"bl __aarch64_cas8_relax"}},
    mapping{family::riscv, operation::store, order::release, {"fence rw,w"}, {"fence w,w"}},
    mapping{family::riscv, operation::load, order::acquire, {"fence r,rw"}, {"fence r,r"}},
    mapping{family::riscv, operation::fence, order::seq_cst, {"fence iorw,iorw"}, {"fence rw,w"}},
    mapping{family::riscv, operation::compare_exchange, order::release, {"lr.d", "sc.d.rl"}, {"lr.d", "sc.d"}},
    mapping{family::riscv, operation::compare_exchange, order::acquire, {"lr.d.aq", "sc.d"}, {"lr.d", "sc.d.rl"}},
    mapping{family::power, operation::store, order::release, {"lwsync"}, {"isync"}},
    mapping{family::power, operation::load, order::acquire, {"isync"}, {}},
    mapping{family::power, operation::fence, order::seq_cst, {"sync"}, {"lwsync"}},
};

TEST(Carries, EachOrderAndNotTheNextWeakerSequence) {
  for (const mapping& m : mappings) {
    const std::string which = std::string(licit::detail::name(m.kind)) + " " +
                              std::string(licit::detail::name(m.wanted)) + " " + m.enough.front();
    EXPECT_TRUE(carries(m.of, m.kind, m.wanted, m.enough)) << which;
    EXPECT_FALSE(carries(m.of, m.kind, m.wanted, m.too_weak)) << which;
    EXPECT_TRUE(carries(m.of, m.kind, order::relaxed, {})) << which;
  }
}

TEST(Carries, X86OrdersAllButStoreThenLoadByItself) {
  EXPECT_TRUE(carries(family::x86, operation::store, order::release, {}));
  EXPECT_TRUE(carries(family::x86, operation::load, order::seq_cst, {}));
}

TEST(Ordering, NamesWhatOrdersAndNothingElse) {
  struct sample {
    family of;
    const char* text;
    const char* callee;
    const char* name;
  };
  for (const sample& s : std::initializer_list<sample>{
           {family::x86, "lock orl $0x0,-0x40(%rsp)", "", "lock or"},
           {family::x86, "lock cmpxchg %rcx,(%rdi)", "", "lock cmpxchg"},
           {family::x86, "xchg   %rax,0x80(%rdi)", "", "xchg"},
           {family::x86, "xchg   %ax,%ax", "", ""},
           {family::x86, "mov    %rax,0x80(%rdi)", "", ""},
           {family::arm, "dmb\tish", "", "dmb ish"},
           {family::arm, "ldapr\tx8, [x9]", "", "ldapr"},
           {family::arm, "ldp\tx8, x9, [x0]", "", ""},
           {family::arm, "stlxr\tw11, x10, [x0]", "", "stlxr"},
           {family::arm, "bl\t0 <__aarch64_cas8_rel>", "__aarch64_cas8_rel", "bl __aarch64_cas8_rel"},
           {family::arm, "bl\t0 <memcpy>", "memcpy", ""},
           {family::riscv, "fence", "", "fence iorw,iorw"},
           {family::riscv, "fence\trw,w", "", "fence rw,w"},
           {family::riscv, "sc.d.rl\ta1,a3,(a5)", "", "sc.d.rl"},
           {family::riscv, "sd\ta3,144(a5)", "", ""},
           {family::power, "hwsync", "", "sync"},
           {family::power, "stdcx.  r9,0,r3", "", "stdcx."},
           {family::power, "std     r9,0(r3)", "", ""},
       }) {
    EXPECT_EQ(ordering(s.of, s.text, s.callee), s.name) << s.text;
  }
}

using namespace licit::codegen;
using lines = std::vector<std::string>;

listing made(const char* called) {
  listing l{"chase-lev",
            "x86-64",
            {},
            {},
            {{"push", {}}, {"pop", {{"lock or", 1}}}},
            {{"push", {}}, {"pop", {{"lock or", 2}}}}};
  l.by.called = called;
  l.sites = {{"push.publish", "store release", {{}}, true},
             {"pop.fence", "fence seq_cst", {{"lock or"}}, true},
             {"steal.fence", "fence removed", {{}, {"lock or", "mfence"}}, false}};
  return l;
}

TEST(Table, ASectionReadsAsWhatWasWritten) {
  const std::vector<listing> both{made("g++ 12"), made("clang 19")};
  const std::vector<table> tables = read_section(as_section(both));
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0], table_of_sites(both));
  EXPECT_EQ(tables[1], table_of_operations(both));
}

TEST(Table, APageHasASectionForEachStructure) {
  listing first = made("g++ 12");
  first.structure = "first";
  listing second = made("clang 19");
  second.structure = "second";
  const std::string page = with_section(with_section({}, {first}), {second});
  EXPECT_TRUE(page.starts_with("# Expected instructions\n"));
  EXPECT_EQ(section_of(page, "first"), as_section({first}));
  EXPECT_EQ(section_of(page, "second"), as_section({second}));
  EXPECT_EQ(with_section(page, {first}), page);
  EXPECT_THROW(section_of(page, "third"), std::runtime_error);
  listing other = made("g++ 13");
  other.structure = "first";
  const std::string changed = with_section(page, {other});
  EXPECT_EQ(section_of(changed, "first"), as_section({other}));
  EXPECT_EQ(section_of(changed, "second"), as_section({second}));
}

TEST(Table, CellsSayWhatCarriesTheOrder) {
  const table t = table_of_sites({made("g++ 12")});
  EXPECT_EQ(t[1], (lines{"push.publish", "store release", "plain"}));
  EXPECT_EQ(t[2], (lines{"pop.fence", "fence seq_cst", "`lock or`"}));
  EXPECT_EQ(t[3], (lines{"steal.fence", "fence removed", "none or `lock or` `mfence`"}));
  EXPECT_EQ(table_of_operations({made("g++ 12")})[1], (lines{"pop", "1 `lock or` (2 where marked)"}));
}

TEST(Table, DifferencesNameSiteAndInstruction) {
  const std::vector<table> expected = read_section(as_section({made("g++ 12"), made("clang 19")}));
  const auto compare = [&](const listing& l) {
    return differences(expected, {table_of_sites({l}), table_of_operations({l})});
  };
  EXPECT_EQ(compare(made("clang 19")), lines{});
  listing stronger = made("clang 19");
  stronger.sites[0].places = {{"xchg"}};
  EXPECT_EQ(compare(stronger), lines{"push.publish: expected plain, found `xchg`"});
  listing weaker = made("clang 19");
  weaker.sites[1].places = {{}};
  weaker.operations["pop"].clear();
  EXPECT_EQ(compare(weaker), (lines{"pop.fence: expected `lock or`, found none",
                                    "pop: expected 1 `lock or` (2 where "
                                    "marked), found none"}));
  listing fewer = made("clang 19");
  fewer.sites.erase(fewer.sites.begin());
  EXPECT_EQ(compare(fewer), lines{"push.publish: expected, not found"});
}

TEST(Table, AnotherVersionOfTheCompilerIsMissingNotWrong) {
  const std::vector<table> expected = read_section(as_section({made("g++ 12")}));
  const std::vector<listing> other{made("g++ 13")};
  EXPECT_THROW(differences(expected, {table_of_sites(other), table_of_operations(other)}), missing);
}

TEST(Table, ShortcomingsNameWhatIsNotEnough) {
  EXPECT_EQ(shortcomings(made("g++ 12")), lines{"steal.fence: none or `lock or` `mfence` is not fence removed"});
}

TEST(Table, AMalformedSectionNamesTheLine) {
  EXPECT_THROW(read_section("| a | b |\n|---|---|\n| 1 |\n"), std::runtime_error);
  EXPECT_THROW(read_section("# x\n\n| a |\n| 1\n"), std::runtime_error);
}

TEST(Change, IsRefusedWhereTheOperationCannotHaveIt) {
  EXPECT_EQ(parse_change("push.publish=release-fence", chase_lev).how, "release_fence");
  EXPECT_EQ(described(chase_lev, parse_change("pop.claim=acq_rel", chase_lev).row,
                      {parse_change("pop.claim=acq_rel", chase_lev)}),
            "compare_exchange acq_rel/relaxed");
  for (const char* wrong : {"", "push.publish", "push.publish=", "push.nowhere=relaxed", "push.publish=acquire",
                            "steal.item=removed", "steal.item=release-fence", "steal.item=std-fence"}) {
    EXPECT_THROW(parse_change(wrong, chase_lev), std::invalid_argument) << wrong;
  }
}

}  // namespace
