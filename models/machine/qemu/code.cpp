#include "machine/qemu/code.hpp"

#include <cstring>

namespace licit::qemu {

namespace {

located instruction_of(const qemu_plugin_insn* translated) {
  std::uint32_t word = 0;
  std::memcpy(&word, qemu_plugin_insn_data(translated), sizeof word);
  return {.what = arm::decode(word), .pc = qemu_plugin_insn_vaddr(translated)};
}

// Others are dataflow: that they ran is known when a later one of the block, or the next block, does.
bool begins_unit(const arm::instruction& i) {
  return i.accesses_memory() || i.kind == arm::kind::system || i.kind == arm::kind::unknown;
}

}  // namespace

block::block(const qemu_plugin_tb* translated) {
  const std::size_t count = qemu_plugin_tb_n_insns(translated);
  instructions_.reserve(count);
  for (std::size_t i = 0; i != count; ++i) {
    instructions_.push_back(instruction_of(qemu_plugin_tb_get_insn(translated, i)));
  }
  for (std::size_t i = 0; i != count;) {
    std::size_t end = i + 1;
    while (end != count && !begins_unit(instructions_[end].what)) ++end;
    units_.push_back({instructions_[i], std::span(instructions_).subspan(i + 1, end - i - 1)});
    i = end;
  }
}

void block::instrument(const qemu_plugin_tb* translated, qemu_plugin_vcpu_udata_cb_t before,
                       qemu_plugin_vcpu_mem_cb_t after) const {
  std::size_t i = 0;
  for (const unit& u : units_) {
    qemu_plugin_insn* instruction = qemu_plugin_tb_get_insn(translated, i);
    void* data = const_cast<unit*>(&u);  // NOLINT(cppcoreguidelines-pro-type-const-cast): handed back as it is
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, before, QEMU_PLUGIN_CB_R_REGS, data);
    qemu_plugin_register_vcpu_mem_cb(instruction, after, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_MEM_RW, data);
    i += 1 + u.then.size();
  }
}

}  // namespace licit::qemu
