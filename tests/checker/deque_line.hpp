/// A client of the Chase-Lev deque: a line in the suites' notation (models/suites/line.hpp) and their client class, as
/// a program that needs no arguments.
#ifndef LICIT_TESTS_CHECKER_DEQUE_LINE_HPP
#define LICIT_TESTS_CHECKER_DEQUE_LINE_HPP

#include <licit/checker/model.hpp>
#include <licit/deque/order.hpp>

#include "suites/chase_lev.hpp"

namespace licit::checker_test {

template <fixed_string Text>
struct deque_line : suites::line_program<suites::chase_lev_client, checker::model> {
  using client = suites::chase_lev_client<checker::model>;
  static constexpr suites::line parsed = suites::parse(Text.view(), suites::vocabulary_of<client>());
  static constexpr unsigned threads = parsed.threads;

  deque_line() : line_program(parsed) {}
};

}  // namespace licit::checker_test

#endif
