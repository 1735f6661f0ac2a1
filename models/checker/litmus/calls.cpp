/// Calls of stdatomic.h's functions.
#include <array>
#include <optional>

#include "checker/litmus/interpreter.hpp"
#include "checker/litmus/parsers.hpp"

namespace licit::litmus {

namespace {

struct function {
  std::string_view name;  ///< of the form that is seq_cst; the other one ends in _explicit
  operation what;
  bool weak = false;
  std::optional<value> operand = {};  ///< which is no argument
};

constexpr std::array<function, 12> functions{{{"atomic_load", operation::load},
                                              {"atomic_store", operation::store},
                                              {"atomic_exchange", operation::exchange},
                                              {"atomic_fetch_add", operation::fetch_add},
                                              {"atomic_fetch_sub", operation::fetch_sub},
                                              {"atomic_fetch_or", operation::fetch_or},
                                              {"atomic_fetch_and", operation::fetch_and},
                                              {"atomic_fetch_xor", operation::fetch_xor},
                                              {"atomic_compare_exchange_strong", operation::compare_exchange},
                                              {"atomic_compare_exchange_weak", operation::compare_exchange, true},
                                              {"atomic_flag_test_and_set", operation::exchange, false, 1},
                                              {"atomic_flag_clear", operation::store, false, 0}}};

std::string known_functions() {
  std::string all = "atomic_thread_fence";
  for (const function& f : functions) all += ", " + std::string(f.name);
  return all + " and their _explicit forms";
}

/// Consume is promoted to acquire, as compilers do.
std::optional<order> named_order(std::string_view name) {
  if (!name.starts_with("memory_order_")) return std::nullopt;
  name.remove_prefix(13);
  if (name == "consume") return order::acquire;
  for (const order o : {order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst}) {
    if (licit::detail::name(o) == name) return o;
  }
  return std::nullopt;
}

bool acquires(order o) { return o == order::acquire || o == order::acq_rel; }
bool releases(order o) { return o == order::release || o == order::acq_rel; }

}  // namespace

/// An access whose location is the address of a parameter, of an element (`&y[e]`), or one of these in parentheses.
expression expression_parser::address_term() {
  const nesting deeper{depth_, in_.peek().where};
  if (in_.accept("(")) {
    expression inner = address();
    in_.expect(")");
    return inner;
  }
  const bool element = in_.accept("&");
  const token name = in_.expect_identifier("a parameter of the thread");
  const auto found = names_.shared(name.text);
  if (!found) {
    throw syntax_error(name.where, "expected a parameter of the thread but found '" + std::string(name.text) + "'");
  }
  if (element) return subscript(name, *found);
  return {.target = found->first, .elements = found->elements, .line = name.where.line};
}

/// The same, plus or minus numbers of elements: `y + r0`.
expression expression_parser::address() {
  const position start = in_.peek().where;
  expression at = address_term();
  unsigned terms = 0;
  while (in_.at("+") || in_.at("-")) {
    const token sign = in_.take();
    check_operators(++terms, sign.where);
    expression by = binary(additive + 1);
    expression before = at.index.empty() ? expression{} : std::move(at.index[0]);
    expression sum{.what = sign.text == "+" ? operation::add : operation::subtract};
    if (before.what == operation::constant && by.what == operation::constant) {
      sum = {.number = combine(sum.what, before.number, by.number)};
    } else {
      sum.operands.push_back(std::move(before));
      sum.operands.push_back(std::move(by));
    }
    at.index.clear();
    at.index.push_back(std::move(sum));
    at.line = sign.where.line;
  }
  if (terms != 0) check_index(at, start);
  return at;
}

/// Of a compare-exchange: the address of a local variable, or a parameter.
void expression_parser::expected_value(expression& e) {
  e.expects_local = in_.accept("&");
  if (!e.expects_local) {
    const position where = in_.peek().where;
    const expression at = address_term();
    if (!at.index.empty()) throw syntax_error(where, "the expected value's address is a parameter: compute none");
    e.expected = at.target;
    return;
  }
  const token name = in_.expect_identifier("a local variable");
  const auto r = names_.register_of(name.text);
  if (!r) throw syntax_error(name.where, "expected a local variable but found '" + std::string(name.text) + "'");
  e.expected = *r;
}

order expression_parser::ordering(operation of, bool failure) {
  const token word = in_.expect_identifier("a memory order");
  const auto o = named_order(word.text);
  if (!o) throw syntax_error(word.where, "expected a memory order but found '" + std::string(word.text) + "'");
  const bool only_reads = of == operation::load || failure;
  if ((only_reads && releases(*o)) || (of == operation::store && acquires(*o))) {
    throw syntax_error(word.where, std::string(failure                 ? "a failed compare-exchange"
                                               : of == operation::load ? "a load"
                                                                       : "a store") +
                                       " cannot have " + std::string(word.text));
  }
  return *o;
}

expression expression_parser::call(const token& name) {
  const nesting deeper{depth_, name.where};
  in_.expect("(");
  if (name.text == "atomic_thread_fence") {
    expression e{.what = operation::fence, .success = ordering(operation::fence, false)};
    in_.expect(")");
    return e;
  }
  std::string_view plain_name = name.text;
  const bool explicit_order = plain_name.ends_with("_explicit");
  if (explicit_order) plain_name.remove_suffix(9);
  const function* found = nullptr;
  for (const function& f : functions) {
    if (f.name == plain_name) found = &f;
  }
  if (found == nullptr) {
    throw syntax_error(name.where, "'" + std::string(name.text) +
                                       "' is none of the functions of <stdatomic.h> known here: " + known_functions());
  }

  expression e = address();
  e.what = found->what;
  e.success = e.failure = order::seq_cst;
  e.weak = found->weak;
  const bool compares = e.what == operation::compare_exchange;
  if (compares) {
    in_.expect(",");
    expected_value(e);
  }
  if (found->operand) {
    e.operands.push_back({.number = *found->operand});
  } else if (e.what != operation::load) {
    in_.expect(",");
    e.operands.push_back(assignment());
  }
  if (explicit_order) {
    in_.expect(",");
    e.success = ordering(e.what, false);
    if (compares) {
      in_.expect(",");
      e.failure = ordering(e.what, true);
    }
  }
  in_.expect(")");
  return e;
}

}  // namespace licit::litmus
