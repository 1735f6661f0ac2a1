#include "machine/arm/instruction.hpp"

namespace licit::arm {

namespace encoding {

namespace {

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

result understood(std::uint32_t w) {
  const std::uint32_t group = bits(w, 28, 25);
  if ((group & 0b1110) == 0b1000) return with_immediate(w);
  if ((group & 0b1110) == 0b1010) return branch_or_system(w);
  if ((group & 0b0101) == 0b0100) return decode_memory(w);
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

}  // namespace encoding

instruction decode(std::uint32_t word) {
  const encoding::result known = encoding::understood(word);
  return known ? *known : encoding::everything(word);
}

}  // namespace licit::arm
