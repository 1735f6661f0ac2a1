// What QEMU calls. Nothing may be thrown through it: an exception ends the emulator with its words.
#include <csignal>
#include <exception>
#include <optional>
#include <span>

#include "machine/qemu/api.hpp"
#include "machine/qemu/emulator.hpp"
#include "machine/qemu/options.hpp"
#include "machine/qemu/session.hpp"

namespace licit::qemu {

namespace {

std::optional<session> all;  // made before any callback

template <class Body>
void guarded(Body&& body) {
  try {
    body();
  } catch (const std::exception& e) {
    fail(e.what());
  }
}

void translated(qemu_plugin_id_t /*id*/, qemu_plugin_tb* what) {
  guarded([&] {
    // Stays as long as the emulator: QEMU does not say when it forgets a block.
    const auto* made = new block(what);
    made->instrument(
        what, [](unsigned, void* data) { guarded([&] { all->before(*static_cast<const unit*>(data)); }); },
        [](unsigned, qemu_plugin_meminfo_t info, std::uint64_t address, void*) {
          guarded([&] { all->after(address, 1U << qemu_plugin_mem_size_shift(info)); });
        });
  });
}

void called(qemu_plugin_id_t /*id*/, unsigned /*vcpu*/, std::int64_t number, std::uint64_t a1, std::uint64_t a2,
            std::uint64_t a3, std::uint64_t a4, std::uint64_t a5, std::uint64_t a6, std::uint64_t /*a7*/,
            std::uint64_t /*a8*/) {
  guarded([&] { all->before(system_call{number, {a1, a2, a3, a4, a5, a6}}); });
}

void returned(qemu_plugin_id_t /*id*/, unsigned /*vcpu*/, std::int64_t number, std::int64_t /*result*/) {
  guarded([&] { all->after(system_call{number, {}}); });
}

int install(qemu_plugin_id_t id, const qemu_info_t& emulator, std::span<char*> arguments) {
  if (std::string_view(emulator.target_name) != "aarch64" || emulator.system_emulation) {
    fail("this is not qemu-aarch64, the user-mode emulator");
  }
  all.emplace(parse(arguments));
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_vcpu_syscall_cb(id, called);
  qemu_plugin_register_vcpu_syscall_ret_cb(id, returned);
  qemu_plugin_register_atexit_cb(id, [](qemu_plugin_id_t, void*) { all->end(); }, nullptr);
  return 0;
}

}  // namespace

}  // namespace licit::qemu

extern "C" {

/// Of the interface that the plugin is written for. QEMU refuses a plugin of one that it has not.
[[gnu::visibility("default")]] int qemu_plugin_version = 1;  // NOLINT(readability-identifier-naming)

// NOLINTNEXTLINE(readability-identifier-naming): QEMU's name
[[gnu::visibility("default")]] int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* emulator, int count,
                                                       char** arguments) {
  return licit::qemu::install(id, *emulator, std::span(arguments, static_cast<std::size_t>(count)));
}
}
