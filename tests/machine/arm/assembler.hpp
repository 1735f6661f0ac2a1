/// A64 instruction words, for tests: the few that litmus tests need. arm_decode_test.cpp has words of binutils' own.
#ifndef LICIT_TESTS_ARM_ASSEMBLER_HPP
#define LICIT_TESTS_ARM_ASSEMBLER_HPP

#include <cstdint>

namespace licit::arm_test {

using code = std::uint32_t;

constexpr unsigned wzr = 31;

constexpr code two(code base, unsigned t, unsigned n) { return base | n << 5 | t; }

// Of 32 bits: wt, [xn].
constexpr code ldr(unsigned t, unsigned n) { return two(0xB9400000, t, n); }
constexpr code str(unsigned t, unsigned n) { return two(0xB9000000, t, n); }
constexpr code ldar(unsigned t, unsigned n) { return two(0x88DFFC00, t, n); }
constexpr code ldapr(unsigned t, unsigned n) { return two(0xB8BFC000, t, n); }
constexpr code stlr(unsigned t, unsigned n) { return two(0x889FFC00, t, n); }
constexpr code ldxr(unsigned t, unsigned n) { return two(0x885F7C00, t, n); }
constexpr code ldaxr(unsigned t, unsigned n) { return two(0x885FFC00, t, n); }
constexpr code stxr(unsigned s, unsigned t, unsigned n) { return two(0x88007C00, t, n) | s << 16; }
constexpr code stlxr(unsigned s, unsigned t, unsigned n) { return two(0x8800FC00, t, n) | s << 16; }
/// wt, [xn, xm]
constexpr code ldr_indexed(unsigned t, unsigned n, unsigned m) { return two(0xB8606800, t, n) | m << 16; }
constexpr code str_indexed(unsigned t, unsigned n, unsigned m) { return two(0xB8206800, t, n) | m << 16; }
/// wt, [xn, wm, sxtw]
constexpr code str_indexed_signed(unsigned t, unsigned n, unsigned m) { return two(0xB820C800, t, n) | m << 16; }
/// wt, [xn], #4
constexpr code str_then_add_4(unsigned t, unsigned n) { return two(0xB8004400, t, n); }
// xt, [sp, #offset], a multiple of 8
constexpr code ldr_stack(unsigned t, unsigned offset) { return two(0xF9400000, t, 31) | offset / 8 << 10; }
constexpr code str_stack(unsigned t, unsigned offset) { return two(0xF9000000, t, 31) | offset / 8 << 10; }

// Large system extensions, of 32 bits.
enum class ordering : std::uint32_t { plain = 0, acquire = 2, release = 1, both = 3 };
constexpr code swp(unsigned s, unsigned t, unsigned n, ordering o = ordering::plain) {
  return two(0xB8208000, t, n) | s << 16 | static_cast<std::uint32_t>(o) << 22;
}
constexpr code ldadd(unsigned s, unsigned t, unsigned n, ordering o = ordering::plain) {
  return two(0xB8200000, t, n) | s << 16 | static_cast<std::uint32_t>(o) << 22;
}
/// cas ws, wt, [xn]
constexpr code cas(unsigned s, unsigned t, unsigned n, ordering o = ordering::plain) {
  const auto bits = static_cast<std::uint32_t>(o);
  return two(0x88A07C00, t, n) | s << 16 | (bits >> 1) << 22 | (bits & 1) << 15;
}

constexpr code mov(unsigned d, unsigned value) { return 0x52800000 | value << 5 | d; }             // movz
constexpr code copy(unsigned d, unsigned m) { return 0x2A0003E0 | m << 16 | d; }                   // mov wd, wm
constexpr code add_1(unsigned d, unsigned n) { return 0x11000400 | n << 5 | d; }                   // add wd, wn, #1
constexpr code orr_1(unsigned d, unsigned n) { return 0x32000000 | n << 5 | d; }                   // orr wd, wn, #1
constexpr code and_2(unsigned d, unsigned n) { return 0x121F0000 | n << 5 | d; }                   // and wd, wn, #2
constexpr code cmp_with(unsigned n, unsigned value) { return 0x7100001F | value << 10 | n << 5; }  // cmp wn, #
constexpr code b_eq(int words) { return 0x54000000 | (static_cast<code>(words) & 0x7FFFF) << 5; }
constexpr code add(unsigned d, unsigned n, unsigned m) { return 0x0B000000 | m << 16 | n << 5 | d; }
constexpr code eor(unsigned d, unsigned n, unsigned m) { return 0x4A000000 | m << 16 | n << 5 | d; }
constexpr code cbnz(unsigned t, int words) { return 0x35000000 | (static_cast<code>(words) & 0x7FFFF) << 5 | t; }
constexpr code cmp(unsigned n, unsigned m) { return 0x6B00001F | m << 16 | n << 5; }
constexpr code b_ne(int words) { return 0x54000001 | (static_cast<code>(words) & 0x7FFFF) << 5; }
/// wd = equal ? wn : wm
constexpr code csel_eq(unsigned d, unsigned n, unsigned m) { return 0x1A800000 | m << 16 | n << 5 | d; }

constexpr code nop = 0xD503201F;
constexpr code ret = 0xD65F03C0;
constexpr code isb = 0xD5033FDF;
constexpr code dmb_ish = 0xD5033BBF;
constexpr code dmb_sy = 0xD5033FBF;
constexpr code dmb_ishld = 0xD50339BF;
constexpr code dmb_ishst = 0xD5033ABF;

}  // namespace licit::arm_test

#endif
