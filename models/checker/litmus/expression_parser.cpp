#include <algorithm>
#include <array>
#include <utility>

#include "checker/litmus/parsers.hpp"

namespace licit::litmus {

namespace {

constexpr unsigned most_operators = 100;

struct infix {
  std::string_view symbol;
  operation what;
  unsigned precedence;
};

constexpr std::array<infix, 18> infixes{{{"||", operation::logical_or, 1},
                                         {"&&", operation::logical_and, 2},
                                         {"|", operation::bit_or, 3},
                                         {"^", operation::bit_xor, 4},
                                         {"&", operation::bit_and, 5},
                                         {"==", operation::equal, 6},
                                         {"!=", operation::not_equal, 6},
                                         {"<", operation::less, 7},
                                         {"<=", operation::less_equal, 7},
                                         {">", operation::greater, 7},
                                         {">=", operation::greater_equal, 7},
                                         {"<<", operation::shift_left, 8},
                                         {">>", operation::shift_right, 8},
                                         {"+", operation::add, 9},
                                         {"-", operation::subtract, 9},
                                         {"*", operation::multiply, 10},
                                         {"/", operation::divide, 10},
                                         {"%", operation::remainder, 10}}};

const infix* infix_at(tokens& in) {
  for (const infix& i : infixes) {
    if (in.at(i.symbol)) return &i;
  }
  return nullptr;
}

/// Of `+=`, the `+`.
const infix* compound_at(tokens& in) {
  const token& t = in.peek();
  if (t.kind != word_kind::symbol || t.text.size() < 2 || t.text.back() != '=') return nullptr;
  for (const infix& i : infixes) {
    if (i.symbol == t.text.substr(0, t.text.size() - 1) && i.precedence != 7) return &i;
  }
  return nullptr;
}

expression made(operation what, expression only) {
  expression e{.what = what};
  e.operands.push_back(std::move(only));
  return e;
}

expression made(operation what, expression left, expression right) {
  expression e = made(what, std::move(left));
  e.operands.push_back(std::move(right));
  return e;
}

/// C's integer types and stdatomic.h's, by their words.
constexpr std::array<std::string_view, 12> type_words{"int",      "long",    "short", "char",
                                                      "unsigned", "signed",  "_Bool", "bool",
                                                      "volatile", "_Atomic", "const", "atomic_flag"};

/// C's words that could else be taken for names.
constexpr std::array<std::string_view, 24> keywords{"auto",   "break",  "case",     "continue", "default", "do",
                                                    "else",   "enum",   "extern",   "false",    "for",     "goto",
                                                    "if",     "inline", "register", "return",   "sizeof",  "static",
                                                    "struct", "switch", "true",     "typedef",  "union",   "while"};

bool is_keyword(const token& word) { return std::ranges::find(keywords, word.text) != keywords.end(); }

/// A store and a fence have none.
bool has_value(const expression& e) { return e.what != operation::store && e.what != operation::fence; }

/// Whether each operation, however deep, is given values.
bool is_given_values(const expression& e) {
  const auto fits = [](const expression& o) { return has_value(o) && is_given_values(o); };
  return std::ranges::all_of(e.operands, fits) && std::ranges::all_of(e.index, fits);
}

[[noreturn]] void refuse_without_value(position where) {
  throw syntax_error(where, "expected a value, which a store and a fence do not have");
}

/// Whether it matters how often it is evaluated.
bool has_effects(const expression& e) {
  if (e.what != operation::local && e.what >= operation::assign && e.what <= operation::fence) return true;
  return std::ranges::any_of(e.operands, has_effects);
}

}  // namespace

std::string outside(const std::string& name, value index, unsigned elements) {
  return name + " has " + std::to_string(elements) + (elements == 1 ? " element" : " elements") + ": there is no " +
         name + "[" + std::to_string(index) + "]";
}

bool names_type(std::string_view word) {
  for (const std::string_view w : type_words) {
    if (word == w) return true;
  }
  if (word.starts_with("atomic_")) word.remove_prefix(7);
  for (const std::string_view w :
       {"int", "uint", "long", "ulong", "llong", "ullong", "short", "ushort", "char", "uchar", "bool"}) {
    if (word == w) return true;
  }
  return word.ends_with("_t") && (word.starts_with("int") || word.starts_with("uint") || word == "size_t");
}

void check_name(const token& name) {
  if (!is_keyword(name)) return;
  throw syntax_error(name.where, "expected a name but '" + std::string(name.text) + "' is a word of C's");
}

expression expression_parser::parse() {
  const position start = in_.peek().where;
  expression e = assignment();
  if (!is_given_values(e)) refuse_without_value(start);
  return e;
}

expression expression_parser::parse_value() {
  const position start = in_.peek().where;
  expression e = parse();
  if (!has_value(e)) refuse_without_value(start);
  return e;
}

expression expression_parser::assigned_to(const expression& to, expression to_value) {
  const bool local = to.what == operation::local;
  expression e = made(local ? operation::assign : operation::plain_write, std::move(to_value));
  e.target = to.target;
  e.elements = to.elements;
  e.line = to.line;
  e.index = to.index;
  return e;
}

/// `y[e]`, read as plain memory.
expression expression_parser::subscript(const token& name, const array& of) {
  in_.expect("[");
  expression e{.what = operation::plain_read, .target = of.first, .elements = of.elements, .line = name.where.line};
  e.index.push_back(assignment());
  in_.expect("]");
  check_index(e, name.where);
  return e;
}

/// Of an index that is a number.
void expression_parser::check_index(const expression& access, position where) const {
  const expression& at = access.index[0];
  if (at.what == operation::constant && (at.number < 0 || at.number >= access.elements)) {
    throw syntax_error(where, outside(names_.name_at(access.target), at.number, access.elements));
  }
}

expression expression_parser::stepped(unsigned target, operation how, bool after) {
  expression e = made(operation::assign, made(how, {.what = operation::local, .target = target},
                                              {.what = operation::constant, .number = 1}));
  e.target = target;
  e.after = after;
  return e;
}

expression expression_parser::assignment() {
  const nesting deeper{depth_, in_.peek().where};
  const position start = in_.peek().where;
  expression left = binary(1);
  const infix* const compound = compound_at(in_);
  if (compound == nullptr && !in_.at("=")) return left;
  if (left.what != operation::local && left.what != operation::plain_read) {
    throw syntax_error(start, "expected a local variable or '*' and a parameter on the left of '" +
                                  std::string(in_.peek().text) + "'");
  }
  in_.take();
  expression right = assignment();
  if (compound != nullptr && !left.index.empty() && has_effects(left.index[0])) {
    throw syntax_error(start, "an index on the left of '+=' and the like reads and writes no memory and no register");
  }
  if (compound != nullptr) {
    right = made(compound->what, left, std::move(right));
    right.line = start.line;
  }
  return assigned_to(left, std::move(right));
}

/// Each is a level of the tree.
void expression_parser::check_operators(unsigned in_a_row, position where) {
  if (in_a_row <= most_operators) return;
  throw syntax_error(where, "more than " + std::to_string(most_operators) + " operators in a row");
}

expression expression_parser::binary(unsigned lowest) {
  expression left = unary();
  unsigned operators = 0;
  for (const infix* i = infix_at(in_); i != nullptr && i->precedence >= lowest; i = infix_at(in_)) {
    const position where = in_.take().where;
    check_operators(++operators, where);
    left = made(i->what, std::move(left), binary(i->precedence + 1));
    left.line = where.line;
  }
  return left;
}

expression expression_parser::unary() {
  const nesting deeper{depth_, in_.peek().where};
  if (in_.accept("+")) return unary();
  if (in_.accept("-")) return made(operation::negate, unary());
  if (in_.accept("!")) return made(operation::logical_not, unary());
  if (in_.accept("~")) return made(operation::complement, unary());
  if (in_.accept("*")) {
    expression read = address_term();
    read.what = operation::plain_read;
    return read;
  }
  for (const auto& [symbol, how] : {std::pair{"++", operation::add}, std::pair{"--", operation::subtract}}) {
    if (!in_.accept(symbol)) continue;
    const position where = in_.peek().where;
    const expression e = unary();
    if (e.what != operation::local) throw syntax_error(where, "expected a local variable");
    return stepped(e.target, how, false);
  }
  if (in_.at("(") && in_.peek(1).kind == word_kind::identifier && names_type(in_.peek(1).text)) {
    in_.take();
    while (in_.peek().kind == word_kind::identifier && names_type(in_.peek().text)) in_.take();
    in_.expect(")");
    return unary();
  }
  expression e = primary();
  if (e.what != operation::local) return e;
  if (in_.accept("++")) return stepped(e.target, operation::add, true);
  if (in_.accept("--")) return stepped(e.target, operation::subtract, true);
  return e;
}

expression expression_parser::primary() {
  if (in_.accept("(")) {
    expression e = assignment();
    in_.expect(")");
    return e;
  }
  if (in_.peek().kind == word_kind::number) {
    return {.what = operation::constant, .number = in_.expect_number("a number")};
  }
  if (in_.peek().kind != word_kind::identifier) in_.unexpected("an expression");
  const token name = in_.take();
  if (name.text == "true" || name.text == "false") return {.number = name.text == "true" ? 1 : 0};
  if (is_keyword(name)) throw syntax_error(name.where, "'" + std::string(name.text) + "' is not supported here");
  if (in_.at("(")) return call(name);
  if (const auto r = names_.register_of(name.text)) return {.what = operation::local, .target = *r};
  if (const auto found = names_.shared(name.text)) {
    if (in_.at("[")) return subscript(name, *found);
    throw syntax_error(name.where, "expected a value but '" + std::string(name.text) + "' is a pointer: write *" +
                                       std::string(name.text) + " or an atomic function");
  }
  throw syntax_error(name.where, "'" + std::string(name.text) + "' is not declared here");
}

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
    if (in_.at("&&") || in_.at("||")) in_.unexpected(R"('/\' or '\/', which join propositions,)");
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
