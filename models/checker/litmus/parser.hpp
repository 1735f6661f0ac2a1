/// Reads herd's litmus format, in its C dialect.
#ifndef LICIT_MODELS_LITMUS_PARSER_HPP
#define LICIT_MODELS_LITMUS_PARSER_HPP

#include <string_view>

#include "checker/litmus/ast.hpp"
#include "checker/litmus/error.hpp"

namespace licit::litmus {

/// Throws syntax_error.
test parse(std::string_view source);

}  // namespace licit::litmus

#endif
