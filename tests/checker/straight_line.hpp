/// Straight-line programs, as data: what the oracle enumerates and the checker runs.
#ifndef LICIT_TESTS_CHECKER_STRAIGHT_LINE_HPP
#define LICIT_TESTS_CHECKER_STRAIGHT_LINE_HPP

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <licit/deque/order.hpp>

namespace licit::checker_test {

enum class verb {
  load,
  store,
  fetch_add,
  compare_exchange,
  weak_compare_exchange,
  fence,
  light_fence,
  heavy_fence,
  plain_read,
  plain_write
};

struct instruction {
  verb what;
  unsigned at = 0;  ///< which location; of a plain access, from `first_plain`
  order success = order::relaxed;
  order failure = order::relaxed;
  int value = 0;  ///< stored, added, exchanged for
  int expected = 0;
};

/// The instructions of each thread.
using straight_line = std::vector<std::vector<instruction>>;

inline constexpr unsigned first_plain = 3;  ///< locations before it are atomic
inline constexpr unsigned most_locations = 5;

namespace shorthand {
inline instruction R(unsigned at, order o = order::relaxed) { return {verb::load, at, o}; }
inline instruction W(unsigned at, int value, order o = order::relaxed) {
  return {verb::store, at, o, order::relaxed, value};
}
inline instruction A(unsigned at, order o = order::relaxed) { return {verb::fetch_add, at, o, order::relaxed, 1}; }
inline instruction C(unsigned at, int expected, int value, order o = order::relaxed, order f = order::relaxed) {
  return {verb::compare_exchange, at, o, f, value, expected};
}
inline instruction F(order o = order::seq_cst) { return {verb::fence, 0, o}; }
inline instruction light() { return {verb::light_fence}; }
inline instruction heavy() { return {verb::heavy_fence, 0, order::seq_cst}; }
}  // namespace shorthand

inline std::string text(const straight_line& program) {
  constexpr std::array names{"load",  "store", "fetch_add", "cas",  "weak_cas",
                             "fence", "light", "heavy",     "read", "write"};
  std::string out;
  for (const auto& thread : program) {
    out += " |";
    for (const instruction& i : thread) {
      out += " " + std::string(names[static_cast<std::size_t>(i.what)]) + "(x" + std::to_string(i.at) + ", " +
             std::string(licit::detail::name(i.success)) + "/" + std::string(licit::detail::name(i.failure)) + ", " +
             std::to_string(i.expected) + "->" + std::to_string(i.value) + ")";
    }
    out += "\n";
  }
  return out;
}

}  // namespace licit::checker_test

#endif
