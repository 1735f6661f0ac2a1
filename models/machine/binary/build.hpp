/// A structure's operations, compiled and linked by a cross compiler, as an executable to be looked into.
#ifndef LICIT_MODELS_BINARY_BUILD_HPP
#define LICIT_MODELS_BINARY_BUILD_HPP

#include <optional>
#include <string_view>
#include <vector>

#include "machine/binary/elf.hpp"
#include "machine/codegen/structure.hpp"
#include "machine/codegen/target.hpp"

namespace licit::binary {

/// client_part.cpp, for where licit's source tree is not.
extern const std::string_view client_source;

/// operations.cpp of models/machine/codegen, and client_part.cpp behind it. With `changes` its policy is the one whose
/// rows can be changed, and these are, if any; without it is the one that is linked. `headers` is an include path.
/// Throws std::runtime_error with the compiler's words when it does not compile or link.
executable build(const codegen::structure& s, const codegen::compiler& by, std::string_view headers,
                 const std::optional<std::vector<codegen::change>>& changes = std::nullopt);

/// Of each row that orders anything: one step weaker, in each way that its operation can be, and relaxed.
std::vector<codegen::change> weakenings(const codegen::structure& s);

}  // namespace licit::binary

#endif
