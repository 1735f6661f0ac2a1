#include <limits>
#include <stdexcept>

#include "checker/litmus/interpreter.hpp"

namespace licit::litmus {

namespace {

using bits = std::uint64_t;

void check_divisor(value a, value b) {
  if (b == 0) throw std::domain_error("division by zero");
  if (b == -1 && a == std::numeric_limits<value>::min()) throw std::domain_error("division overflows");
}

unsigned checked_shift(value by) {
  if (by < 0 || by >= std::numeric_limits<bits>::digits) throw std::domain_error("shift by " + std::to_string(by));
  return static_cast<unsigned>(by);
}

}  // namespace

value combine(operation how, value a, value b) {
  const auto x = static_cast<bits>(a);
  const auto y = static_cast<bits>(b);
  switch (how) {
    case operation::multiply: return static_cast<value>(x * y);
    case operation::divide: check_divisor(a, b); return a / b;
    case operation::remainder: check_divisor(a, b); return a % b;
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
