/// What an A64 instruction reads, writes and orders: enough for a memory model, nothing of what it computes.
///
/// Source: Arm Architecture Reference Manual for A-profile (DDI 0487), C4 "A64 Instruction Set Encoding".
#ifndef LICIT_MODELS_ARM_INSTRUCTION_HPP
#define LICIT_MODELS_ARM_INSTRUCTION_HPP

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

namespace licit::arm {

enum class kind : std::uint8_t {
  other,            ///< computes with registers and flags
  load,             ///< also of pairs and of SIMD&FP registers
  store,            ///< the same
  load_exclusive,   ///< ldxr, ldaxr
  store_exclusive,  ///< stxr, stlxr
  update,           ///< swp, ldadd, ldclr, ldeor, ldset, ldsmax ..., and their forms without a result
  compare_and_swap,
  barrier,          ///< dmb, dsb, isb: `orders`
  clear_exclusive,  ///< clrex
  branch,           ///< without a condition, to a fixed place; bl among them
  conditional,      ///< b.cond, cbz, tbz
  indirect,         ///< br, blr, ret
  system,           ///< svc, brk, mrs, msr, cache maintenance; hints are `other`
  unknown,          ///< reads and writes all registers and the flags
};

enum class barrier : std::uint8_t { none, dmb_full, dmb_loads, dmb_stores, dsb_full, dsb_loads, dsb_stores, isb };

/// What an `update` writes, of what it read and its operand.
enum class operation : std::uint8_t { swap, add, clear, exclusive_or, set, smax, smin, umax, umin };

/// A set of registers: bit n is Xn (n up to 30), 31 the stack pointer, 32 + n is Vn. The zero register is in none.
using registers = std::uint64_t;

inline constexpr unsigned register_count = 64;
inline constexpr unsigned stack_pointer = 31;
inline constexpr unsigned first_vector = 32;
inline constexpr std::uint8_t no_register = std::numeric_limits<std::uint8_t>::max();  ///< or the zero register

enum class addressing : std::uint8_t {
  offset,      ///< base + immediate
  pre_index,   ///< the same, and the base becomes it
  post_index,  ///< base; then the base becomes base + immediate, or base + index
  indexed,     ///< base + the index, extended and shifted
  literal,     ///< the instruction's own address + immediate
};

struct instruction {
  std::uint32_t word = 0;
  arm::kind kind = arm::kind::unknown;
  arm::barrier orders = barrier::none;
  arm::operation operation = arm::operation::swap;

  // Registers, of any instruction. Those that a load fills are `loaded` and not in `writes`.
  registers reads = 0;   ///< all that it reads, those for the address among them
  registers writes = 0;  ///< all that it computes: results, the base of a write-back, a store-exclusive's status
  registers loaded = 0;  ///< all that get their value from memory
  bool reads_flags = false;
  bool writes_flags = false;

  // Memory accesses.
  std::uint8_t size = 0;      ///< of each element in bytes: 1, 2, 4, 8; 16 for a pair that is to be atomic
  std::uint8_t elements = 0;  ///< accesses of that size, one behind the other: 2 of ldp and of a 16-byte register
  bool acquire = false;       ///< ldar, ldaxr, casa: A in the model
  bool acquire_pc = false;    ///< ldapr: Q in the model
  bool release = false;       ///< stlr, stlxr, casl: L in the model
  bool no_result = false;     ///< an update whose result is not wanted (stadd, or ldadd to the zero register)
  registers address = 0;      ///< read for the address
  registers data = 0;         ///< read for the data: what is stored, an update's operand, what a CAS compares with, and
                              ///< what a load of one lane leaves in the others
  /// The registers that elements go to, or come from, in their order: element i belongs to target i times `targets`
  /// divided by `elements`. no_register where that is the zero register, or there is none.
  std::array<std::uint8_t, 4> target{no_register, no_register, no_register, no_register};
  std::uint8_t targets = 0;
  bool interleaved = false;            ///< elements go to registers in another order (ld2): each belongs to all of them
  std::uint8_t operand = no_register;  ///< of an update, or what a CAS compares with and fills
  std::uint8_t status = no_register;   ///< of a store-exclusive
  bool is_signed = false;              ///< the loaded value is sign-extended
  std::uint8_t width = 0;              ///< in bytes, of the register that it is extended to: 4, 8, or 16

  arm::addressing addressing = arm::addressing::offset;
  std::uint8_t base = no_register;   ///< stack_pointer, or Xn
  std::uint8_t index = no_register;  ///< Xn
  std::uint8_t extend = 3;           ///< of the index, the manual's option: 2 uxtw, 3 lsl, 6 sxtw, 7 sxtx
  std::uint8_t shift = 0;            ///< of the index
  std::int64_t immediate = 0;        ///< in bytes; also of a branch, from its own address

  [[nodiscard]] bool accesses_memory() const { return elements != 0; }
  [[nodiscard]] bool reads_memory() const {
    return accesses_memory() && kind != arm::kind::store && kind != arm::kind::store_exclusive;
  }
  [[nodiscard]] bool writes_memory() const {
    return accesses_memory() && kind != arm::kind::load && kind != arm::kind::load_exclusive;
  }
  [[nodiscard]] unsigned bytes() const { return unsigned{size} * elements; }

  /// Where the first element is. `value` gives a register's value: value(n) of Xn, value(stack_pointer).
  template <class Values>
  [[nodiscard]] std::uint64_t effective_address(std::uint64_t pc, Values&& value) const {
    const auto offset = static_cast<std::uint64_t>(immediate);
    if (addressing == arm::addressing::literal) return pc + offset;
    const std::uint64_t from = value(base);
    if (addressing == arm::addressing::post_index) return from;
    if (addressing == arm::addressing::indexed) return from + extended(value(index));
    return from + offset;
  }

  /// An index as it is added to the base.
  [[nodiscard]] std::uint64_t extended(std::uint64_t value) const {
    if (extend == 2) value = static_cast<std::uint32_t>(value);
    if (extend == 6) value = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)});
    return value << shift;
  }
};

/// Never fails: what it does not understand is `unknown`, which depends on everything and is depended on by everything
/// after it. Constant time.
instruction decode(std::uint32_t word);

}  // namespace licit::arm

namespace licit::arm::encoding {

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

/// Nothing: the word is not understood.
using result = std::optional<instruction>;

inline instruction of(std::uint32_t word, kind k) {
  instruction i;
  i.word = word;
  i.kind = k;
  return i;
}

inline instruction computes(std::uint32_t word, registers reads, registers writes) {
  instruction i = of(word, kind::other);
  i.reads = reads;
  i.writes = writes;
  return i;
}

inline instruction with_flags(instruction i, bool reads, bool writes) {
  i.reads_flags = reads;
  i.writes_flags = writes;
  return i;
}

/// Of a word in the group of loads and stores: memory_instruction.cpp. Never fails.
result decode_memory(std::uint32_t w);

}  // namespace licit::arm::encoding

#endif
