/// On which reads a thread's registers, its flags and its own memory depend.
#ifndef LICIT_MODELS_ARM_DEPENDENCIES_HPP
#define LICIT_MODELS_ARM_DEPENDENCIES_HPP

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "machine/arm/instruction.hpp"
#include "machine/arm/relation.hpp"

namespace licit::arm {

/// Of one execution. A dependency is syntactic: x ^ x depends on x.
class dependencies {
 public:
  void begin(unsigned threads);

  /// Events below `events` have room.
  void widen(std::size_t events) { sets_.widen(events); }

  /// What these registers depend on, and the flags if asked. Holds until the next call of any function but `control`.
  const word* of(unsigned thread, registers read, bool flags = false);
  [[nodiscard]] bool any(unsigned thread, registers read, bool flags = false) const {
    const owner& t = threads_[thread];
    return (t.registers & read) != 0 || (flags && t.flags);
  }

  /// What all that follows depends on by branches.
  [[nodiscard]] const word* control(unsigned thread) const { return sets_[row(thread, control_row)]; }

  /// Registers and flags that an instruction computes from those it reads.
  void compute(unsigned thread, const instruction& i);
  /// What an instruction that accesses memory computes besides: the base of a write-back, the status of an exclusive
  /// store, on which nothing depends.
  void write_back(unsigned thread, const instruction& i);
  /// An access of the thread's own memory; `writes` if it stores anything. Registers and memory.
  void own_access(unsigned thread, const instruction& i, std::uint64_t address, bool writes);
  /// Registers that depend on nothing.
  void forget(unsigned thread, registers written);
  /// One register that depends on these events and no others.
  void assign(unsigned thread, unsigned reg, const word* events);
  void assign(unsigned thread, unsigned reg, std::size_t event);
  void add(unsigned thread, unsigned reg, std::size_t event);
  /// What follows depends on these events by a branch.
  void branch(unsigned thread, const word* events) { sets_.merge(row(thread, control_row), events); }

  /// What these bytes of the thread's own memory depend on. Holds until the next call.
  const word* stored(unsigned thread, std::uint64_t address, unsigned bytes);

  [[nodiscard]] const bit_matrix& sets() const { return sets_; }
  [[nodiscard]] bool empty(const word* events) const;

 private:
  /// A smaller store than 8 bytes leaves what the rest depends on.
  void store(unsigned thread, std::uint64_t address, unsigned bytes, const word* events);

  static constexpr std::size_t flags_row = register_count;
  static constexpr std::size_t control_row = flags_row + 1;
  static constexpr std::size_t rows_of_thread = control_row + 1;
  static constexpr std::size_t scratch = 0;  ///< of `of`
  static constexpr std::size_t of_memory = 1;
  static constexpr std::size_t of_one = 2;
  static constexpr std::size_t of_address = 3;
  static constexpr std::size_t first_thread = 4;

  struct owner {
    arm::registers registers = 0;  ///< that depend on anything
    bool flags = false;
    std::unordered_map<std::uint64_t, std::size_t> memory;  ///< an address divided by 8, and its row
  };

  static std::size_t row(unsigned thread, std::size_t place) { return first_thread + thread * rows_of_thread + place; }

  bit_matrix sets_;  ///< scratch rows, then each thread's, then those of memory
  std::vector<owner> threads_;
  std::vector<std::size_t> unused_;  ///< rows of memory that nothing has any more
};

}  // namespace licit::arm

#endif
