/// The length of an instruction of x86-64, and what it does to memory: by the maps of operation codes in Intel's
/// Software Developer's Manual, volume 2, appendix A.
#include <algorithm>
#include <array>
#include <string_view>

#include "unseen.hpp"

namespace licit::unmodified {

namespace {

// What follows a code: . nothing, m ModRM, b 1 byte, w 2 bytes, e 3 bytes, z 2 or 4 bytes, v 2, 4 or 8 bytes, r 4 bytes
// of a branch, o an address; B, Z ModRM and then b or z; T, U the same for the first two operations of the code, and m
// for the others; p: it is a prefix; x: there is no such instruction.
constexpr std::string_view one_byte =
    "mmmmbzxxmmmmbzxxmmmmbzxxmmmmbzxx"   // 00
    "mmmmbzpxmmmmbzpxmmmmbzpxmmmmbzpx"   // 20
    "pppppppppppppppp................"   // 40
    "xxxmppppzZbB....bbbbbbbbbbbbbbbb"   // 60
    "BZxBmmmmmmmmmmmm..........x....."   // 80
    "oooo....bz......bbbbbbbbvvvvvvvv"   // a0
    "BBw.xxBZe.w..bx.mmmmxxx.mmmmmmmm"   // c0
    "bbbbbbbbrrxb....p.pp..TU......mm";  // e0
constexpr std::string_view two_bytes =
    "mmmmx.....x.xm.Bmmmmmmmmmmmmmmmm"   // 00
    "mmmmxxxxmmmmmmmm......x.xxxxxxxx"   // 20
    "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"   // 40
    "mmmmmmmmmmmmmmmmBBBBmmm.mmmmmmmm"   // 60
    "rrrrrrrrrrrrrrrrmmmmmmmmmmmmmmmm"   // 80
    "...mBmxx...mBmmmmmmmmmmmmmBmmmmm"   // a0
    "mmBmBBBm........mmmmmmmmmmmmmmmm"   // c0
    "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm";  // e0
static_assert(one_byte.size() == 256 && two_bytes.size() == 256);

/// What an instruction begins with, up to its code.
struct opening {
  unsigned map = 0;  ///< how many bytes the code has; 3: behind 0f 38, 4: behind 0f 3a
  std::uint8_t code = 0;
  bool has_lock = false;
  bool has_other_prefix = false;              ///< f2, f3 or 66: part of some codes
  bool is_repeated = false;                   ///< f3
  bool is_narrow = false;                     ///< 66
  bool is_wide = false;                       ///< REX.W
  bool is_of_thread = false;                  ///< fs or gs
  unsigned base_bit = 0;                      ///< REX.B
  unsigned register_bit = 0;                  ///< REX.R
  unsigned index_bit = 0;                     ///< REX.X
  bool has_vex = false;                       ///< or EVEX
  unsigned other = instruction::no_register;  ///< that only these have
};

/// What ModRM has beside memory.
struct operands {
  bool are_there = false;
  unsigned operation = 0;  ///< for codes that have eight; else a register
  unsigned other = instruction::no_register;
};

class reader {
 public:
  explicit reader(std::span<const std::byte> code) : code_{code} {}

  [[nodiscard]] bool is_behind_end() const { return at_ > code_.size(); }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] std::uint8_t ahead(std::size_t by = 0) const {
    return at_ + by < code_.size() ? std::to_integer<std::uint8_t>(code_[at_ + by]) : std::uint8_t{0};
  }
  std::uint8_t byte() {
    const std::uint8_t value = ahead();
    ++at_;
    return value;
  }
  std::int64_t number(std::size_t bytes) {
    std::int64_t value = 0;
    if (at_ + bytes <= code_.size()) {
      if (bytes == 1) value = ahead() < 0x80 ? ahead() : ahead() - 0x100;
      if (bytes == 4) {
        std::int32_t four = 0;
        __builtin_memcpy(&four, &code_[at_], sizeof four);
        value = four;
      }
    }
    at_ += bytes;
    return value;
  }

 private:
  std::span<const std::byte> code_;
  std::size_t at_ = 0;
};

/// A prefix that is not part of VEX or EVEX. False: it is none.
bool take_prefix(std::uint8_t byte, opening& o) {
  switch (byte) {
    case 0xf0: o.has_lock = true; return true;
    case 0xf2: o.has_other_prefix = true; return true;
    case 0xf3: o.has_other_prefix = o.is_repeated = true; return true;
    case 0x66: o.has_other_prefix = o.is_narrow = true; return true;
    case 0x64:
    case 0x65: o.is_of_thread = true; return true;
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x67: return true;
    default: return false;
  }
}

constexpr std::array<unsigned, 4> maps{0, 2, 3, 4};  ///< by the number that VEX has for them

opening read_vex(reader& from, std::uint8_t kind, opening o) {
  constexpr unsigned of_map = 3;
  o.has_other_prefix = o.has_vex = true;
  o.map = maps[1];
  constexpr unsigned last = 15;
  if (kind == 0xc5) {
    o.other = last - (from.byte() >> 3U & last);
  } else {
    const std::uint8_t first = from.byte();
    o.base_bit = (first & 0x20U) == 0 ? 1 : 0;
    o.index_bit = (first & 0x40U) == 0 ? 1 : 0;
    o.map = maps[first & of_map];
    const std::uint8_t second = from.byte();
    o.is_wide = (second & 0x80U) != 0;
    o.register_bit = (first & 0x80U) == 0 ? 1 : 0;
    o.other = last - (second >> 3U & last);
    if (kind == 0x62) from.byte();
  }
  o.code = from.byte();
  return o;
}

opening read_opening(reader& from) {
  opening o;
  while (take_prefix(from.ahead(), o)) from.byte();
  std::uint8_t next = from.byte();
  if (next == 0xc4 || next == 0xc5 || next == 0x62) return read_vex(from, next, o);
  if ((next & 0xf0U) == 0x40) {
    o.is_wide = (next & 8U) != 0;
    o.base_bit = next & 1U;
    o.register_bit = next >> 2U & 1U;
    o.index_bit = next >> 1U & 1U;
    next = from.byte();
  }
  o.map = 1;
  if (next == 0x0f) {
    next = from.byte();
    o.map = next == 0x38 ? 3 : next == 0x3a ? 4 : 2;
    if (o.map > 2) next = from.byte();
  }
  o.code = next;
  return o;
}

char what_follows(const opening& o) {
  switch (o.map) {
    case 1: return one_byte[o.code];
    case 2: return two_bytes[o.code];
    case 3: return 'm';
    case 4: return 'B';
    default: return 'x';
  }
}

/// ModRM, and what belongs to it: which memory, if any.
operands read_operands(reader& from, const opening& o, instruction& to) {
  const std::uint8_t modrm = from.byte();
  const unsigned mode = modrm >> 6U;
  const unsigned operation = (modrm >> 3U) & 7U;
  if (mode == 3) return {true, operation, (modrm & 7U) + 8 * o.base_bit};
  unsigned base = modrm & 7U;
  if (base == 4) {
    constexpr unsigned none = 4;
    const std::uint8_t sib = from.byte();
    const unsigned index = (sib >> 3U & 7U) + 8 * o.index_bit;
    if (index != none) to.index = index;
    base = sib & 7U;
  }
  const bool without_base = base == 5 && mode == 0;
  to.has_memory = true;
  to.is_relative = without_base && (modrm & 7U) == 5;
  if (!without_base) to.base = base + 8 * o.base_bit;
  to.displacement = mode == 1 ? from.number(1) : mode == 2 || without_base ? from.number(4) : 0;
  return {true, operation};
}

void skip_immediate(reader& from, const opening& o, char size, instruction& to) {
  const std::size_t narrow = o.is_narrow && !o.is_wide ? 2 : 4;
  switch (size) {
    case 'b': {
      const std::int64_t number = from.number(1);
      const bool is_jump = (o.code & 0xf0U) == 0x70 || (o.code & 0xfcU) == 0xe0 || o.code == 0xeb;
      if (o.map == 1 && is_jump) to.displacement = number;
      break;
    }
    case 'w': from.number(2); break;
    case 'e': from.number(3); break;
    case 'z': from.number(narrow); break;
    case 'v': from.number(o.is_wide ? 8 : narrow); break;
    case 'o':
      to.has_memory = true;
      from.number(8);
      break;
    case 'r':
      to.is_call = true;
      to.displacement = from.number(4);
      break;
    default: break;
  }
}

/// Operations on texts, whose addresses are in registers that no operand names.
bool is_of_texts(std::uint8_t code) {
  return (code >= 0x6c && code <= 0x6f) || (code >= 0xa4 && code <= 0xa7) || (code >= 0xaa && code <= 0xaf) ||
         code == 0xd7;
}

/// Whether the register that ModRM has in its middle is written, as far as it is not one of SSE's.
bool writes_register(const opening& o) {
  const unsigned c = o.code;
  if (o.map == 1) {
    if (c < 0x40) return (c & 7U) == 2 || (c & 7U) == 3 ? c < 0x38 : false;
    return c == 0x63 || c == 0x69 || c == 0x6b || (c >= 0x86 && c <= 0x87) || c == 0x8a || c == 0x8b || c == 0x8d;
  }
  if (o.map > 2) return c >= 0xf0;
  const bool is_of_masks = o.has_vex && c < 0x50;
  return (c >= 0x40 && c <= 0x50 && !is_of_masks) || c == 0x2c || c == 0x2d || c == 0x93 || c == 0xaf || c == 0xc0 ||
         c == 0xc1 || c == 0xc5 || c == 0xd7 || (c >= 0xb2 && c != 0xba && c <= 0xbf);
}

/// The same for the register that it may have in place of memory.
bool writes_other(const opening& o, unsigned operation) {
  const unsigned c = o.code;
  if (o.map == 1) {
    if (c < 0x40) return (c & 7U) < 2 && c < 0x38;
    if (c >= 0x80 && c <= 0x83) return operation != 7;
    if (c == 0xf6 || c == 0xf7) return operation == 2 || operation == 3;
    const bool reads = c == 0x63 || c == 0x69 || c == 0x6b || c == 0x84 || c == 0x85 || c == 0x8a || c == 0x8b ||
                       (c >= 0xd8 && c <= 0xdf) || (c == 0xff && operation >= 2);
    return !reads;
  }
  if (o.map > 2) return o.map == 4 && c >= 0x14 && c <= 0x17;
  if (o.has_vex) return c == 0x7e;
  return c < 0x10 || c == 0x7e || (c >= 0x90 && c <= 0xad) || (c >= 0xb0 && c <= 0xb3) || c == 0xba || c == 0xbb ||
         c == 0xc0 || c == 0xc1 || c == 0xc7;
}

/// Those that no operand names.
unsigned registers_implied(const opening& o, unsigned operation) {
  const unsigned c = o.code;
  if (o.map == 2) {
    const bool numbers = c == 0x01 || c == 0x31 || c == 0xa2 || c == 0xc7;
    if (numbers) return set_of(rax) | set_of(rcx) | set_of(rdx) | set_of(rbx);
    return c == 0xb0 || c == 0xb1 ? set_of(rax) : 0;
  }
  if (o.map != 1) return o.map == 4 && c >= 0x60 && c <= 0x63 ? set_of(rcx) : 0;
  if (c < 0x38 && ((c & 7U) == 4 || (c & 7U) == 5)) return set_of(rax);
  if ((c == 0xf6 || c == 0xf7) && operation >= 4) return set_of(rax) | set_of(rdx);
  if (c == 0x98 || c == 0x99) return set_of(c == 0x98 ? rax : rdx);
  if (c >= 0xa4 && c <= 0xa7) return set_of(rcx) | set_of(rsi) | set_of(rdi);
  if (c == 0xac || c == 0xad) return set_of(rax) | set_of(rcx) | set_of(rsi);
  if (c == 0xaa || c == 0xab || c == 0xae || c == 0xaf) return set_of(rcx) | set_of(rdi);
  if (c == 0xc8 || c == 0xc9) return set_of(rbp);
  return (c >= 0xa0 && c <= 0xa1) || c == 0xdf || (c >= 0xe0 && c <= 0xe3) ? set_of(rax) | set_of(rcx) : 0;
}

/// Too many rather than too few.
std::uint16_t registers_written(const opening& o, const operands& of) {
  constexpr unsigned by_calls = 0xfc7;  // rax, rcx, rdx, rsi, rdi, r8 to r11
  const bool calls = o.map == 1 && (o.code == 0xe8 || (o.code == 0xff && of.operation == 2));
  unsigned all = (calls ? by_calls : 0) | registers_implied(o, of.operation);
  if (of.are_there && writes_register(o)) all |= set_of(of.operation + 8 * o.register_bit);
  if (of.other != instruction::no_register && writes_other(o, of.operation)) all |= set_of(of.other);
  if (o.other != instruction::no_register && o.map > 2 && o.code >= 0xf0) all |= set_of(o.other);
  const unsigned last = (o.code & 7U) + 8 * o.base_bit;
  if (o.map == 1 && ((o.code >= 0x58 && o.code <= 0x5f) || (o.code >= 0x90 && o.code <= 0x97) ||
                     (o.code >= 0xb0 && o.code <= 0xbf))) {
    all |= set_of(last) | (o.code >= 0x91 && o.code <= 0x97 ? set_of(rax) : 0);
  }
  if (o.map == 2 && o.code >= 0xc8 && o.code <= 0xcf) all |= set_of(last);
  return static_cast<std::uint16_t>(all);
}

bool is_store(const opening& o) {
  const unsigned c = o.code;
  if (o.map == 1) return c == 0x88 || c == 0x89 || c == 0xaa || c == 0xab || c == 0xc6 || c == 0xc7;
  if (o.map != 2) return false;
  if (c == 0x7e) return !o.is_repeated && !o.has_vex;  // else it may load
  return c == 0x11 || c == 0x13 || c == 0x17 || c == 0x29 || c == 0x2b || c == 0x7f || c == 0xc3 || c == 0xd6 ||
         c == 0xe7;
}

/// How a register follows from another, or from memory.
void find_copies(const opening& o, const operands& of, instruction& to) {
  if (o.map != 1 || !o.is_wide || !of.are_there) return;
  const unsigned middle = of.operation + 8 * o.register_bit;
  if (of.other == instruction::no_register) {
    if (o.code == 0x89) to.stores = middle;
    to.is_load = o.code == 0x8b;
    return;
  }
  switch (o.code) {
    case 0x89: to.copy_of = middle; break;
    case 0x8b: to.copy_of = of.other; break;
    case 0x01: to.moved_by = middle; break;
    case 0x03: to.moved_by = of.other; break;
    case 0x29:
    case 0x2b: to.is_moved = true; break;
    case 0x81:
    case 0x83: to.is_moved = of.operation == 0 || of.operation == 4 || of.operation == 5; break;
    case 0xff: to.is_moved = of.operation < 2; break;
    default: break;
  }
}

void find_ways(const opening& o, unsigned operation, instruction& to) {
  const unsigned c = o.code;
  if (o.map == 2) {
    to.is_jump = c >= 0x80 && c <= 0x8f;
    to.is_end = c == 0x0b;
  }
  if (o.map != 1) return;
  to.is_jump = (c >= 0x70 && c <= 0x7f) || (c >= 0xe0 && c <= 0xe3) || c == 0xe9 || c == 0xeb;
  to.is_return = c == 0xc2 || c == 0xc3;
  to.returns_here = c == 0xe8 || (c == 0xff && operation == 2);
  to.is_end = to.is_return || c == 0xe9 || c == 0xeb || c == 0xf4 || (c == 0xff && operation == 4);
}

void classify(const opening& o, unsigned operation, bool interrupts_linux, instruction& to) {
  const bool had_memory = to.has_memory;
  to.is_of_thread = o.is_of_thread;
  if (o.map == 1) {
    to.is_locked = (o.code == 0x86 || o.code == 0x87) && had_memory;
    to.is_system_call = interrupts_linux;
    to.is_address = had_memory && o.code == 0x8d;
    to.has_memory = (had_memory && !to.is_address) || is_of_texts(o.code);
    to.is_of_texts = o.code >= 0xa4 && is_of_texts(o.code) && o.code != 0xd7;
    to.is_indirect = o.code == 0xff && (operation == 2 || operation == 4) && to.is_relative;
    to.is_call = to.is_call || to.is_indirect;
  }
  if (o.map == 2) {
    const bool touches_nothing = o.code == 0x0d || (o.code >= 0x18 && o.code <= 0x1f);  // hints
    to.has_memory = had_memory && !touches_nothing;
    to.is_fence = o.code == 0xae && !had_memory && operation >= 5 && !o.has_other_prefix;
    to.is_system_call = o.code == 0x05 || o.code == 0x34;
  }
  to.is_locked = to.is_locked || o.has_lock;
}

}  // namespace

std::optional<instruction> decode(std::span<const std::byte> code) {
  constexpr std::size_t longest = 15;
  reader from(code.first(std::min(code.size(), longest)));
  instruction found;
  const opening o = read_opening(from);
  const char follows = what_follows(o);
  if (follows == 'x' || follows == 'p') return {};
  operands of;
  char immediate = follows;
  if (follows == 'm' || (follows >= 'A' && follows <= 'Z')) {
    of = read_operands(from, o, found);
    const bool has_immediate = follows == 'B' || follows == 'Z' || (follows != 'm' && of.operation < 2);
    immediate = !has_immediate ? '.' : follows == 'B' || follows == 'T' ? 'b' : 'z';
  }
  const bool interrupts_linux = o.map == 1 && o.code == 0xcd && from.ahead() == 0x80;
  skip_immediate(from, o, immediate, found);
  classify(o, of.operation, interrupts_linux, found);
  found.written = registers_written(o, of);
  found.is_store = is_store(o);
  find_copies(o, of, found);
  find_ways(o, of.operation, found);
  found.length = from.at();
  if (from.is_behind_end()) return {};
  return found;
}

}  // namespace licit::unmodified
