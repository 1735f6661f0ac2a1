/// The part of QEMU's TCG plugin interface, version 1 (QEMU 4.2 to 8), that the plugin uses: own declarations, after
/// the published documentation (docs/devel/tcg-plugins), because Debian packages no header for it.
///
/// QEMU is under the GPL, version 2, and a plugin runs in its process. So the shared object that is made of this folder
/// is a separate program part: built for these tests only, never installed, never linked to the library or its users;
/// where it is given to others, it is under the terms of QEMU's licence, which this project's permits.
#ifndef LICIT_MODELS_QEMU_API_HPP
#define LICIT_MODELS_QEMU_API_HPP

#include <cstddef>
#include <cstdint>

extern "C" {

// Names and layouts are QEMU's. NOLINTBEGIN(readability-identifier-naming)
struct qemu_plugin_tb;
struct qemu_plugin_insn;
using qemu_plugin_id_t = std::uint64_t;
using qemu_plugin_meminfo_t = std::uint32_t;

/// What QEMU tells of itself; it continues with fields of system emulation.
struct qemu_info_t {
  const char* target_name;
  struct {
    int min;
    int cur;
  } version;
  bool system_emulation;
};

/// Whether a callback looks at registers. QEMU before 9 takes no notice: see emulator.hpp for what is true of them.
enum qemu_plugin_cb_flags : int { QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_CB_R_REGS, QEMU_PLUGIN_CB_RW_REGS };
enum qemu_plugin_mem_rw : int { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W, QEMU_PLUGIN_MEM_RW };

using qemu_plugin_vcpu_tb_trans_cb_t = void (*)(qemu_plugin_id_t, qemu_plugin_tb*);
using qemu_plugin_vcpu_udata_cb_t = void (*)(unsigned vcpu, void* data);
using qemu_plugin_vcpu_mem_cb_t = void (*)(unsigned vcpu, qemu_plugin_meminfo_t, std::uint64_t address, void* data);
using qemu_plugin_vcpu_syscall_cb_t = void (*)(qemu_plugin_id_t, unsigned vcpu, std::int64_t number, std::uint64_t a1,
                                               std::uint64_t a2, std::uint64_t a3, std::uint64_t a4, std::uint64_t a5,
                                               std::uint64_t a6, std::uint64_t a7, std::uint64_t a8);
using qemu_plugin_vcpu_syscall_ret_cb_t = void (*)(qemu_plugin_id_t, unsigned vcpu, std::int64_t number,
                                                   std::int64_t result);
using qemu_plugin_udata_cb_t = void (*)(qemu_plugin_id_t, void* data);

// Of a block that is being translated: valid within that callback only.
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t callback);
std::size_t qemu_plugin_tb_n_insns(const qemu_plugin_tb* block);
qemu_plugin_insn* qemu_plugin_tb_get_insn(const qemu_plugin_tb* block, std::size_t index);
const void* qemu_plugin_insn_data(const qemu_plugin_insn* instruction);
std::uint64_t qemu_plugin_insn_vaddr(const qemu_plugin_insn* instruction);

/// Called before the instruction.
void qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_insn* instruction, qemu_plugin_vcpu_udata_cb_t callback,
                                            qemu_plugin_cb_flags flags, void* data);
/// Called after each access to memory of the instruction.
void qemu_plugin_register_vcpu_mem_cb(qemu_plugin_insn* instruction, qemu_plugin_vcpu_mem_cb_t callback,
                                      qemu_plugin_cb_flags flags, qemu_plugin_mem_rw kinds, void* data);
unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);

void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_syscall_cb_t callback);
void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t id, qemu_plugin_vcpu_syscall_ret_cb_t callback);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_plugin_udata_cb_t callback, void* data);

/// The guest's executable, to be freed by its reader; where it was loaded.
const char* qemu_plugin_path_to_binary();
std::uint64_t qemu_plugin_start_code();
// NOLINTEND(readability-identifier-naming)

}  // extern "C"

#endif
