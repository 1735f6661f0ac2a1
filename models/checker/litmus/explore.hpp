/// All executions of a litmus test.
#ifndef LICIT_MODELS_LITMUS_EXPLORE_HPP
#define LICIT_MODELS_LITMUS_EXPLORE_HPP

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <licit/checker/verdict.hpp>

#include "checker/litmus/ast.hpp"

namespace licit::litmus {

struct options {
  checker::release_sequences sequences = checker::release_sequences::cxx20;
  std::uint64_t max_executions = 100'000'000;
  unsigned unroll = 8;  ///< rounds of a loop; an execution that would go on is blocked
};

/// `unknown`: what was explored does not tell.
enum class answer { no, yes, unknown };

/// What came of a test, in the words of checker::verdict.
struct verdict {
  checker::outcome outcome = checker::outcome::ok;  ///< `violation`: the program went wrong, and the rest means nothing
  std::string message = {};                         ///< how it went wrong
  std::uint64_t executions = 0;                     ///< complete ones, that pass the filter
  std::uint64_t blocked = 0;                        ///< in which a loop went on after its last round
  std::uint64_t cut = 0;         ///< those of the blocked ones that may hide what more rounds would show
  std::uint64_t satisfying = 0;  ///< those of the executions in which the condition's proposition holds
  std::string race;              ///< in words, of a blocked execution too; empty if there is none
  std::map<std::vector<value>, std::uint64_t> states;  ///< of the observed variables: executions that end so

  /// Some execution has what the condition says of one.
  [[nodiscard]] bool reachable() const { return satisfying != 0; }
  /// No limit ended the search, and no loop was cut where more rounds could show more.
  [[nodiscard]] bool complete() const { return outcome == checker::outcome::ok && cut == 0; }
  /// The condition, with its quantifier.
  [[nodiscard]] answer holds(quantifier q) const;
  /// What the file expects of itself, if it does. The counts are those of as many rounds as were explored.
  [[nodiscard]] bool as(const expectation& e) const;
  /// There is something already that the file does not expect, however the search would go on.
  [[nodiscard]] bool beyond(const expectation& e) const;
};

verdict explore(const test& t, const options& o = {});

}  // namespace licit::litmus

#endif
