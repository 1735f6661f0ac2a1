/// What the plugin is told at its start: `-plugin file.so,schedule=pct,seed=7`.
#ifndef LICIT_MODELS_QEMU_OPTIONS_HPP
#define LICIT_MODELS_QEMU_OPTIONS_HPP

#include <cstdint>
#include <span>
#include <string>

#include "machine/qemu/guest.hpp"

namespace licit::qemu {

/// Who runs next, at each access to shared memory.
enum class scheduling : std::uint8_t {
  mixed,     ///< each execution by one of the others
  random,    ///< anyone, each as likely
  sticky,    ///< mostly who ran last
  standing,  ///< as sticky, but one thread stands for long at a random place while the others go on
  pct,       ///< by priorities that change at a few random places (Burckhardt et al., ASPLOS 2010)
};

/// Bugs in the model of memory, which the self-check must find.
enum class seeded : std::uint8_t {
  none,
  dependencies,  ///< address, data and control dependencies order nothing
  foretelling,   ///< what was foretold is taken for true
  views,         ///< what is read of one location says nothing of others: not multi-copy atomic
};

/// Load buffering: an execution is run again, and a load reads a store that is still to come (foretelling.cpp).
enum class foretelling : std::uint8_t {
  none,
  words,  ///< loads of up to 4 bytes. Wrong indices and sizes, of 8, lead a guest into loops that it never leaves
  all,
};

struct options {
  bool weak = true;  ///< off: every load reads the latest value, as in sequential consistency
  seeded fault = seeded::none;
  scheduling schedule = scheduling::mixed;
  std::uint64_t seed = 1;
  std::uint64_t steps = 2'500;  ///< accesses to shared memory, of an execution, before it is `endless`
  std::uint64_t survey = 0;     ///< executions before the first, in which it learns where threads meet (strategy.hpp)
  foretelling foretell = foretelling::none;
  bool shrink = true;   ///< a failing execution is made smaller before its history is printed
  bool history = true;  ///< of the first failing execution is printed
  bool pin = true;      ///< all guest threads on one processor: a turn is handed on faster
  std::string lines =
      "aarch64-linux-gnu-addr2line";  ///< finds source lines for histories; functions if it is not there
  std::string report;                 ///< a file for counts as JSON, at the end; none if empty
};

/// Gives up at a name or value that it does not know.
options parse(std::span<char*> arguments);

/// Says what is wrong on standard error, and ends the emulator with its guest at once: no verdict may come of it.
[[noreturn]] void fail(const std::string& what, int status = gave_up);

}  // namespace licit::qemu

#endif
