/// The oracle: every execution of a straight-line program that the axioms allow, by trying all of them.
///
/// It enumerates every outcome of each compare-exchange, every source of each read and every modification order, and
/// applies RC11's axioms (Lahav et al., PLDI 2017) as relation algebra, the way they are printed. It shares no code
/// with the checker.
#ifndef LICIT_TESTS_CHECKER_ORACLE_HPP
#define LICIT_TESTS_CHECKER_ORACLE_HPP

#include <cstdint>
#include <set>
#include <string>

#include "straight_line.hpp"

namespace licit::checker_test {

enum class sequences { cxx20, cxx11 };

struct answer {
  /// Each execution as text: what each atomic read reads (events as thread.index), and each atomic location's
  /// modification order. A read-modify-write that succeeds is two events.
  std::set<std::string> executions;
  /// How many there are when plain accesses are told apart like atomic ones: the same, unless the program races.
  std::uint64_t complete = 0;
  bool racy = false;  ///< in one of them: two accesses of a location, unordered, one a write, one not atomic
};

answer ask(const straight_line& program, sequences rule);

}  // namespace licit::checker_test

#endif
