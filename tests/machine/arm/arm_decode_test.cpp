/// The decoder against binutils: of each instruction of a real library, the registers that its text names and those
/// that the decoder says are the same. And words one by one, for what a text does not say.
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "machine/arm/instruction.hpp"
#include "machine/arm/machine.hpp"

namespace licit::arm_test {
namespace {

using arm::registers;

constexpr registers general = 0xFFFFFFFF;  // and the stack pointer

/// The register that a word of a text names: x3, w3, sp, v3.4s, q3, d3; none for others and for zero.
registers named(const std::string& word) {
  if (word == "sp" || word == "wsp") return registers{1} << arm::stack_pointer;
  if (word.size() < 2 || std::isdigit(static_cast<unsigned char>(word[1])) == 0) return 0;
  std::size_t end = 1;
  while (end != word.size() && std::isdigit(static_cast<unsigned char>(word[end])) != 0) ++end;
  if (end > 3 || (word[1] == '0' && end != 2)) return 0;  // the digits of an address
  if (end != word.size() && word[end] != '.') return 0;
  const unsigned n = static_cast<unsigned>(std::stoul(word.substr(1, end - 1)));
  if (n > 31) return 0;
  if (word[0] == 'x' || word[0] == 'w') return registers{1} << n;
  return std::string("vqdshb").find(word[0]) == std::string::npos ? 0 : registers{1} << (arm::first_vector + n);
}

struct text {
  std::uint32_t word = 0;
  std::string mnemonic, operands;

  /// Those named up to a place, in their order; a range of vectors names all in it.
  [[nodiscard]] std::vector<registers> all(std::size_t from, std::size_t to) const {
    std::vector<registers> found;
    std::string part;
    bool range = false;
    for (std::size_t k = from; k <= to; ++k) {
      const char c = k == to ? ' ' : operands[k];
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.') {
        part += c;
        continue;
      }
      if (const registers r = named(part); r != 0) {
        if (range) {
          for (registers next = found.back(); next != r;) {
            next = next == registers{1} << 63 ? registers{1} << 32 : next << 1;
            found.push_back(next);
          }
        } else {
          found.push_back(r);
        }
      }
      range = c == '-' && !part.empty();
      part.clear();
    }
    return found;
  }
  [[nodiscard]] std::size_t bracket() const {
    const std::size_t place = operands.find('[');
    return place == std::string::npos ? operands.size() : place;
  }
};

registers joined(const std::vector<registers>& all) {
  registers set = 0;
  for (const registers r : all) set |= r;
  return set;
}

/// Each word of the code once.
std::vector<text> disassembled(const std::string& file) {
  FILE* pipe = ::popen(("aarch64-linux-gnu-objdump -d " + file).c_str(), "r");
  std::set<std::uint32_t> seen;
  std::vector<text> all;
  std::array<char, 1024> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    std::istringstream in(line.data());
    std::string place, word;
    text t;
    if (!(in >> place >> word >> t.mnemonic) || place.back() != ':' || word.size() != 8) continue;
    t.word = static_cast<std::uint32_t>(std::stoul(word, nullptr, 16));
    std::getline(in, t.operands);
    for (const char* end : {"//", "<"}) t.operands = t.operands.substr(0, t.operands.find(end));
    if (seen.insert(t.word).second) all.push_back(t);
  }
  ::pclose(pipe);
  return all;
}

bool starts(const std::string& text, std::initializer_list<const char*> beginnings) {
  for (const char* b : beginnings) {
    if (text.starts_with(b)) return true;
  }
  return false;
}

/// Registers that no text names.
registers implied(const text& t) {
  if (t.mnemonic == "bl" || t.mnemonic == "blr" || (t.mnemonic == "ret" && joined(t.all(0, t.operands.size())) == 0)) {
    return registers{1} << 30;
  }
  if (t.mnemonic == "svc") return 0x1FF;
  return 0;
}

/// What is wrong, or nothing.
std::string wrong_registers(const text& t, const arm::instruction& i) {
  const registers all = joined(t.all(0, t.operands.size())) | implied(t);
  const registers decoded = i.reads | i.writes | i.loaded;
  if ((all & ~decoded) != 0) return "misses a register";
  if (((decoded & ~all) & general) != 0) return "has a register too many";
  if (i.accesses_memory() && (decoded & ~all) != 0) return "has a vector register too many";
  return {};
}

std::string wrong_directions(const text& t, const arm::instruction& i) {
  const std::vector<registers> order = t.all(0, t.operands.size());
  if (i.accesses_memory()) {
    const registers address = joined(t.all(t.bracket(), t.operands.size()));
    const registers before = joined(t.all(0, t.bracket()));
    if (t.bracket() == t.operands.size()) return i.address == 0 ? "" : "an address of a literal";
    if (i.addressing != arm::addressing::post_index && i.address != address) return "another address";
    if ((i.address & ~address) != 0) return "an address too large";
    const bool moves_on = t.operands.find('!') != std::string::npos || t.operands.find("], ") != std::string::npos;
    if (moves_on != (i.addressing == arm::addressing::pre_index || i.addressing == arm::addressing::post_index)) {
      return "another addressing";
    }
    if (i.kind == arm::kind::load && i.loaded != before) return "another register is loaded";
    if (i.kind == arm::kind::store && i.data != before) return "another register is stored";
    return {};
  }
  if (i.kind != arm::kind::other || order.empty()) return {};
  if (starts(t.mnemonic, {"cmp", "cmn", "tst", "ccm", "fcmp", "fccmp", "prfm", "rmif", "setf"})) {
    return i.writes == 0 ? "" : "writes a register";
  }
  const bool to_zero = t.operands.find("zr,") != std::string::npos && t.operands.find("zr,") < 5;
  if (!to_zero && i.writes != order[0]) return "writes another register";
  registers sources = 0;
  for (std::size_t k = to_zero ? 0 : 1; k != order.size(); ++k) sources |= order[k];
  if ((sources & ~i.reads) != 0) return "does not read a register";
  const bool keeps = starts(t.mnemonic, {"movk", "bf"});  // bfi, bfxil, bfc, bfm
  if (((i.reads & ~sources) & general) != (keeps ? order[0] & ~sources : 0)) return "reads a register too many";
  return {};
}

std::string wrong_flags(const text& t, const arm::instruction& i) {
  const bool sets = starts(t.mnemonic, {"cmp", "cmn", "tst", "ccm", "adds", "subs", "ands", "bics", "adcs", "sbcs",
                                        "ngcs", "negs", "fcmp", "fccmp", "setf", "rmif"}) ||
                    (t.mnemonic == "msr" && t.operands.find("nzcv") != std::string::npos);
  if (i.writes_flags != (sets && !starts(t.mnemonic, {"cmeq", "cmge"}))) return "flags written";
  const bool uses = starts(t.mnemonic, {"b.", "cs", "cinc", "cinv", "cneg", "ccm", "fcsel", "fccmp", "adc", "sbc",
                                        "ngc", "setf", "rmif"}) ||
                    (t.mnemonic == "mrs" && t.operands.find("nzcv") != std::string::npos);
  if (i.reads_flags != (uses && t.mnemonic != "csdb")) return "flags read";
  return {};
}

TEST(ArmDecode, EachInstructionOfALibrary) {
  const std::string library = "/usr/aarch64-linux-gnu/lib/libc.so.6";
  if (!std::filesystem::exists(library)) GTEST_SKIP() << "no " << library;
  std::map<std::string, std::string> wrong;
  std::size_t words = 0, unknown = 0;
  for (const text& t : disassembled(library)) {
    if (starts(t.mnemonic, {"udf", ".inst", ".word", "prfm"})) continue;
    ++words;
    const arm::instruction i = arm::decode(t.word);
    if (i.kind == arm::kind::unknown) {
      ++unknown;
      continue;
    }
    for (const std::string& what : {wrong_registers(t, i), wrong_directions(t, i), wrong_flags(t, i)}) {
      if (!what.empty()) wrong.emplace(what + " " + t.mnemonic, t.operands);
    }
  }
  for (const auto& [what, operands] : wrong) ADD_FAILURE() << what << operands;
  std::printf("%zu different words, %zu not understood\n", words, unknown);
  EXPECT_GT(words, 10'000U) << "objdump gave few";
  EXPECT_LT(unknown * 500, words) << "scalable vectors and memory tags only";
}

// ---- word by word ----

std::string name(arm::kind k) {
  constexpr std::array names{"other",  "load",    "store",   "load-exclusive", "store-exclusive",
                             "update", "compare", "barrier", "clear",          "branch",
                             "if",     "goto",    "system",  "unknown"};
  return names.at(static_cast<std::size_t>(k));
}

std::string name(unsigned reg) {
  if (reg == arm::no_register) return "-";
  if (reg == arm::stack_pointer) return "sp";
  return (reg < arm::first_vector ? "x" : "v") + std::to_string(reg % 32);
}

/// Kind; ordering; size and elements; targets; how the address comes about.
std::string described(std::uint32_t word) {
  constexpr std::array barriers{"", " dmb", " dmb.ld", " dmb.st", " dsb", " dsb.ld", " dsb.st", " isb"};
  constexpr std::array operations{" swap", " add", " clear", " eor", " set", " smax", " smin", " umax", " umin"};
  const arm::instruction i = arm::decode(word);
  std::string text = name(i.kind) + barriers.at(static_cast<std::size_t>(i.orders));
  if (i.kind == arm::kind::update) text += operations.at(static_cast<std::size_t>(i.operation));
  if (i.acquire) text += " A";
  if (i.acquire_pc) text += " Q";
  if (i.release) text += " L";
  if (i.no_result) text += " no-result";
  if (!i.accesses_memory()) return text + (i.immediate != 0 ? " " + std::to_string(i.immediate) : "");
  text += " " + std::to_string(i.elements) + "x" + std::to_string(i.size);
  if (i.is_signed) text += " signed to " + std::to_string(i.width);
  for (unsigned k = 0; k != i.targets; ++k) text += " " + name(i.target.at(k));
  if (i.operand != arm::no_register) text += " by " + name(i.operand);
  if (i.status != arm::no_register) text += " status " + name(i.status);
  constexpr std::array modes{" at", " pre", " post", " indexed", " literal"};
  text += modes.at(static_cast<std::size_t>(i.addressing));
  if (i.base != arm::no_register) text += " " + name(i.base);
  if (i.index != arm::no_register)
    text += " " + name(i.index) + " " + std::to_string(i.extend) + "<<" + std::to_string(i.shift);
  if (i.immediate != 0) text += " " + std::to_string(i.immediate);
  return text;
}

TEST(ArmDecode, WordByWord) {
  const std::map<std::uint32_t, const char*> expected{
      {0xF8BFC041, "load Q 1x8 x1 at x2"},                           // ldapr x1, [x2]
      {0x195FD041, "load Q 1x1 x1 at x2 -3"},                        // ldapurb w1, [x2, #-3]
      {0x99804041, "load Q 1x4 signed to 8 x1 at x2 4"},             // ldapursw x1, [x2, #4]
      {0xD9008041, "store L 1x8 x1 at x2 8"},                        // stlur x1, [x2, #8]
      {0x08DFFC41, "load A 1x1 x1 at x2"},                           // ldarb w1, [x2]
      {0x489FFC41, "store L 1x2 x1 at x2"},                          // stlrh w1, [x2]
      {0xC8DF7C41, "load A 1x8 x1 at x2"},                           // ldlar x1, [x2]
      {0xC87F8C41, "load-exclusive A 1x16 x1 x3 at x2"},             // ldaxp x1, x3, [x2]
      {0xC8248C41, "store-exclusive L 1x16 x1 x3 status x4 at x2"},  // stlxp w4, x1, x3, [x2]
      {0x085FFC41, "load-exclusive A 1x1 x1 at x2"},                 // ldaxrb w1, [x2]
      {0x4804FC41, "store-exclusive L 1x2 x1 status x4 at x2"},      // stlxrh w4, w1, [x2]
      {0x08E1FC43, "compare A L 1x1 x3 by x1 at x2"},                // casalb w1, w3, [x2]
      {0x48247C46, "compare 1x16 x6 x7 by x4 at x2"},                // casp x4, x5, x6, x7, [x2]
      {0x0864FC46, "compare A L 1x8 x6 x7 by x4 at x2"},             // caspal w4, w5, w6, w7, [x2]
      {0x78E18043, "update swap A L 1x2 x3 by x1 at x2"},            // swpalh w1, w3, [x2]
      {0xF8A11043, "update clear A 1x8 x3 by x1 at x2"},             // ldclra x1, x3, [x2]
      {0xF8612043, "update eor L 1x8 x3 by x1 at x2"},               // ldeorl x1, x3, [x2]
      {0xF8E13043, "update set A L 1x8 x3 by x1 at x2"},             // ldsetal x1, x3, [x2]
      {0x38214043, "update smax 1x1 x3 by x1 at x2"},                // ldsmaxb w1, w3, [x2]
      {0xF8217043, "update umin 1x8 x3 by x1 at x2"},                // ldumin x1, x3, [x2]
      {0xF861005F, "update add L no-result 1x8 - by x1 at x2"},      // staddl x1, [x2]
      {0xF8E1005F, "update add L no-result 1x8 - by x1 at x2"},      // ldaddal x1, xzr, [x2]
      {0x39800C41, "load 1x1 signed to 8 x1 at x2 3"},               // ldrsb x1, [x2, #3]
      {0x78C02441, "load 1x2 signed to 4 x1 post x2 2"},             // ldrsh w1, [x2], #2
      {0xF863D841, "load 1x8 x1 indexed x2 x3 6<<3"},                // ldr x1, [x2, w3, sxtw #3]
      {0x3C820C41, "store 2x8 v1 pre x2 32"},                        // str q1, [x2, #32]!
      {0xA8C10FE1, "load 2x8 x1 x3 post sp 16"},                     // ldp x1, x3, [sp], #16
      {0xAD3F0841, "store 4x8 v1 v2 at x2 -32"},                     // stp q1, q2, [x2, #-32]
      {0x69410C41, "load 2x4 signed to 8 x1 x3 at x2 8"},            // ldpsw x1, x3, [x2, #8]
      {0x58000081, "load 1x8 x1 literal 16"},                        // ldr x1, 84
      {0x4CC3A841, "load 4x8 v1 v2 post x2 x3 3<<0 32"},             // ld1 {v1.4s, v2.4s}, [x2], x3
      {0x4D408041, "load 1x4 v1 at x2"},                             // ld1 {v1.s}[2], [x2]
      {0x0D9F0C41, "store 1x1 v1 post x2 1"},                        // st1 {v1.b}[3], [x2], #1
      {0x0D40E041, "load 3x1 v1 v2 v3 at x2"},                       // ld3r {v1.8b-v3.8b}, [x2]
      {0x4C400041, "load 8x8 v1 v2 v3 v4 at x2"},                    // ld4 {v1.16b-v4.16b}, [x2]
      {0xD5033FBF, "barrier dmb"},                                   // dmb sy
      {0xD50331BF, "barrier dmb.ld"},                                // dmb oshld
      {0xD5033B9F, "barrier dsb"},                                   // dsb ish
      {0xD5033A9F, "barrier dsb.st"},                                // dsb ishst
      {0xD5033FDF, "barrier isb"},                                   // isb
      {0xD5033F5F, "clear"},                                         // clrex
      {0xD4000001, "system isb"},                                    // svc #0x0
      {0x14000004, "branch 16"},                                     // b b8
      {0x54FFFFC0, "if -8"},                                         // b.eq a4
      {0xB7400065, "if 12"},                                         // tbnz x5, #40, bc
      {0xD61F0060, "goto"},                                          // br x3
      {0xD63F0060, "goto"},                                          // blr x3
      {0x9ADF1020, "other"},                                         // irg x0, x1
  };
  for (const auto& [word, what] : expected) EXPECT_EQ(described(word), what) << std::hex << word;
}

TEST(ArmDecode, WhatIsNotUnderstoodIsEverything) {
  for (const std::uint32_t word : {0x25201C00U, 0xD9200841U, 0x00000000U}) {  // ptrue, stg, udf
    const arm::instruction i = arm::decode(word);
    EXPECT_EQ(i.kind, arm::kind::unknown);
    EXPECT_EQ(i.reads, ~registers{0});
    EXPECT_EQ(i.writes, ~registers{0});
    EXPECT_TRUE(i.reads_flags && i.writes_flags);
  }
}

TEST(ArmDecode, Addresses) {
  const auto value = [](unsigned n) { return n == arm::no_register ? 0 : 0xFFFFFFFF00000000U + 16 * n; };
  EXPECT_EQ(arm::decode(0xF863D841).effective_address(0, value), value(2) + 48 * 8);  // [x2, w3, sxtw #3]
  EXPECT_EQ(arm::decode(0xF8636841).effective_address(0, value), value(2) + value(3));
  EXPECT_EQ(arm::decode(0xF8634841).effective_address(0, value), value(2) + 48);  // uxtw
  EXPECT_EQ(arm::decode(0xAD3F0841).effective_address(0, value), value(2) - 32);
  EXPECT_EQ(arm::decode(0x78C02441).effective_address(0, value), value(2));
  EXPECT_EQ(arm::decode(0x58000081).effective_address(0x1000, value), 0x1010U);
}
}  // namespace
}  // namespace licit::arm_test

/// What instructions compute, where the binaries of models/machine/binary do not show it.

namespace {

using namespace licit::arm;

std::uint64_t computed(std::uint32_t word, std::uint64_t x1, std::uint64_t x2 = 0) {
  machine m;
  m.x[1] = x1;
  m.x[2] = x2;
  m.run(decode(word));
  return m.x[0];
}

TEST(ArmMachine, Masks) {
  EXPECT_EQ(computed(0x92400020, 0xFF), 1U);                      // and x0, x1, #1
  EXPECT_EQ(computed(0x9200F020, 0xFF), 0x55U);                   // and x0, x1, #0x5555555555555555
  EXPECT_EQ(computed(0xB201F020, 0), 0xAAAA'AAAA'AAAA'AAAAU);     // orr x0, x1, #0xaaaaaaaaaaaaaaaa
  EXPECT_EQ(computed(0x93401C20, 0x80), 0xFFFF'FFFF'FFFF'FF80U);  // sxtb x0, w1
  EXPECT_EQ(computed(0x13001C20, 0x80), 0xFFFF'FF80U);            // sxtb w0, w1
  EXPECT_EQ(computed(0xD344FC20, 0x1234), 0x123U);                // lsr x0, x1, #4
  EXPECT_EQ(computed(0x53047C20, 0xF'0000'1234), 0x123U);         // lsr w0, w1, #4
}

TEST(ArmMachine, Divisions) {
  constexpr std::uint64_t least = std::uint64_t{1} << 63;
  constexpr auto minus = [](std::uint64_t n) { return 0 - n; };
  EXPECT_EQ(computed(0x9AC20820, minus(7), 2), minus(7) / 2);  // udiv x0, x1, x2
  EXPECT_EQ(computed(0x9AC20C20, minus(7), 2), minus(3));      // sdiv x0, x1, x2: towards zero
  EXPECT_EQ(computed(0x9AC20C20, 7, minus(2)), minus(3));
  EXPECT_EQ(computed(0x9AC20C20, 7, 0), 0U);
  EXPECT_EQ(computed(0x9AC20C20, least, minus(1)), least);
  EXPECT_EQ(computed(0x1AC20C20, 0xFFFF'FFF9, 2), 0xFFFF'FFFDU);  // sdiv w0, w1, w2
  EXPECT_EQ(computed(0x1AC20C20, 0x8000'0000, 0xFFFF'FFFF), 0x8000'0000U);
}

TEST(ArmMachine, MasksThatAreNoneAreRefused) {
  // and, orr, sbfm, ubfm by elements of one bit and of none.
  for (const std::uint32_t word :
       std::array{0x9200F820U, 0x9200FC20U, 0xB200FC20U, 0x1300F820U, 0x1300FC20U, 0x5300FC20U}) {
    EXPECT_THROW(computed(word, 1), refused) << std::hex << word;
  }
}

}  // namespace
