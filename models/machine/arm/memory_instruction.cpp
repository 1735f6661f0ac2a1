// Loads and stores, decoded.
#include <bit>

#include "machine/arm/instruction.hpp"

namespace licit::arm::encoding {

namespace {

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

}  // namespace

result decode_memory(std::uint32_t w) {
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

}  // namespace licit::arm::encoding
