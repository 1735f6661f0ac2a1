/// The text of operations.cpp, for where licit's source tree is not.
#ifndef LICIT_MODELS_CODEGEN_SOURCE_HPP
#define LICIT_MODELS_CODEGEN_SOURCE_HPP

#include <string_view>

namespace licit::codegen {

extern const std::string_view operations_source;

}  // namespace licit::codegen

#endif
