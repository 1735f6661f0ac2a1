/// Client programs over a compiled structure, and whether every execution of them is right.
#ifndef LICIT_MODELS_BINARY_CLIENT_HPP
#define LICIT_MODELS_BINARY_CLIENT_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/arm/exploration.hpp"
#include "machine/binary/elf.hpp"

namespace licit::binary {

enum class call : std::uint8_t {
  push,
  pop,
  steal,
  steal_half,  ///< what is more than one item goes to the thief's own structure
  pop_own,     ///< the thief's, from that
};

/// Thread 0 is the owner. Items are numbered in the order of their push; the owner writes an item's number into it
/// before it pushes it, and whoever takes it reads that.
struct client {
  std::string_view name;
  std::string_view what;
  std::size_t capacity;
  std::size_t maximum;
  bool grows;                              ///< makes no sense for a bounded structure
  std::vector<std::vector<call>> threads;  ///< no more than eight pushes; one thread that takes half
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
