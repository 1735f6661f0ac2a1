/// Client programs over a compiled structure, and whether every execution of them is right.
#ifndef LICIT_MODELS_BINARY_CLIENT_HPP
#define LICIT_MODELS_BINARY_CLIENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "machine/arm/exploration.hpp"
#include "machine/binary/elf.hpp"
#include "suites/line.hpp"

namespace licit::binary {

/// What a client's line may call and set. Thread 0 is the owner. Items are numbered in the order of their push; the
/// owner writes an item's number into it before it pushes it, and whoever takes it reads that. `half` gives what is
/// more than one item to the thief's own structure, from which `own` pops.
enum call : std::uint8_t { push_call, pop_call, steal_call, half_call, own_call };
enum setting : std::uint8_t { capacity_setting, maximum_setting, grows_setting };
inline constexpr std::array call_names{"push", "pop", "steal", "half", "own"};
inline constexpr std::array setting_names{"capacity", "maximum", "grows"};
inline constexpr suites::vocabulary client_words{call_names, setting_names};

struct client {
  std::string_view name;
  std::string_view what;
  suites::line calls;  ///< no more than eight pushes; one thread that takes half

  [[nodiscard]] constexpr std::size_t capacity() const { return calls.setting(capacity_setting, 2); }
  [[nodiscard]] constexpr std::size_t maximum() const { return calls.setting(maximum_setting, 8); }
  /// It makes no sense for a bounded structure.
  [[nodiscard]] constexpr bool grows() const { return calls.setting(grows_setting, 0) != 0; }
};

/// Those that there are.
std::span<const client> clients();

struct verdict {
  arm::counts counts;
  std::string violation;  ///< which property, and the execution; empty: none
};

/// Whether that structure can be this client's.
bool suits(const client& c, const executable& on);

/// Explores the client on the executable. At the end what is left is popped: then each item that was pushed has been
/// taken once, and whoever took it read its number. Throws arm::refused for code that is not modelled, and
/// std::runtime_error when the executable is not one of `build`.
verdict run(const client& c, const executable& on, const arm::exploration_limits& limits = {});

}  // namespace licit::binary

#endif
