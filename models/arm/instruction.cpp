#include "arm/instruction.hpp"

#include <bit>
#include <optional>

namespace licit::arm {

namespace {

using result = std::optional<instruction>;  // nothing: not understood

/// The bits of a word from `high` down to `low`.
constexpr std::uint32_t bits(std::uint32_t word, unsigned high, unsigned low) {
  return (word >> low) & static_cast<std::uint32_t>((std::uint64_t{1} << (high - low + 1)) - 1);
}

constexpr bool bit(std::uint32_t word, unsigned place) { return ((word >> place) & 1) != 0; }

constexpr std::int64_t signed_bits(std::uint32_t word, unsigned high, unsigned low) {
  const unsigned unused = 64 - (high - low + 1);
  return static_cast<std::int64_t>(std::uint64_t{bits(word, high, low)} << unused) >> unused;
}

// Register 31 is the zero register, or the stack pointer.
constexpr registers general(std::uint32_t number) { return number == 31 ? 0 : registers{1} << number; }
constexpr registers or_stack(std::uint32_t number) { return registers{1} << number; }
constexpr registers vector(std::uint32_t number) { return registers{1} << (first_vector + number % 32); }
constexpr std::uint8_t general_number(std::uint32_t number) {
  return number == 31 ? no_register : static_cast<std::uint8_t>(number);
}

constexpr std::uint32_t rd(std::uint32_t w) { return bits(w, 4, 0); }
constexpr std::uint32_t rn(std::uint32_t w) { return bits(w, 9, 5); }
constexpr std::uint32_t ra(std::uint32_t w) { return bits(w, 14, 10); }
constexpr std::uint32_t rm(std::uint32_t w) { return bits(w, 20, 16); }

instruction of(std::uint32_t word, kind k) {
  instruction i;
  i.word = word;
  i.kind = k;
  return i;
}

instruction computes(std::uint32_t word, registers reads, registers writes) {
  instruction i = of(word, kind::other);
  i.reads = reads;
  i.writes = writes;
  return i;
}

instruction with_flags(instruction i, bool reads, bool writes) {
  i.reads_flags = reads;
  i.writes_flags = writes;
  return i;
}

// ---- data processing with an immediate ----

result immediate_arithmetic(std::uint32_t w) {
  const bool sets = bit(w, 29);
  return with_flags(computes(w, or_stack(rn(w)), sets ? general(rd(w)) : or_stack(rd(w))), false, sets);
}

result immediate_logic(std::uint32_t w) {
  const bool sets = bits(w, 30, 29) == 3;
  return with_flags(computes(w, general(rn(w)), sets ? general(rd(w)) : or_stack(rd(w))), false, sets);
}

result with_immediate(std::uint32_t w) {
  switch (bits(w, 25, 23)) {
    case 0:
    case 1: return computes(w, 0, general(rd(w)));  // adr, adrp
    case 2: return immediate_arithmetic(w);
    case 4: return immediate_logic(w);
    case 5: return computes(w, bits(w, 30, 29) == 3 ? general(rd(w)) : 0, general(rd(w)));  // movk keeps the rest
    case 6: return computes(w, general(rn(w)) | (bits(w, 30, 29) == 1 ? general(rd(w)) : 0), general(rd(w)));  // bfm
    case 7: return computes(w, general(rn(w)) | general(rm(w)), general(rd(w)));
    default: return {};  // of memory tags
  }
}

// ---- branches and system instructions ----

result barrier_instruction(std::uint32_t w) {
  instruction i = of(w, kind::barrier);
  const std::uint32_t type = bits(w, 9, 8);
  const bool data = bits(w, 7, 5) == 4 || bits(w, 7, 5) == 1;  // dsb, and with nXS
  switch (bits(w, 7, 5)) {
    case 2: i.kind = kind::clear_exclusive; return i;
    case 6: i.orders = barrier::isb; return i;
    case 1:
    case 4:
    case 5: break;
    default: return {};
  }
  if (type == 1) {
    i.orders = data ? barrier::dsb_loads : barrier::dmb_loads;
  } else if (type == 2) {
    i.orders = data ? barrier::dsb_stores : barrier::dmb_stores;
  } else {
    i.orders = data ? barrier::dsb_full : barrier::dmb_full;
  }
  return i;
}

result system_instruction(std::uint32_t w) {
  constexpr std::uint32_t flags_register = 0b1'1'011'0100'0010'000;  // NZCV
  if (bits(w, 31, 12) == 0xD5032) return computes(w, 0, 0);          // hints
  if (bits(w, 31, 12) == 0xD5033) return barrier_instruction(w);
  instruction i = of(w, kind::system);
  const bool gives = bit(w, 21);
  i.reads = gives ? 0 : general(rd(w));
  i.writes = gives ? general(rd(w)) : 0;
  const bool immediate = bits(w, 20, 19) == 0;  // cfinv and others change flags
  const bool flags = bits(w, 20, 5) == flags_register || immediate;
  return with_flags(i, flags && (gives || immediate), flags && !gives);
}

/// svc, brk and others: a system call reads up to nine registers and gives one, and is an isb as well.
result exception(std::uint32_t w) {
  instruction i = of(w, kind::system);
  if (bits(w, 23, 21) != 0 || bits(w, 4, 0) != 1) return i;
  i.reads = 0x1FF;
  i.writes = 1;
  i.orders = barrier::isb;
  return i;
}

result register_branch(std::uint32_t w) {
  if (bits(w, 20, 16) != 31 || bits(w, 24, 21) > 2) return {};
  if (bits(w, 15, 10) != 0 && bits(w, 15, 11) != 1) return {};
  instruction i = of(w, kind::indirect);
  const bool signed_return = bits(w, 24, 21) == 2 && bits(w, 15, 11) == 1;  // retaa: by x30
  i.reads = signed_return ? general(30) | or_stack(stack_pointer) : general(rn(w));
  if (bits(w, 24, 21) == 1) i.writes = general(30);
  return i;
}

instruction conditional(std::uint32_t w, std::int64_t distance) {
  instruction i = of(w, kind::conditional);
  i.immediate = distance * 4;
  return i;
}

result branch_or_system(std::uint32_t w) {
  if (bits(w, 30, 26) == 0b00101) {
    instruction i = of(w, kind::branch);
    i.immediate = signed_bits(w, 25, 0) * 4;
    if (bit(w, 31)) i.writes = general(30);
    return i;
  }
  if (bits(w, 30, 25) == 0b011010) {  // cbz, cbnz
    instruction i = conditional(w, signed_bits(w, 23, 5));
    i.reads = general(rd(w));
    return i;
  }
  if (bits(w, 30, 25) == 0b011011) {  // tbz, tbnz
    instruction i = conditional(w, signed_bits(w, 18, 5));
    i.reads = general(rd(w));
    return i;
  }
  if (bits(w, 31, 24) == 0b01010100) return with_flags(conditional(w, signed_bits(w, 23, 5)), true, false);
  if (bits(w, 31, 24) == 0b11010100) return exception(w);
  if (bits(w, 31, 22) == 0b1101010100) return system_instruction(w);
  if (bits(w, 31, 25) == 0b1101011) return register_branch(w);
  return {};
}

// ---- data processing with registers ----

result arithmetic(std::uint32_t w) {
  const bool sets = bit(w, 29);
  if (!bit(w, 21)) return with_flags(computes(w, general(rn(w)) | general(rm(w)), general(rd(w))), false, sets);
  return with_flags(computes(w, or_stack(rn(w)) | general(rm(w)), sets ? general(rd(w)) : or_stack(rd(w))), false,
                    sets);
}

result with_carry(std::uint32_t w) {
  if (bits(w, 15, 10) == 0) {
    return with_flags(computes(w, general(rn(w)) | general(rm(w)), general(rd(w))), true, bit(w, 29));
  }
  return with_flags(computes(w, general(rn(w)), 0), true, true);  // rmif, setf
}

result conditional_compare(std::uint32_t w) {
  return with_flags(computes(w, general(rn(w)) | (bit(w, 11) ? 0 : general(rm(w))), 0), true, true);
}

result one_or_two_sources(std::uint32_t w) {
  if (!bit(w, 30)) return with_flags(computes(w, general(rn(w)) | general(rm(w)), general(rd(w))), false, bit(w, 29));
  const registers old = bits(w, 20, 16) == 0 ? 0 : general(rd(w)) | or_stack(stack_pointer);  // a pointer is signed
  return computes(w, general(rn(w)) | old, general(rd(w)));
}

result with_registers(std::uint32_t w) {
  if (!bit(w, 28) && !bit(w, 24)) {
    return with_flags(computes(w, general(rn(w)) | general(rm(w)), general(rd(w))), false, bits(w, 30, 29) == 3);
  }
  if (!bit(w, 28)) return arithmetic(w);
  if (bit(w, 24)) return computes(w, general(rn(w)) | general(rm(w)) | general(ra(w)), general(rd(w)));
  switch (bits(w, 24, 21)) {
    case 0: return with_carry(w);
    case 2: return conditional_compare(w);
    case 4: return with_flags(computes(w, general(rn(w)) | general(rm(w)), general(rd(w))), true, false);  // csel
    case 6: return one_or_two_sources(w);
    default: return {};
  }
}

// ---- SIMD and floating point ----

/// Between a general and a vector register, or nothing if it is not that.
result converts(std::uint32_t w) {
  const bool scalar = !bit(w, 30) && bits(w, 28, 24) == 0b11110;
  const bool integer = scalar && bit(w, 21) && bits(w, 15, 10) == 0;
  const bool fixed = scalar && !bit(w, 21);
  if (!integer && !fixed) return {};
  const std::uint32_t what = bits(w, 18, 16);
  const bool from_general = what == 2 || what == 3 || (integer && what == 7);
  if (from_general) return computes(w, general(rn(w)) | vector(rd(w)), vector(rd(w)));  // fmov to a half keeps the rest
  return computes(w, vector(rn(w)), general(rd(w)));
}

/// dup, ins, smov, umov of a general register, or nothing.
result moves_element(std::uint32_t w) {
  const bool copy = bits(w, 31, 31) == 0 && bits(w, 29, 21) == 0b001110000 && !bit(w, 15) && bit(w, 10);
  if (!copy) return {};
  switch (bits(w, 14, 11)) {
    case 0b0001: return computes(w, general(rn(w)), vector(rd(w)));
    case 0b0011: return computes(w, general(rn(w)) | vector(rd(w)), vector(rd(w)));
    case 0b0101:
    case 0b0111: return computes(w, vector(rn(w)), general(rd(w)));
    default: return computes(w, vector(rn(w)) | vector(rd(w)), vector(rd(w)));
  }
}

/// fcmp, fccmp, fcsel, or nothing.
result compares(std::uint32_t w) {
  if (bits(w, 31, 24) != 0b00011110 || !bit(w, 21)) return {};
  const registers both = vector(rn(w)) | vector(rm(w));
  if (bits(w, 13, 10) == 0b1000) return with_flags(computes(w, both, 0), false, true);
  if (bits(w, 11, 10) == 1) return with_flags(computes(w, both, 0), true, true);
  if (bits(w, 11, 10) == 3) return with_flags(computes(w, both, vector(rd(w))), true, false);
  return {};
}

result vectors(std::uint32_t w) {
  if (const result r = converts(w)) return r;
  if (const result r = moves_element(w)) return r;
  if (const result r = compares(w)) return r;
  const bool constant = !bit(w, 31) && bits(w, 28, 19) == 0b0111100000 && bit(w, 10);  // movi, orr, bic
  if (constant) return computes(w, vector(rd(w)), vector(rd(w)));
  if (bits(w, 31, 24) == 0b00011110 && bit(w, 21) && bits(w, 12, 10) == 4)
    return computes(w, 0, vector(rd(w)));  // fmov
  // Of the others no more than the places of registers: those that are none in this one are read all the same.
  registers read = vector(rn(w)) | vector(rm(w)) | vector(ra(w)) | vector(rd(w));
  for (std::uint32_t more = 1; more != 4; ++more) read |= vector(rn(w) + more);  // tbl
  return computes(w, read, vector(rd(w)));
}

// ---- loads and stores ----

/// The pieces of an access that no memory makes at once: 16 bytes of a vector register are two accesses of 8.
void cut(instruction& i, unsigned bytes_of_each, unsigned count) {
  const unsigned parts = bytes_of_each > 8 ? bytes_of_each / 8 : 1;
  i.size = static_cast<std::uint8_t>(bytes_of_each / parts);
  i.elements = static_cast<std::uint8_t>(parts * count);
  i.width = static_cast<std::uint8_t>(bytes_of_each);
}

void based(instruction& i, std::uint32_t base) {
  i.base = static_cast<std::uint8_t>(base);
  i.address |= or_stack(base);
  i.reads |= or_stack(base);
}

void writes_back(instruction& i, arm::addressing mode) {
  i.addressing = mode;
  i.writes |= or_stack(i.base);
}

/// Register `number` as the next that elements go to or come from.
void moves(instruction& i, std::uint32_t number, bool is_vector) {
  const registers set = is_vector ? vector(number) : general(number);
  i.target.at(i.targets++) = is_vector ? static_cast<std::uint8_t>(first_vector + number) : general_number(number);
  if (i.kind == kind::load || i.kind == kind::load_exclusive) {
    i.loaded |= set;
  } else {
    i.data |= set;
    i.reads |= set;
  }
}

void extends(instruction& i, std::uint32_t opc) {
  i.is_signed = opc >= 2;
  i.width = opc == 2 || i.size == 8 ? 8 : 4;
}

result exclusive(std::uint32_t w) {
  const bool loads = bit(w, 22);
  const bool pair = bit(w, 21);
  instruction i = of(w, loads ? kind::load_exclusive : kind::store_exclusive);
  based(i, rn(w));
  cut(i, 1u << bits(w, 31, 30), 1);
  moves(i, rd(w), false);
  if (pair) {
    moves(i, ra(w), false);
    i.size = static_cast<std::uint8_t>(2 * i.size);  // both at once
  }
  (loads ? i.acquire : i.release) = bit(w, 15);
  if (!loads) {
    i.status = general_number(rm(w));
    i.writes |= general(rm(w));
  }
  return i;
}

/// ldar, stlr, ldlar, stllr: the last two order less, and are taken for the first two.
result ordered(std::uint32_t w) {
  instruction i = of(w, bit(w, 22) ? kind::load : kind::store);
  based(i, rn(w));
  cut(i, 1u << bits(w, 31, 30), 1);
  moves(i, rd(w), false);
  (bit(w, 22) ? i.acquire : i.release) = true;
  return i;
}

result compare_and_swap(std::uint32_t w, bool pair) {
  instruction i = of(w, kind::compare_and_swap);
  if (ra(w) != 31) return {};
  based(i, rn(w));
  const unsigned size = pair ? 4u << bits(w, 30, 30) : 1u << bits(w, 31, 30);
  cut(i, size, 1);
  i.acquire = bit(w, 22);
  i.release = bit(w, 15);
  i.operand = general_number(rm(w));
  moves(i, rd(w), false);
  registers compared = general(rm(w));
  if (pair) {
    moves(i, rd(w) + 1, false);
    compared |= general(rm(w) + 1);
    i.size = static_cast<std::uint8_t>(2 * size);
  }
  i.data |= compared;
  i.reads |= compared;
  i.loaded = compared;
  return i;
}

result exclusive_or_ordered(std::uint32_t w) {
  if (!bit(w, 23) && bit(w, 21) && !bit(w, 31)) return compare_and_swap(w, true);
  if (!bit(w, 23)) return exclusive(w);
  return bit(w, 21) ? compare_and_swap(w, false) : ordered(w);
}

/// ldapur, stlur and their kin.
result ordered_unscaled(std::uint32_t w) {
  if (bit(w, 21) || bits(w, 11, 10) != 0) return {};
  const bool stores = bits(w, 23, 22) == 0;
  instruction i = of(w, stores ? kind::store : kind::load);
  based(i, rn(w));
  cut(i, 1u << bits(w, 31, 30), 1);
  i.immediate = signed_bits(w, 20, 12);
  moves(i, rd(w), false);
  extends(i, bits(w, 23, 22));
  (stores ? i.release : i.acquire_pc) = true;
  return i;
}

result literal(std::uint32_t w) {
  const std::uint32_t opc = bits(w, 31, 30);
  if (opc == 3) return bit(w, 26) ? result{} : computes(w, 0, 0);  // prefetch
  instruction i = of(w, kind::load);
  i.addressing = addressing::literal;
  i.immediate = signed_bits(w, 23, 5) * 4;
  if (bit(w, 26)) {
    cut(i, 4u << opc, 1);
  } else {
    cut(i, opc == 1 ? 8 : 4, 1);
    i.is_signed = opc == 2;
    i.width = opc == 0 ? 4 : 8;
  }
  moves(i, rd(w), bit(w, 26));
  return i;
}

result pair(std::uint32_t w) {
  const bool is_vector = bit(w, 26);
  const bool loads = bit(w, 22);
  const std::uint32_t opc = bits(w, 31, 30);
  if (opc == 3 || (opc == 1 && !is_vector && !loads)) return {};  // of memory tags
  instruction i = of(w, loads ? kind::load : kind::store);
  const unsigned bytes = is_vector ? 4u << opc : opc == 2 ? 8 : 4;
  based(i, rn(w));
  cut(i, bytes, 2);
  if (!is_vector && opc == 1) {
    i.is_signed = true;
    i.width = 8;
  }
  i.immediate = signed_bits(w, 21, 15) * static_cast<std::int64_t>(bytes);
  moves(i, rd(w), is_vector);
  moves(i, ra(w), is_vector);
  if (bits(w, 24, 23) == 1) writes_back(i, addressing::post_index);
  if (bits(w, 24, 23) == 3) writes_back(i, addressing::pre_index);
  return i;
}

/// Kind, size and register of the loads and stores of one register; no addressing yet.
result single(std::uint32_t w) {
  const std::uint32_t size = bits(w, 31, 30);
  const std::uint32_t opc = bits(w, 23, 22);
  if (bit(w, 26)) {
    if (opc >= 2 && size != 0) return {};
    instruction i = of(w, (opc & 1) != 0 ? kind::load : kind::store);
    cut(i, opc >= 2 ? 16 : 1u << size, 1);
    moves(i, rd(w), true);
    return i;
  }
  if (opc == 3 && size >= 2) return {};
  if (opc == 2 && size == 3) return computes(w, 0, 0);  // prefetch
  instruction i = of(w, opc == 0 ? kind::store : kind::load);
  cut(i, 1u << size, 1);
  extends(i, opc);
  moves(i, rd(w), false);
  return i;
}

result update(std::uint32_t w) {
  instruction i = of(w, kind::update);
  if (bit(w, 26)) return {};
  based(i, rn(w));
  cut(i, 1u << bits(w, 31, 30), 1);
  if (bits(w, 15, 12) == 0b1100) {  // ldapr
    if (bits(w, 23, 22) != 2 || rm(w) != 31) return {};
    i.kind = kind::load;
    i.acquire_pc = true;
    moves(i, rd(w), false);
    return i;
  }
  if (bits(w, 15, 12) > 8) return {};
  i.operation = bit(w, 15) ? operation::swap : static_cast<operation>(bits(w, 14, 12) + 1);
  i.operand = general_number(rm(w));
  i.data = general(rm(w));
  i.reads |= i.data;
  i.loaded = general(rd(w));
  i.target[0] = general_number(rd(w));
  i.targets = 1;
  i.no_result = rd(w) == 31;
  i.acquire = bit(w, 23) && !i.no_result;
  i.release = bit(w, 22);
  return i;
}

result with_index(instruction i, std::uint32_t w) {
  if (!bit(w, 14)) return {};
  i.addressing = addressing::indexed;
  i.index = general_number(rm(w));
  i.extend = static_cast<std::uint8_t>(bits(w, 15, 13));
  i.shift = bit(w, 12) ? static_cast<std::uint8_t>(std::countr_zero(std::uint32_t{i.width > 8 ? 16u : i.size})) : 0;
  i.address |= general(rm(w));
  i.reads |= general(rm(w));
  return i;
}

result with_register(std::uint32_t w) {
  if (!bit(w, 24) && bit(w, 21) && bits(w, 11, 10) == 0) return update(w);
  if (!bit(w, 24) && bit(w, 21) && bits(w, 11, 10) != 2) return {};  // of signed pointers
  result r = single(w);
  if (!r || !r->accesses_memory()) return r;
  based(*r, rn(w));
  if (bit(w, 24)) {
    r->immediate = static_cast<std::int64_t>(bits(w, 21, 10)) * r->bytes();
    return r;
  }
  if (bit(w, 21)) return with_index(*r, w);
  r->immediate = signed_bits(w, 20, 12);
  if (bits(w, 11, 10) == 1) writes_back(*r, addressing::post_index);
  if (bits(w, 11, 10) == 3) writes_back(*r, addressing::pre_index);
  return r;
}

/// After the base: by the bytes that were moved, or by a register.
void steps_over(instruction& i, std::uint32_t w) {
  if (!bit(w, 23)) return;
  writes_back(i, addressing::post_index);
  i.immediate = i.bytes();
  if (rm(w) == 31) return;
  i.index = general_number(rm(w));
  i.reads |= general(rm(w));
}

/// ld1 to ld4 of whole registers. Which bytes go to which does not matter: each register depends on all of them.
result structures(std::uint32_t w) {
  unsigned count = 0;
  switch (bits(w, 15, 12)) {
    case 0b0000:
    case 0b0010: count = 4; break;
    case 0b0100:
    case 0b0110: count = 3; break;
    case 0b0111: count = 1; break;
    case 0b1000:
    case 0b1010: count = 2; break;
    default: return {};
  }
  instruction i = of(w, bit(w, 22) ? kind::load : kind::store);
  based(i, rn(w));
  cut(i, bit(w, 30) ? 16 : 8, count);
  for (unsigned n = 0; n != count; ++n) moves(i, (rd(w) + n) % 32, true);
  i.interleaved = true;
  steps_over(i, w);
  return i;
}

/// ld1 to ld4 of one element of each, or of one for all.
result lanes(std::uint32_t w) {
  const unsigned count = 2 * bits(w, 13, 13) + bits(w, 21, 21) + 1;
  unsigned scale = bits(w, 15, 14);
  if (scale == 3) scale = bits(w, 11, 10);
  if (scale == 2 && bit(w, 10)) scale = 3;
  instruction i = of(w, bit(w, 22) ? kind::load : kind::store);
  based(i, rn(w));
  cut(i, 1u << scale, count);
  for (unsigned n = 0; n != count; ++n) {
    moves(i, (rd(w) + n) % 32, true);
    i.data |= vector(rd(w) + n);  // the other lanes stay
    i.reads |= vector(rd(w) + n);
  }
  steps_over(i, w);
  return i;
}

result memory(std::uint32_t w) {
  const std::uint32_t group = bits(w, 29, 27);
  if (group == 0b001 && !bit(w, 26)) {
    if (bits(w, 25, 24) == 0) return exclusive_or_ordered(w);
  } else if (group == 0b001 && !bit(w, 31) && !bit(w, 25)) {
    return bit(w, 24) ? lanes(w) : structures(w);
  }
  if (group == 0b011 && bits(w, 25, 24) == 0) return literal(w);
  if (group == 0b011 && bits(w, 26, 24) == 1) return ordered_unscaled(w);
  if (group == 0b101 && !bit(w, 25)) return pair(w);
  if (group == 0b111 && !bit(w, 25)) return with_register(w);
  return {};
}

result understood(std::uint32_t w) {
  const std::uint32_t group = bits(w, 28, 25);
  if ((group & 0b1110) == 0b1000) return with_immediate(w);
  if ((group & 0b1110) == 0b1010) return branch_or_system(w);
  if ((group & 0b0101) == 0b0100) return memory(w);
  if ((group & 0b0111) == 0b0101) return with_registers(w);
  if ((group & 0b0111) == 0b0111) return vectors(w);
  return {};
}

instruction everything(std::uint32_t w) {
  instruction i = of(w, kind::unknown);
  i.reads = i.writes = ~registers{0};
  i.reads_flags = i.writes_flags = true;
  return i;
}

}  // namespace

instruction decode(std::uint32_t word) {
  const result known = understood(word);
  return known ? *known : everything(word);
}

}  // namespace licit::arm
