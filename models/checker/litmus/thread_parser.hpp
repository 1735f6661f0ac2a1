/// The threads of a litmus test: P0 (atomic_int* x, int* y) { … }
#ifndef LICIT_MODELS_LITMUS_THREAD_PARSER_HPP
#define LICIT_MODELS_LITMUS_THREAD_PARSER_HPP

#include "checker/litmus/ast.hpp"
#include "checker/litmus/expression_parser.hpp"
#include "checker/litmus/lexer.hpp"

namespace licit::litmus {

/// Words of a type and its stars. Returns how many stars. Throws syntax_error.
unsigned parse_type(tokens& in);

class thread_parser {
 public:
  thread_parser(tokens& in, test& whole, thread& made) : in_{in}, names_{whole, made}, made_{made} {}

  /// From the opening parenthesis to the closing brace. Throws syntax_error.
  void parse();

 private:
  void parameters();
  statement block();
  statement any_statement();
  statement declaration();
  statement branch();
  statement while_loop();
  statement do_loop();
  statement for_loop();
  statement evaluated(expression e);
  expression any_expression() { return expression_parser(in_, names_).parse(); }
  expression parenthesised();

  tokens& in_;
  scope names_;
  thread& made_;
  unsigned depth_ = 0;
};

}  // namespace licit::litmus

#endif
