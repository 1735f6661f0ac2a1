/// Reads herd's litmus format, in its C dialect.
#ifndef LICIT_MODELS_LITMUS_PARSER_HPP
#define LICIT_MODELS_LITMUS_PARSER_HPP

#include <string_view>
#include <vector>

#include "checker/litmus/ast.hpp"

namespace licit::litmus {

/// Throws syntax_error.
test parse(std::string_view source);

/// The tests of a file. In herd's format that is one; here a file may hold several, each from its line `C name` on.
/// Throws syntax_error, whose line is the file's.
std::vector<test> parse_all(std::string_view source);

}  // namespace licit::litmus

#endif
