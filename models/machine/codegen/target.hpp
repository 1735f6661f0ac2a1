/// The structures whose code is looked at, what it is made for, and by which compilers.
#ifndef LICIT_MODELS_CODEGEN_TARGET_HPP
#define LICIT_MODELS_CODEGEN_TARGET_HPP

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <licit/deque/order.hpp>

namespace licit::codegen {

enum class family { x86, arm, riscv, power };

struct target {
  std::string_view name;
  family instructions;
  std::string_view triple;   ///< of the tools: <triple>-g++, <triple>-objdump
  std::string_view package;  ///< Debian's, which has the compiler, and the headers that clang++ needs as well
  std::string_view flags;
};

inline constexpr std::array targets{
    target{"x86-64", family::x86, "x86_64-linux-gnu", "g++", ""},
    target{"aarch64", family::arm, "aarch64-linux-gnu", "g++-aarch64-linux-gnu", ""},
    target{"aarch64+llsc", family::arm, "aarch64-linux-gnu", "g++-aarch64-linux-gnu", "-mno-outline-atomics"},
    target{"aarch64+lse", family::arm, "aarch64-linux-gnu", "g++-aarch64-linux-gnu", "-march=armv8.1-a"},
    target{"aarch64+rcpc", family::arm, "aarch64-linux-gnu", "g++-aarch64-linux-gnu", "-march=armv8.3-a"},
    target{"riscv64", family::riscv, "riscv64-linux-gnu", "g++-riscv64-linux-gnu", ""},
    target{"ppc64le", family::power, "powerpc64le-linux-gnu", "g++-powerpc64le-linux-gnu", ""},
};

inline constexpr std::array<std::string_view, 2> compilers{"g++", "clang"};

/// A compiler that is there, and how to call it for one target.
struct compiler {
  std::string_view name;  ///< one of `compilers`
  std::string version;    ///< 12.2.0
  std::string called;     ///< "g++ 12": what an expected table calls it
  std::vector<std::string> command;
  std::vector<std::string> when_marked;  ///< arguments by which marks do not change what is inlined
  std::string objdump;
};

/// The folders of an include path, joined by ':', as compiler arguments: "-Ione", "-Itwo".
std::vector<std::string> include_flags(std::string_view path);

/// The include path of the build that this is part of: where <licit/…> is.
std::string_view headers_of_this_build();

/// Throws `missing` when the compiler, the target's headers or its objdump are not there.
compiler find_compiler(std::string_view name, const target& t);

struct structure {
  std::string_view name;  ///< its table's
  std::string_view header;
  std::string_view type;     ///< a template over the item and the policy
  std::string_view adaptor;  ///< of the policy; may be empty
  std::span<const row> rows;

  /// What operations.cpp is compiled with.
  [[nodiscard]] std::vector<std::string> definitions() const;
};

std::span<const structure> structures();

/// Throws std::invalid_argument that names those that there are.
const structure& find_structure(std::string_view name);

struct change {
  std::size_t row;
  std::string how;  ///< as operations.cpp has it: an order, removed, release_fence, acquire_fence, std_fence
};

/// "push.publish=seq_cst": a site and an order; or `removed`; or `release-fence`, before an operation that is then
/// relaxed; or `acquire-fence`, behind it; or `std-fence`, a fence as the compiler makes it. Throws
/// std::invalid_argument that names what is wrong: no such site, or no change that its operation can have.
change parse_change(std::string_view text, const structure& s);

/// The order that the row's operation has, by itself or by the fence beside it.
order order_of(const structure& s, std::size_t row, const std::vector<change>& changes);

/// "store release", "compare_exchange release/relaxed", "fence removed": a row as it is compiled.
std::string described(const structure& s, std::size_t row, const std::vector<change>& changes);

extern const std::string_view operations_source;

}  // namespace licit::codegen

#endif
