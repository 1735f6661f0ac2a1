/// How the plugin gives up: what it is asked for cannot be done soundly, or the emulator is not as expected.
#ifndef LICIT_MODELS_QEMU_FAIL_HPP
#define LICIT_MODELS_QEMU_FAIL_HPP

#include <string>

#include "guest.hpp"

namespace licit::qemu {

/// Says what is wrong on standard error, and ends the emulator with its guest at once: no verdict may come of it.
[[noreturn]] void fail(const std::string& what, int status = gave_up);

}  // namespace licit::qemu

#endif
