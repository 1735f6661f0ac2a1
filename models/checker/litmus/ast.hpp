/// A litmus test, as read from its file, and what reads it: herd's litmus format, in its C dialect.
#ifndef LICIT_MODELS_LITMUS_AST_HPP
#define LICIT_MODELS_LITMUS_AST_HPP

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <licit/deque/order.hpp>

namespace licit::litmus {

/// Counted from 1; a column is a byte.
struct position {
  unsigned line = 1;
  unsigned column = 1;
};

class syntax_error : public std::runtime_error {
 public:
  syntax_error(position where, const std::string& message) : std::runtime_error(message), where_{where} {}

  [[nodiscard]] position where() const { return where_; }
  /// "file:line:column: message", as compilers print it.
  [[nodiscard]] std::string in(const std::string& file) const {
    return file + ":" + std::to_string(where_.line) + ":" + std::to_string(where_.column) + ": " + what();
  }

 private:
  position where_;
};

// --- propositions about final states

enum class quantifier { exists, not_exists, forall };

constexpr std::string_view name(quantifier q) {
  switch (q) {
    case quantifier::exists: return "exists";
    case quantifier::not_exists: return "~exists";
    case quantifier::forall: return "forall";
  }
  return "";
}

/// A register of a thread or, with no thread, a location: something that has a final value.
struct variable {
  static constexpr int shared = -1;
  int thread = shared;
  unsigned index = 0;

  friend bool operator==(const variable&, const variable&) = default;
};

struct condition {
  enum class kind { always, never, equal, negation, conjunction, disjunction };
  kind what = kind::always;
  variable of = {};  ///< of `equal`
  std::int64_t number = 0;
  std::vector<condition> operands = {};
};

/// `final_value(variable)` is what the variable holds at the end.
template <class FinalValue>
bool holds(const condition& c, const FinalValue& final_value) {
  switch (c.what) {
    case condition::kind::always: return true;
    case condition::kind::never: return false;
    case condition::kind::equal: return final_value(c.of) == c.number;
    case condition::kind::negation: return !holds(c.operands[0], final_value);
    case condition::kind::conjunction:
      for (const condition& o : c.operands) {
        if (!holds(o, final_value)) return false;
      }
      return true;
    case condition::kind::disjunction:
      for (const condition& o : c.operands) {
        if (holds(o, final_value)) return true;
      }
      return false;
  }
  return false;
}

// --- programs

using value = std::int64_t;  ///< of every variable, whatever its type; it wraps around

enum class operation {
  constant,
  local,        ///< the value of a register
  declare,      ///< a register, which holds its initial value from now on
  assign,       ///< to a register
  plain_read,   ///< *x
  plain_write,  ///< *x = e
  load,
  store,
  exchange,
  fetch_add,
  fetch_sub,
  fetch_or,
  fetch_and,
  fetch_xor,
  compare_exchange,
  fence,
  negate,
  logical_not,
  complement,
  multiply,
  divide,
  remainder,
  add,
  subtract,
  shift_left,
  shift_right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or,
};

struct expression {
  operation what = operation::constant;
  value number = 0;       ///< of a constant
  unsigned target = 0;    ///< the register, or the location
  unsigned elements = 1;  ///< of the array that begins at the location
  unsigned line = 0;      ///< of the file, where `index` or the operator stands
  order success = order::relaxed;
  order failure = order::relaxed;
  bool weak = false;
  bool after = false;          ///< of `assign`: the value is the register's old one, as of r++
  bool expects_local = false;  ///< of a compare-exchange: the expected value is in a register
  unsigned expected = 0;       ///< that register, or the location
  std::vector<expression> operands = {};
  std::vector<expression> index = {};  ///< one, if it is computed which of the array's elements is the location
};

struct statement {
  enum class kind {
    evaluate,  ///< expressions[0]
    block,     ///< body, in sequence
    branch,    ///< expressions[0] ? body[0] : body[1], if there is one
    loop,      ///< while (expressions[0]) { body[0]; expressions[1], if there is one }
  };
  kind what = kind::block;
  bool body_first = false;  ///< of a loop: do … while
  std::vector<expression> expressions = {};
  std::vector<statement> body = {};
};

struct thread {
  std::vector<std::string> registers;
  std::vector<value> initial;  ///< of each register
  statement body;
};

/// An element of an array is a location of its own, with the name `y[0]`.
struct location {
  std::string name;
  value initial = 0;
};

/// Its elements are `locations` one after another.
struct array {
  std::string name;
  unsigned first;
  unsigned elements;
};

/// What the file says of itself in a comment: (* expect: allowed|forbidden EXECUTIONS [blocked N] [race] *)
struct expectation {
  bool allowed = false;  ///< the condition's proposition holds in some execution
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  bool race = false;
};

struct test {
  std::string name;
  std::string description;
  std::vector<location> locations;
  std::vector<array> arrays;
  std::vector<thread> threads;
  std::vector<variable> observed;  ///< those of the condition, and those of `locations`
  std::optional<condition> filter;
  quantifier quantified = quantifier::exists;
  condition final;
  std::optional<expectation> expected;
};

std::string name(const test& t, const variable& v);
/// Of the array that begins at the location, or of the variable.
std::string array_name(const test& t, unsigned location);
/// "y has 2 elements: there is no y[2]".
std::string outside(const std::string& name, value index, unsigned elements);

/// Throws syntax_error.
test parse(std::string_view source);

/// The tests of a file. In herd's format that is one; here a file may hold several, each from its line `C name` on.
/// Throws syntax_error, whose line is the file's.
std::vector<test> parse_all(std::string_view source);

}  // namespace licit::litmus

#endif
