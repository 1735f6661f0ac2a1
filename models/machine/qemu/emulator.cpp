#include "machine/qemu/emulator.hpp"

#include <cstring>
#include <dlfcn.h>
#include <string>

#include "machine/qemu/options.hpp"

namespace licit::qemu {

namespace {

/// For a variable of each thread: the calling thread's.
void* symbol(const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  if (found == nullptr) fail("this emulator exports no symbol " + std::string(name) + ": QEMU 7.2's does");
  return found;
}

thread_local std::byte* record = nullptr;  // looked up once: a host thread runs one guest thread

// Where the emulator keeps the guest thread that the calling host thread runs.
std::byte* guest_thread() {
  if (record != nullptr) return record;
  record = *static_cast<std::byte**>(symbol("current_cpu"));
  if (record == nullptr) fail("the emulator's current_cpu is null in a callback of a guest thread");
  return record;
}

}  // namespace

emulator::emulator() : base_{*static_cast<std::uintptr_t*>(symbol("guest_base"))} { (void)symbol("current_cpu"); }

void emulator::find_registers(const std::array<std::uint64_t, 6>& arguments, std::uint64_t number) {
  constexpr std::size_t searched = 16384;  // bytes; the record is larger
  const std::byte* const place = guest_thread();
  std::size_t places = 0;
  for (std::size_t offset = 0; offset + sizeof(registers) <= searched; offset += sizeof(std::uint64_t)) {
    registers values;
    std::memcpy(values.data(), place + offset, sizeof values);
    if (std::memcmp(values.data(), arguments.data(), sizeof arguments) != 0 || values[8] != number) continue;
    offset_ = offset;
    ++places;
  }
  if (places != 1) fail("the guest's registers were found in " + std::to_string(places) + " places, not in one");
}

const emulator::registers& emulator::mine() const {
  return *reinterpret_cast<const registers*>(guest_thread() + offset_);
}

std::uint64_t emulator::read(std::uint64_t address, unsigned bytes) const {
  std::uint64_t value = 0;
  std::memcpy(&value, at(address), bytes);
  return value;
}

void emulator::write(std::uint64_t address, unsigned bytes, std::uint64_t value) const {
  std::memcpy(at(address), &value, bytes);
}

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
