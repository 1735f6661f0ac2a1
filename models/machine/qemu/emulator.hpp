/// The emulator that the plugin runs in: the guest's memory, and the registers of the guest thread that calls.
///
/// QEMU 7.2 has no call for registers. What makes them readable all the same: any load or store may fault, and the
/// signal handler must then find the guest's registers as they were before that instruction; so QEMU's code generator
/// keeps the copy in memory true at every access, also within a block of several instructions. A callback before a
/// load, a store or an atomic instruction therefore reads the right registers; before any other instruction it may not.
/// The plugin compares the address that it computes from them with the one that QEMU reports after each access, and
/// gives up when they differ.
#ifndef LICIT_MODELS_QEMU_EMULATOR_HPP
#define LICIT_MODELS_QEMU_EMULATOR_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "machine/arm/instruction.hpp"
#include "machine/qemu/api.hpp"

namespace licit::qemu {

class emulator {
 public:
  /// Registers x0 to x30 and the stack pointer, of one guest thread.
  using registers = std::array<std::uint64_t, 32>;

  /// Looks for the symbols that it needs in the emulator's process. Gives up, naming the one that is not there.
  emulator();

  /// In the first system call of the protocol, whose arguments and number it is given: finds where the emulator keeps
  /// registers, by these values in x0 to x5 and x8. Gives up if they are not in exactly one place.
  void find_registers(const std::array<std::uint64_t, 6>& arguments, std::uint64_t number);

  /// The calling guest thread's; they stay at that place.
  [[nodiscard]] const registers& mine() const;

  /// The guest's memory at this address, which is mapped.
  /// The sum is one of integers: the base is mostly 0, and a null pointer plus n is undefined.
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address in the guest's memory
  [[nodiscard]] std::byte* at(std::uint64_t address) const { return reinterpret_cast<std::byte*>(base_ + address); }

  /// Little-endian, of 1, 2, 4 or 8 bytes.
  [[nodiscard]] std::uint64_t read(std::uint64_t address, unsigned bytes) const;
  void write(std::uint64_t address, unsigned bytes, std::uint64_t value) const;

 private:
  std::uintptr_t base_;     // where the guest's address 0 would be
  std::size_t offset_ = 0;  // of the registers, in the emulator's record of a guest thread
};

struct located {
  arm::instruction what;
  std::uint64_t pc = 0;
};

/// An instruction that the plugin is called before, and those of the block that follow it up to the next such one: they
/// access no memory, and are told to the model later, all at once.
struct unit {
  located at;
  std::span<const located> then;
};

/// A translated block. Units lie where they are for as long as the block does.
class block {
 public:
  /// Within QEMU's callback for a block that it translates.
  explicit block(const qemu_plugin_tb* translated);

  block(const block&) = delete;
  block& operator=(const block&) = delete;

  /// Has QEMU call these before each unit, and after each of its accesses to memory, with the unit.
  void instrument(const qemu_plugin_tb* translated, qemu_plugin_vcpu_udata_cb_t before,
                  qemu_plugin_vcpu_mem_cb_t after) const;

 private:
  std::vector<located> instructions_;
  std::vector<unit> units_;
};

}  // namespace licit::qemu

#endif
