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

emulator::emulator() : base_{*static_cast<std::byte**>(symbol("guest_base"))} { (void)symbol("current_cpu"); }

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

}  // namespace licit::qemu
