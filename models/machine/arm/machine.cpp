#include "machine/arm/machine.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>

#include "machine/arm/instruction.hpp"

namespace licit::arm {

namespace {

using encoding::bit;
using encoding::bits;

constexpr std::uint64_t ones(unsigned count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

constexpr std::uint64_t cut(std::uint64_t value, bool is_64) { return is_64 ? value : value & ones(32); }

constexpr std::uint64_t sign_extended(std::uint64_t value, unsigned from_bits) {
  const unsigned unused = 64 - from_bits;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
}

std::uint64_t shifted(std::uint64_t value, unsigned kind, unsigned amount, bool is_64) {
  const unsigned width = is_64 ? 64 : 32;
  value = cut(value, is_64);
  amount %= width;
  switch (kind) {
    case 0: return cut(value << amount, is_64);
    case 1: return value >> amount;
    case 2:
      return cut(static_cast<std::uint64_t>(static_cast<std::int64_t>(sign_extended(value, width)) >> amount), is_64);
    default: return amount == 0 ? value : cut(value >> amount | value << (width - amount), is_64);
  }
}

std::uint64_t extended(std::uint64_t value, unsigned option, unsigned shift) {
  const unsigned width = 8u << (option & 3);
  value &= ones(width);
  if ((option & 4) != 0) value = sign_extended(value, width);
  return value << shift;
}

/// The manual's DecodeBitMasks.
struct masks {
  std::uint64_t rotated;  ///< wmask
  std::uint64_t top;      ///< tmask
};
/// Bits of one element, that the mask repeats; less than 2 where the manual has no such encoding.
unsigned element_bits(std::uint32_t n, std::uint32_t s) { return std::bit_floor((n << 6) | (~s & 0x3F)); }

masks bit_masks(std::uint32_t n, std::uint32_t s, std::uint32_t r) {
  const unsigned size = element_bits(n, s);
  const unsigned levels = size - 1;
  const unsigned last = s & levels;
  const unsigned rotation = r & levels;
  std::uint64_t element = ones(last + 1);
  if (rotation != 0) element = (element >> rotation | element << (size - rotation)) & ones(size);
  std::uint64_t top = ones(((last - rotation) & levels) + 1);
  for (unsigned width = size; width < 64; width *= 2) {
    element |= element << width;
    top |= top << width;
  }
  return {element, top};
}

}  // namespace

void machine::refuse(const instruction& i) const {
  constexpr const char* digits = "0123456789abcdef";
  std::string word;
  for (int place = 28; place >= 0; place -= 4) word += digits[(i.word >> place) & 15];
  throw refused("the instruction " + word + " at " + std::to_string(pc) + " is not interpreted");
}

void machine::set(unsigned n, std::uint64_t value, bool is_64) {
  if (n != 31) x.at(n) = cut(value, is_64);
}

bool machine::holds(unsigned condition) const {
  bool yes = true;
  switch (condition / 2) {
    case 0: yes = zero; break;
    case 1: yes = carry; break;
    case 2: yes = negative; break;
    case 3: yes = overflow; break;
    case 4: yes = carry && !zero; break;
    case 5: yes = negative == overflow; break;
    case 6: yes = negative == overflow && !zero; break;
    default: return true;
  }
  return (condition & 1) != 0 ? !yes : yes;
}

std::uint64_t machine::sum(std::uint64_t a, std::uint64_t b, bool carry_in, bool is_64, bool sets_flags) {
  a = cut(a, is_64);
  b = cut(b, is_64);
  const std::uint64_t result = cut(a + b + (carry_in ? 1 : 0), is_64);
  if (!sets_flags) return result;
  const std::uint64_t top = is_64 ? std::uint64_t{1} << 63 : std::uint64_t{1} << 31;
  negative = (result & top) != 0;
  zero = result == 0;
  carry = result < a || (carry_in && result == a);
  overflow = (~(a ^ b) & (a ^ result) & top) != 0;
  return result;
}

void machine::logic_flags(std::uint64_t value, bool is_64) {
  negative = (value >> (is_64 ? 63 : 31) & 1) != 0;
  zero = value == 0;
  carry = overflow = false;
}

void machine::run(const instruction& i) {
  const std::uint32_t group = bits(i.word, 28, 25);
  switch (i.kind) {
    case kind::barrier:
    case kind::clear_exclusive: break;
    case kind::branch:
    case kind::conditional:
    case kind::indirect: return branch(i);
    case kind::other:
      if (bits(i.word, 31, 12) == 0xD5032 || (group & 5) == 4) break;  // hints and prefetches
      if ((group & 0b1110) == 0b1000) {
        immediate(i);
      } else if ((group & 0b0111) == 0b0101) {
        of_registers(i);
      } else {
        vector(i);
      }
      break;
    default: refuse(i);
  }
  pc += 4;
}

void machine::branch(const instruction& i) {
  const std::uint32_t w = i.word;
  const std::uint64_t target = pc + static_cast<std::uint64_t>(i.immediate);
  if (i.kind == kind::indirect) {
    if (bits(w, 15, 10) != 0) refuse(i);  // of signed pointers
    const std::uint64_t to = general(bits(w, 9, 5));
    if (bits(w, 24, 21) == 1) x[30] = pc + 4;
    pc = to;
    return;
  }
  bool taken = true;
  if (i.kind == kind::branch) {
    if (bit(w, 31)) x[30] = pc + 4;
  } else if (bits(w, 30, 25) == 0b011010) {
    taken = (cut(general(bits(w, 4, 0)), bit(w, 31)) == 0) != bit(w, 24);
  } else if (bits(w, 30, 25) == 0b011011) {
    const unsigned place = bits(w, 31, 31) << 5 | bits(w, 23, 19);
    taken = ((general(bits(w, 4, 0)) >> place & 1) == 0) != bit(w, 24);
  } else {
    taken = holds(bits(w, 3, 0));
  }
  pc = taken ? target : pc + 4;
}

void machine::immediate(const instruction& i) {
  const std::uint32_t w = i.word;
  const bool is_64 = bit(w, 31);
  const unsigned d = bits(w, 4, 0);
  const unsigned n = bits(w, 9, 5);
  switch (bits(w, 25, 23)) {
    case 0:
    case 1: {  // adr, adrp
      const std::uint64_t offset = sign_extended(bits(w, 23, 5) << 2 | bits(w, 30, 29), 21);
      set(d, is_64 ? (pc & ~ones(12)) + (offset << 12) : pc + offset, true);
      return;
    }
    case 2: {
      const std::uint64_t operand = std::uint64_t{bits(w, 21, 10)} << (bit(w, 22) ? 12 : 0);
      const bool subtracts = bit(w, 30);
      const std::uint64_t result = sum(x.at(n), subtracts ? ~operand : operand, subtracts, is_64, bit(w, 29));
      if (d != 31 || !bit(w, 29)) x.at(d) = result;
      return;
    }
    case 4: return logic_of_immediate(i);
    case 5: {
      const unsigned shift = 16 * bits(w, 22, 21);
      const std::uint64_t part = std::uint64_t{bits(w, 20, 5)} << shift;
      const std::uint32_t what = bits(w, 30, 29);
      set(d, what == 0 ? ~part : what == 2 ? part : (general(d) & ~(ones(16) << shift)) | part, is_64);
      return;
    }
    case 6: return bitfield(i);
    case 7: {  // extr
      const unsigned low = bits(w, 15, 10);
      const unsigned width = is_64 ? 64 : 32;
      const std::uint64_t right = cut(general(bits(w, 20, 16)), is_64);
      set(d, low == 0 ? right : right >> low | general(n) << (width - low), is_64);
      return;
    }
    default: refuse(i);
  }
}

void machine::logic_of_immediate(const instruction& i) {
  const std::uint32_t w = i.word;
  const bool is_64 = bit(w, 31);
  if (element_bits(bits(w, 22, 22), bits(w, 15, 10)) < 2) refuse(i);
  const unsigned d = bits(w, 4, 0);
  const std::uint64_t operand = bit_masks(bits(w, 22, 22), bits(w, 15, 10), bits(w, 21, 16)).rotated;
  const std::uint64_t a = general(bits(w, 9, 5));
  const std::uint32_t what = bits(w, 30, 29);
  const std::uint64_t result = cut(what == 1 ? a | operand : what == 2 ? a ^ operand : a & operand, is_64);
  if (what == 3) {
    logic_flags(result, is_64);
    set(d, result, true);
  } else {
    x.at(d) = result;  // may be the stack pointer
  }
}

void machine::bitfield(const instruction& i) {
  const std::uint32_t w = i.word;
  const bool is_64 = bit(w, 31);
  const unsigned r = bits(w, 21, 16);
  const unsigned s = bits(w, 15, 10);
  if (element_bits(bits(w, 22, 22), s) < 2) refuse(i);
  const masks m = bit_masks(bits(w, 22, 22), s, r);
  const std::uint32_t what = bits(w, 30, 29);  // 0 sbfm, 1 bfm, 2 ubfm
  const std::uint64_t old = what == 1 ? general(bits(w, 4, 0)) : 0;
  const std::uint64_t source = general(bits(w, 9, 5));
  const std::uint64_t bottom = (old & ~m.rotated) | (shifted(source, 3, r, is_64) & m.rotated);
  const std::uint64_t sign = (source >> s & 1) != 0 ? ~std::uint64_t{0} : 0;
  const std::uint64_t top = what == 0 ? sign : old;
  set(bits(w, 4, 0), (top & ~m.top) | (bottom & m.top), is_64);
}

void machine::of_registers(const instruction& i) {
  const std::uint32_t w = i.word;
  if (!bit(w, 28)) return bit(w, 24) ? arithmetic(i) : logic(i);
  if (bit(w, 24)) return of_three(i);
  switch (bits(w, 24, 21)) {
    case 0: {
      if (bits(w, 15, 10) != 0) refuse(i);
      const std::uint64_t b = general(bits(w, 20, 16));
      set(bits(w, 4, 0), sum(general(bits(w, 9, 5)), bit(w, 30) ? ~b : b, carry, bit(w, 31), bit(w, 29)), bit(w, 31));
      return;
    }
    case 2: return conditional_compare(i);
    case 4: return select(i);
    case 6: return of_one_or_two(i);
    default: refuse(i);
  }
}

void machine::logic(const instruction& i) {
  const std::uint32_t w = i.word;
  const bool is_64 = bit(w, 31);
  const std::uint64_t a = general(bits(w, 9, 5));
  std::uint64_t b = shifted(general(bits(w, 20, 16)), bits(w, 23, 22), bits(w, 15, 10), is_64);
  if (bit(w, 21)) b = ~b;
  const std::uint32_t what = bits(w, 30, 29);
  const std::uint64_t result = cut(what == 1 ? a | b : what == 2 ? a ^ b : a & b, is_64);
  if (what == 3) logic_flags(result, is_64);
  set(bits(w, 4, 0), result, is_64);
}

void machine::arithmetic(const instruction& i) {
  const std::uint32_t w = i.word;
  const bool is_64 = bit(w, 31);
  const unsigned d = bits(w, 4, 0);
  const unsigned n = bits(w, 9, 5);
  const bool by_extension = bit(w, 21);
  const std::uint64_t m = general(bits(w, 20, 16));
  const std::uint64_t b = by_extension ? extended(m, bits(w, 15, 13), bits(w, 12, 10))
                                       : shifted(m, bits(w, 23, 22), bits(w, 15, 10), is_64);
  const bool subtracts = bit(w, 30);
  const std::uint64_t a = by_extension ? x.at(n) : general(n);
  const std::uint64_t result = sum(a, subtracts ? ~b : b, subtracts, is_64, bit(w, 29));
  if (by_extension && !bit(w, 29)) {
    x.at(d) = result;
  } else {
    set(d, result, is_64);
  }
}

void machine::conditional_compare(const instruction& i) {
  const std::uint32_t w = i.word;
  if (holds(bits(w, 15, 12))) {
    const std::uint64_t b = bit(w, 11) ? bits(w, 20, 16) : general(bits(w, 20, 16));
    const bool subtracts = bit(w, 30);
    sum(general(bits(w, 9, 5)), subtracts ? ~b : b, subtracts, bit(w, 31), true);
    return;
  }
  negative = bit(w, 3);
  zero = bit(w, 2);
  carry = bit(w, 1);
  overflow = bit(w, 0);
}

void machine::select(const instruction& i) {
  const std::uint32_t w = i.word;
  std::uint64_t result = general(bits(w, 9, 5));
  if (!holds(bits(w, 15, 12))) {
    result = general(bits(w, 20, 16));
    if (bit(w, 30)) result = ~result;
    if (bit(w, 10)) ++result;
  }
  set(bits(w, 4, 0), result, bit(w, 31));
}

void machine::of_one_or_two(const instruction& i) {
  const std::uint32_t w = i.word;
  const bool is_64 = bit(w, 31);
  const unsigned d = bits(w, 4, 0);
  const std::uint64_t a = cut(general(bits(w, 9, 5)), is_64);
  const std::uint64_t b = cut(general(bits(w, 20, 16)), is_64);
  if (bit(w, 30)) {
    if (bits(w, 20, 16) != 0 || bits(w, 15, 10) != 4) refuse(i);
    set(d, static_cast<std::uint64_t>(std::countl_zero(a)) - (is_64 ? 0 : 32), is_64);  // clz
    return;
  }
  const std::uint32_t what = bits(w, 15, 10);
  if (what == 2) {
    set(d, b == 0 ? 0 : a / b, is_64);
  } else if (what == 3) {  // sdiv; the least number by -1 wraps around
    const auto dividend = static_cast<std::int64_t>(sign_extended(a, is_64 ? 64 : 32));
    const auto divisor = static_cast<std::int64_t>(sign_extended(b, is_64 ? 64 : 32));
    const std::uint64_t result =
        divisor == -1 ? 0 - a : static_cast<std::uint64_t>(divisor == 0 ? 0 : dividend / divisor);
    set(d, result, is_64);
  } else if (what >= 8 && what <= 11) {
    set(d, shifted(a, what - 8, static_cast<unsigned>(b % 64), is_64), is_64);
  } else {
    refuse(i);
  }
}

void machine::of_three(const instruction& i) {
  const std::uint32_t w = i.word;
  const bool is_64 = bit(w, 31);
  std::uint64_t a = general(bits(w, 9, 5));
  std::uint64_t b = general(bits(w, 20, 16));
  const std::uint32_t what = bits(w, 23, 21);
  if (what == 1 || what == 5) {  // smaddl, umaddl
    a = what == 1 ? sign_extended(a, 32) : cut(a, false);
    b = what == 1 ? sign_extended(b, 32) : cut(b, false);
  } else if (what != 0) {
    refuse(i);
  }
  const std::uint64_t c = general(bits(w, 14, 10));
  set(bits(w, 4, 0), bit(w, 15) ? c - a * b : c + a * b, is_64);
}

/// Moves (movi of zero, fmov between general and vector registers), and what counts bits: cnt, addv.
void machine::vector(const instruction& i) {
  const std::uint32_t w = i.word;
  const unsigned d = bits(w, 4, 0);
  const unsigned n = bits(w, 9, 5);
  const bool by_words = (w & 0x9FF8FC00) == 0x0F000400 && bits(w, 18, 16) == 0 && n == 0;
  if (by_words || (w & 0xBFFFFFE0) == 0x2F00E400 || (w & 0xBFFFFFE0) == 0x0F00E400) {  // movi, all bits zero
    v.at(d) = {};
  } else if ((w & 0xFFFFFC00) == 0x9E670000) {
    v.at(d) = {general(n), 0};
  } else if ((w & 0xFFFFFC00) == 0x9E660000) {
    set(d, v.at(n)[0], true);
  } else if ((w & 0xFFFFFC00) == 0x1E270000) {
    v.at(d) = {general(n) & ones(32), 0};
  } else if ((w & 0xFFFFFC00) == 0x1E260000) {
    set(d, v.at(n)[0], false);
  } else if ((w & 0xFFFFFC00) == 0x0E205800) {
    std::uint64_t bytes = 0;
    for (unsigned k = 0; k != 64; k += 8) bytes |= std::uint64_t(std::popcount(v.at(n)[0] >> k & 0xFF)) << k;
    v.at(d) = {bytes, 0};
  } else if ((w & 0xFFFFFC00) == 0x0E31B800) {
    std::uint64_t total = 0;
    for (unsigned k = 0; k != 64; k += 8) total += v.at(n)[0] >> k & 0xFF;
    v.at(d) = {total & 0xFF, 0};
  } else {
    refuse(i);
  }
}

// ---- memory ----

values machine::stored(const instruction& i) const {
  values all{};
  const unsigned each = i.elements / std::max<unsigned>(1, i.targets);
  if (i.interleaved || each == 0 || each > 2) refuse(i);
  for (unsigned k = 0; k != i.elements; ++k) {
    const std::uint8_t from = i.target.at(k / each);
    if (from == no_register) continue;
    const std::uint64_t value = from < first_vector ? x.at(from) : v.at(from - first_vector)[k % each];
    all.at(k) = value & ones(8 * i.size);
  }
  return all;
}

void machine::write_back(const instruction& i, std::uint64_t address) {
  if (i.addressing == addressing::pre_index) x.at(i.base) = address;
  if (i.addressing != addressing::post_index) return;
  x.at(i.base) = address + (i.index == no_register ? static_cast<std::uint64_t>(i.immediate) : x.at(i.index));
}

void machine::load(const instruction& i, std::uint64_t address, const values& elements) {
  if (i.interleaved || (i.kind == kind::load && i.data != 0)) refuse(i);
  write_back(i, address);
  if (i.kind == kind::compare_and_swap) {
    if (i.operand != no_register) x.at(i.operand) = elements[0];
    pc += 4;
    return;
  }
  const unsigned each = i.elements / i.targets;
  if (each == 0 || each > 2) refuse(i);
  for (unsigned k = 0; k != i.targets; ++k) {
    const std::uint8_t to = i.target.at(k);
    if (to == no_register) continue;
    std::uint64_t value = elements.at(std::size_t{k} * each);
    if (i.is_signed) value = sign_extended(value, 8 * i.size) & ones(8 * i.width);
    if (to < first_vector) {
      x.at(to) = value;
    } else {
      v.at(to - first_vector) = {value, each == 2 ? elements.at(k * each + 1) : 0};
    }
  }
  pc += 4;
}

void machine::store(const instruction& i, std::uint64_t address, bool made) {
  write_back(i, address);
  if (i.status != no_register) x.at(i.status) = made ? 0 : 1;
  pc += 4;
}

std::optional<std::uint64_t> machine::updated(const instruction& i, std::uint64_t read) const {
  const unsigned width = 8 * i.size;
  const std::uint64_t operand = (i.operand == no_register ? 0 : x.at(i.operand)) & ones(width);
  if (i.kind == kind::compare_and_swap) {
    if (read != operand) return std::nullopt;
    return i.target[0] == no_register ? 0 : x.at(i.target[0]) & ones(width);
  }
  const auto a = static_cast<std::int64_t>(sign_extended(read, width));
  const auto b = static_cast<std::int64_t>(sign_extended(operand, width));
  switch (i.operation) {
    case operation::swap: return operand;
    case operation::add: return (read + operand) & ones(width);
    case operation::clear: return read & ~operand;
    case operation::exclusive_or: return read ^ operand;
    case operation::set: return read | operand;
    case operation::smax: return a > b ? read : operand;
    case operation::smin: return a < b ? read : operand;
    case operation::umax: return std::max(read, operand);
    case operation::umin: return std::min(read, operand);
  }
  return operand;
}

}  // namespace licit::arm
