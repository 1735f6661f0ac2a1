/// What a litmus file asks of the final states: exists (0:r0=1 /\ ~(x=2))
#ifndef LICIT_MODELS_LITMUS_CONDITION_PARSER_HPP
#define LICIT_MODELS_LITMUS_CONDITION_PARSER_HPP

#include "checker/litmus/ast.hpp"
#include "checker/litmus/lexer.hpp"

namespace licit::litmus {

class condition_parser {
 public:
  condition_parser(tokens& in, const test& whole) : in_{in}, whole_{whole} {}

  /// Throws syntax_error, as the others do.
  condition parse() { return disjunction(); }
  /// 0:r0, x or [x].
  variable any_variable();

 private:
  condition disjunction();
  condition conjunction();
  condition atom();

  tokens& in_;
  const test& whole_;
  unsigned depth_ = 0;
};

}  // namespace licit::litmus

#endif
