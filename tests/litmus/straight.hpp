/// A litmus test in the words of the oracle, where it has words for it.
#ifndef LICIT_TESTS_LITMUS_STRAIGHT_HPP
#define LICIT_TESTS_LITMUS_STRAIGHT_HPP

#include <optional>

#include "checker/litmus/ast.hpp"
#include "straight_line.hpp"

namespace licit::litmus_test {

/// Nothing for a test with branches or loops, data dependencies, operations that the oracle does not know, initial
/// values other than 0, a location that is accessed both plainly and atomically, or too many of them.
std::optional<checker_test::straight_line> straight(const litmus::test& t);

}  // namespace licit::litmus_test

#endif
