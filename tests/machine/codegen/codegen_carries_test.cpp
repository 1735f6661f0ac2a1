#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "machine/codegen/disassembly.hpp"
#include "machine/codegen/listing.hpp"

namespace {

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
    const std::string which = std::string(name(m.kind)) + " " + std::string(name(m.wanted)) + " " + m.enough.front();
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

}  // namespace
