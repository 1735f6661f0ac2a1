#include <utility>

#include "checker/litmus/parsers.hpp"

namespace licit::litmus {

namespace {

bool at_type(tokens& in) { return in.peek().kind == word_kind::identifier && names_type(in.peek().text); }

}  // namespace

unsigned parse_type(tokens& in) {
  if (!at_type(in)) in.unexpected("a type");
  while (at_type(in)) {
    const bool wraps = in.take().text == "_Atomic";
    if (wraps && in.accept("(")) {
      if (!at_type(in)) in.unexpected("a type");
      while (at_type(in)) in.take();
      in.expect(")");
    }
  }
  unsigned stars = 0;
  while (in.accept("*") || (stars != 0 && (in.accept("const") || in.accept("volatile") || in.accept("restrict")))) {
    ++stars;
  }
  return stars;
}

void thread_parser::parse() {
  parameters();
  made_.body = block();
}

void thread_parser::parameters() {
  in_.expect("(");
  if (in_.accept(")")) return;
  if (in_.at("void") && in_.at(")", 1)) {
    in_.take();
    in_.take();
    return;
  }
  do {
    const bool points = parse_type(in_) != 0;
    if (!points && !in_.at("[", 1)) in_.unexpected("'*', as a parameter points to a shared variable,");
    const token name = in_.expect_identifier("a parameter's name");
    check_name(name);
    if (in_.accept("[")) {  // as in C: a pointer to the first element
      if (!in_.at("]")) in_.expect_number("the number of elements");
      in_.expect("]");
    }
    if (names_.shared(name.text)) {
      throw syntax_error(name.where, "a second parameter has the name '" + std::string(name.text) + "'");
    }
    names_.add_parameter(name.text);
  } while (in_.accept(","));
  in_.expect(")");
}

statement thread_parser::block() {
  in_.expect("{");
  const scope::block inner{names_};
  statement s{.what = statement::kind::block};
  while (!in_.accept("}")) {
    if (in_.peek().kind == word_kind::end) in_.unexpected("a statement or '}'");
    s.body.push_back(any_statement());
  }
  return s;
}

statement thread_parser::evaluated(expression e) {
  statement s{.what = statement::kind::evaluate};
  s.expressions.push_back(std::move(e));
  return s;
}

statement thread_parser::any_statement() {
  const nesting deeper{depth_, in_.peek().where};
  if (in_.at("{")) return block();
  if (in_.accept(";")) return {};
  if (in_.accept("if")) return branch();
  if (in_.accept("while")) return while_loop();
  if (in_.accept("do")) return do_loop();
  if (in_.accept("for")) return for_loop();
  if (at_type(in_)) {
    statement s = declaration();
    in_.expect(";");
    return s;
  }
  statement s = evaluated(any_expression());
  in_.expect(";");
  return s;
}

/// Of a branch or a loop.
statement thread_parser::body() {
  if (at_type(in_)) in_.unexpected("a statement, as a declaration stands in braces here,");
  return any_statement();
}

statement thread_parser::declaration() {
  if (parse_type(in_) != 0) in_.unexpected("no '*', as a local variable is no pointer here,");
  statement s{.what = statement::kind::block};
  do {
    const token name = in_.expect_identifier("a variable's name");
    check_name(name);
    if (names_.shared(name.text)) {
      throw syntax_error(name.where, "'" + std::string(name.text) + "' is a parameter already");
    }
    if (names_.register_of(name.text)) {
      throw syntax_error(name.where, "'" + std::string(name.text) +
                                         "' is declared already, and one name is one register: take another name");
    }
    expression e{.what = operation::declare, .target = names_.add_register(name.text)};
    if (in_.accept("=")) {
      e.what = operation::assign;
      e.operands.push_back(any_value());
    }
    s.body.push_back(evaluated(std::move(e)));
  } while (in_.accept(","));
  return s;
}

expression thread_parser::parenthesised() {
  in_.expect("(");
  expression e = any_value();
  in_.expect(")");
  return e;
}

statement thread_parser::branch() {
  statement s{.what = statement::kind::branch};
  s.expressions.push_back(parenthesised());
  s.body.push_back(body());
  if (in_.accept("else")) s.body.push_back(body());
  return s;
}

statement thread_parser::while_loop() {
  statement s{.what = statement::kind::loop};
  s.expressions.push_back(parenthesised());
  s.body.push_back(body());
  return s;
}

statement thread_parser::do_loop() {
  statement s{.what = statement::kind::loop, .body_first = true};
  s.body.push_back(body());
  in_.expect("while");
  s.expressions.push_back(parenthesised());
  in_.expect(";");
  return s;
}

statement thread_parser::for_loop() {
  const scope::block inner{names_};
  statement whole{.what = statement::kind::block};
  statement loop{.what = statement::kind::loop};
  in_.expect("(");
  if (!in_.at(";")) whole.body.push_back(at_type(in_) ? declaration() : evaluated(any_expression()));
  in_.expect(";");
  if (in_.at(";")) {
    loop.expressions.push_back({.what = operation::constant, .number = 1});
  } else {
    loop.expressions.push_back(any_value());
  }
  in_.expect(";");
  if (!in_.at(")")) loop.expressions.push_back(any_expression());
  in_.expect(")");
  loop.body.push_back(body());
  whole.body.push_back(std::move(loop));
  return whole;
}

}  // namespace licit::litmus
