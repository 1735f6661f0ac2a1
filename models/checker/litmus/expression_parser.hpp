/// C's expressions, as far as litmus tests have them.
#ifndef LICIT_MODELS_LITMUS_EXPRESSION_PARSER_HPP
#define LICIT_MODELS_LITMUS_EXPRESSION_PARSER_HPP

#include "checker/litmus/ast.hpp"
#include "checker/litmus/scope.hpp"
#include "checker/litmus/tokens.hpp"

namespace licit::litmus {

class expression_parser {
 public:
  expression_parser(tokens& in, const scope& names) : in_{in}, names_{names} {}

  /// Throws syntax_error.
  expression parse() { return assignment(); }

 private:
  expression assignment();
  expression binary(unsigned lowest);
  expression unary();
  expression primary();
  static expression assigned_to(const expression& to, expression to_value);
  static expression stepped(unsigned target, operation how, bool after);

  // In calls.cpp.
  expression call(const token& name);
  unsigned pointer();
  void expected_value(expression& e);
  order ordering(operation of, bool failure);

  tokens& in_;
  const scope& names_;
  unsigned depth_ = 0;
};

}  // namespace licit::litmus

#endif
