#include <utility>

#include "checker/litmus/parsers.hpp"

namespace licit::litmus {

condition condition_parser::disjunction() {
  const nesting deeper{depth_, in_.peek().where};
  condition c = conjunction();
  if (!in_.at("\\/")) return c;
  condition all{.what = condition::kind::disjunction};
  all.operands.push_back(std::move(c));
  while (in_.accept("\\/")) all.operands.push_back(conjunction());
  return all;
}

condition condition_parser::conjunction() {
  condition c = atom();
  if (!in_.at("/\\")) return c;
  condition all{.what = condition::kind::conjunction};
  all.operands.push_back(std::move(c));
  while (in_.accept("/\\")) all.operands.push_back(atom());
  return all;
}

condition condition_parser::atom() {
  const nesting deeper{depth_, in_.peek().where};
  if (in_.accept("(")) {
    condition c = disjunction();
    in_.expect(")");
    return c;
  }
  if (in_.accept("~") || in_.accept("not")) {
    condition c{.what = condition::kind::negation};
    c.operands.push_back(atom());
    return c;
  }
  if (in_.accept("true")) return {.what = condition::kind::always};
  if (in_.accept("false")) return {.what = condition::kind::never};
  condition c{.what = condition::kind::equal, .of = any_variable()};
  const bool differs = in_.accept("!=");
  if (!differs && !in_.accept("==")) in_.expect("=");
  c.number = in_.expect_value();
  if (!differs) return c;
  condition negation{.what = condition::kind::negation};
  negation.operands.push_back(std::move(c));
  return negation;
}

variable condition_parser::any_variable() {
  const token first = in_.peek();
  if (first.kind == word_kind::number) {
    const std::int64_t thread = in_.expect_number("a thread's number");
    if (thread < 0 || static_cast<std::size_t>(thread) >= whole_.threads.size()) {
      throw syntax_error(first.where, "there is no thread P" + std::string(first.text));
    }
    in_.expect(":");
    const token name = in_.expect_identifier("a local variable of P" + std::string(first.text));
    const auto r = find(whole_.threads[static_cast<std::size_t>(thread)].registers, name.text);
    if (!r) {
      throw syntax_error(name.where,
                         "P" + std::string(first.text) + " has no local variable '" + std::string(name.text) + "'");
    }
    return {static_cast<int>(thread), *r};
  }
  const bool bracketed = in_.accept("[");
  const token name = in_.expect_identifier("a variable, as in 0:r0=1 or x=1,");
  const auto found = find_shared(whole_, name.text);
  if (!found) throw syntax_error(name.where, "there is no shared variable '" + std::string(name.text) + "'");
  unsigned element = 0;
  if (find(whole_.arrays, name.text)) {
    if (!in_.at("[")) {
      throw syntax_error(name.where, "'" + found->name + "' is an array: write " + found->name + "[0] or the like");
    }
    in_.take();
    const std::int64_t index = in_.expect_number("an index");
    if (index < 0 || index >= found->elements) {
      throw syntax_error(name.where, outside(found->name, index, found->elements));
    }
    in_.expect("]");
    element = static_cast<unsigned>(index);
  }
  if (bracketed) in_.expect("]");
  return {variable::shared, found->first + element};
}

}  // namespace licit::litmus
