#include "checker/litmus/interpreter.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace licit::litmus {

namespace {

using checker::detail::action;
using checker::detail::change;
using checker::detail::engine;
using checker::detail::perform;
using checker::detail::word;

word to_word(value v) { return static_cast<word>(v); }
value to_value(word w) { return static_cast<value>(w); }

using bits = std::uint64_t;

unsigned checked_shift(value by) {
  if (by < 0 || by >= std::numeric_limits<bits>::digits) throw std::domain_error("shift by " + std::to_string(by));
  return static_cast<unsigned>(by);
}

}  // namespace

void interpreter::begin() {
  cut_ = false;
  locations_.clear();
  for (const location& l : test_.locations) {
    locations_.push_back(engine::running().construct_atomic({}, to_word(l.initial), {}));
  }
  registers_.clear();
  for (const thread& t : test_.threads) registers_.push_back(t.initial);
}

void interpreter::run(unsigned thread) {
  running t{registers_[thread], test_.threads[thread].initial};
  execute(test_.threads[thread].body, t);
}

value interpreter::final_value(const variable& v, const checker::detail::graph& g) const {
  if (v.thread != variable::shared) return registers_[static_cast<std::size_t>(v.thread)][v.index];
  const checker::detail::event_id last = g.last_write(locations_[v.index]);
  return last == checker::detail::initial ? test_.locations[v.index].initial : to_value(g[last].value);
}

const std::string& interpreter::name_of(checker::detail::location_id l) const {
  const auto found = std::ranges::find(locations_, l);
  return test_.locations[static_cast<std::size_t>(found - locations_.begin())].name;
}

void interpreter::execute(const statement& s, running& t) {
  switch (s.what) {
    case statement::kind::evaluate: evaluate(s.expressions[0], t); break;
    case statement::kind::block:
      for (const statement& inner : s.body) execute(inner, t);
      break;
    case statement::kind::branch:
      if (evaluate(s.expressions[0], t) != 0) {
        execute(s.body[0], t);
      } else if (s.body.size() == 2) {
        execute(s.body[1], t);
      }
      break;
    case statement::kind::loop: loop(s, t); break;
  }
}

void interpreter::loop(const statement& s, running& t) {
  unsigned idle = 0;  // rounds that changed nothing; the first of do … while is needed all the same
  std::vector<value> registers = t.registers;
  std::uint64_t writes = t.writes;
  for (unsigned rounds = 0; (s.body_first && rounds == 0) || evaluate(s.expressions[0], t) != 0; ++rounds) {
    if (rounds == unroll_) {
      cut_ = cut_ || idle < 2;
      engine::running().abandon();
    }
    execute(s.body[0], t);
    if (s.expressions.size() == 2) evaluate(s.expressions[1], t);
    if (writes == t.writes && registers == t.registers && (!s.body_first || rounds != 0)) ++idle;
    registers = t.registers;
    writes = t.writes;
  }
}

namespace {

value combined(const expression& e, value a, value b) try {
  return combine(e.what, a, b);
} catch (const std::domain_error& undefined) {
  throw std::domain_error("line " + std::to_string(e.line) + ": " + undefined.what());
}

}  // namespace

/// Which location an expression accesses.
unsigned interpreter::accessed(const expression& e, running& t) {
  if (e.index.empty()) return e.target;
  const value index = evaluate(e.index[0], t);
  if (index >= 0 && index < e.elements) return e.target + static_cast<unsigned>(index);
  const std::string name = array_name(test_, e.target);
  throw std::out_of_range("line " + std::to_string(e.line) + ": " + outside(name, index, e.elements));
}

value interpreter::plain_read(unsigned location) const {
  return to_value(perform({.what = action::load, .plain = true, .location = locations_[location]}).value);
}

void interpreter::plain_write(unsigned location, value v, running& t) const {
  ++t.writes;
  perform({.what = action::store, .plain = true, .location = locations_[location], .operand = to_word(v)});
}

value interpreter::modify(const expression& e, change how, running& t) {
  const checker::detail::location_id where = locations_[accessed(e, t)];
  const value operand = evaluate(e.operands[0], t);
  ++t.writes;
  return to_value(
      perform(
          {.what = action::modify, .success = e.success, .how = how, .location = where, .operand = to_word(operand)})
          .value);
}

/// The expected value is read, and on failure written, without atomicity, as C's function does through its pointer.
value interpreter::compare_exchange(const expression& e, running& t) {
  const checker::detail::location_id where = locations_[accessed(e, t)];
  const value desired = evaluate(e.operands[0], t);
  const value expected = e.expects_local ? t.registers[e.expected] : plain_read(e.expected);
  const checker::detail::answer result = perform({.what = action::modify,
                                                  .success = e.success,
                                                  .failure = e.failure,
                                                  .how = change::compare_exchange,
                                                  .weak = e.weak,
                                                  .location = where,
                                                  .operand = to_word(desired),
                                                  .expected = to_word(expected)});
  if (result.success) {
    ++t.writes;
  } else if (e.expects_local) {
    t.registers[e.expected] = to_value(result.value);
  } else {
    plain_write(e.expected, to_value(result.value), t);
  }
  return result.success ? 1 : 0;
}

value interpreter::evaluate(const expression& e, running& t) {
  switch (e.what) {
    case operation::constant: return e.number;
    case operation::local: return t.registers[e.target];
    case operation::declare: return t.registers[e.target] = t.initial[e.target];
    case operation::assign: {
      const value v = evaluate(e.operands[0], t);
      const value before = std::exchange(t.registers[e.target], v);
      return e.after ? before : v;
    }
    case operation::plain_read: return plain_read(accessed(e, t));
    case operation::plain_write: {
      const unsigned where = accessed(e, t);
      const value v = evaluate(e.operands[0], t);
      plain_write(where, v, t);
      return v;
    }
    case operation::load: {
      const checker::detail::location_id where = locations_[accessed(e, t)];
      return to_value(perform({.what = action::load, .success = e.success, .location = where}).value);
    }
    case operation::store: {
      const checker::detail::location_id where = locations_[accessed(e, t)];
      const word v = to_word(evaluate(e.operands[0], t));
      ++t.writes;
      perform({.what = action::store, .success = e.success, .location = where, .operand = v});
      return 0;
    }
    case operation::exchange: return modify(e, change::exchange, t);
    case operation::fetch_add: return modify(e, change::add, t);
    case operation::fetch_sub: return modify(e, change::subtract, t);
    case operation::fetch_or: return modify(e, change::bit_or, t);
    case operation::fetch_and: return modify(e, change::bit_and, t);
    case operation::fetch_xor: return modify(e, change::bit_xor, t);
    case operation::compare_exchange: return compare_exchange(e, t);
    case operation::fence:
      if (e.success != order::relaxed) engine::running().fence(e.success, checker::detail::asymmetry::none, nullptr);
      return 0;
    default: return arithmetic(e, t);
  }
}

value interpreter::arithmetic(const expression& e, running& t) {
  const value a = evaluate(e.operands[0], t);
  switch (e.what) {
    case operation::negate: return combine(operation::subtract, 0, a);
    case operation::logical_not: return a == 0 ? 1 : 0;
    case operation::complement: return ~a;
    case operation::logical_and: return a != 0 && evaluate(e.operands[1], t) != 0 ? 1 : 0;
    case operation::logical_or: return a != 0 || evaluate(e.operands[1], t) != 0 ? 1 : 0;
    default: return combined(e, a, evaluate(e.operands[1], t));
  }
}

value combine(operation how, value a, value b) {
  const auto x = static_cast<bits>(a);
  const auto y = static_cast<bits>(b);
  const bool divides = how == operation::divide || how == operation::remainder;
  if (divides && b == 0) throw std::domain_error("division by zero");
  if (divides && b == -1 && a == std::numeric_limits<value>::min()) throw std::domain_error("division overflows");
  switch (how) {
    case operation::multiply: return static_cast<value>(x * y);
    case operation::divide: return a / b;
    case operation::remainder: return a % b;
    case operation::add: return static_cast<value>(x + y);
    case operation::subtract: return static_cast<value>(x - y);
    case operation::shift_left: return static_cast<value>(x << checked_shift(b));
    case operation::shift_right: return a >> checked_shift(b);
    case operation::less: return a < b ? 1 : 0;
    case operation::less_equal: return a <= b ? 1 : 0;
    case operation::greater: return a > b ? 1 : 0;
    case operation::greater_equal: return a >= b ? 1 : 0;
    case operation::equal: return a == b ? 1 : 0;
    case operation::not_equal: return a != b ? 1 : 0;
    case operation::bit_and: return static_cast<value>(x & y);
    case operation::bit_xor: return static_cast<value>(x ^ y);
    case operation::bit_or: return static_cast<value>(x | y);
    default: throw std::logic_error("licit: no binary operation");
  }
}

}  // namespace licit::litmus
