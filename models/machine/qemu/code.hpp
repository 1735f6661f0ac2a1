/// The guest's code as the plugin sees it, made once when QEMU translates a block.
#ifndef LICIT_MODELS_QEMU_CODE_HPP
#define LICIT_MODELS_QEMU_CODE_HPP

#include <cstdint>
#include <span>
#include <vector>

#include "machine/qemu/api.hpp"
#include "machine/arm/instruction.hpp"

namespace licit::qemu {

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
