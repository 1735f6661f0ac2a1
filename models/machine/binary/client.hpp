/// Client programs over a compiled structure: the executable, how it is built, and whether every execution is right.
#ifndef LICIT_MODELS_BINARY_CLIENT_HPP
#define LICIT_MODELS_BINARY_CLIENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/arm/exploration.hpp"
#include "machine/arm/machine.hpp"
#include "machine/codegen/target.hpp"
#include "suites/line.hpp"

namespace licit::binary {

// An AArch64 executable, as its file has it: what is in memory when it starts, and where its symbols are.

struct symbol {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  bool is_function = false;
};

struct executable {
  arm::memory memory;                                  ///< what is not written, or only while it is loaded, is constant
  std::map<std::string, symbol, std::less<>> symbols;  ///< of functions and objects

  /// Throws std::runtime_error that names it when there is none.
  [[nodiscard]] const symbol& at(std::string_view name) const;
  /// The machine code of licit's functions, those whose symbols have that in them, and where it is.
  [[nodiscard]] std::string code() const;
  /// "licit_push+0x10": the function that has this address, or the address.
  [[nodiscard]] std::string place(std::uint64_t address) const;
};

/// A statically linked executable at fixed addresses. Throws std::runtime_error that names the file and what is wrong:
/// not to be read, no such executable, no symbols.
executable read_executable(const std::filesystem::path& path);

// A structure's operations, compiled and linked by a cross compiler, as such an executable.

/// client_part.cpp, for where licit's source tree is not.
extern const std::string_view client_source;

/// operations.cpp of models/machine/codegen, and client_part.cpp behind it. With `changes` its policy is the one whose
/// rows can be changed, and these are, if any; without it is the one that is linked. `headers` is an include path.
/// Throws std::runtime_error with the compiler's words when it does not compile or link.
executable build(const codegen::structure& s, const codegen::compiler& by, std::string_view headers,
                 const std::optional<std::vector<codegen::change>>& changes = std::nullopt);

/// Of each row that orders anything: one step weaker, in each way that its operation can be, and relaxed.
std::vector<codegen::change> weakenings(const codegen::structure& s);

// Clients.

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
