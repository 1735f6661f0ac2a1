/// Which build of the command this is.
#ifndef LICIT_MODELS_TOOL_BUILD_HPP
#define LICIT_MODELS_TOOL_BUILD_HPP

#include <string>

namespace licit::tool {

/// A digest of the running executable's own bytes: algorithm, ordering tables, programs, checker, compiler and its
/// options are all in it, and none of them can change without it. Against mix-ups, not against forgery (FNV-1a, 64
/// bits). The price: the same source built by two compilers has two digests. Throws std::runtime_error when the
/// executable cannot be read.
std::string build_digest();

}  // namespace licit::tool

#endif
