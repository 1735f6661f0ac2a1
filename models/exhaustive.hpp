/// Running a client program under the exhaustive checker, as the other checkers run it.
#ifndef LICIT_MODELS_EXHAUSTIVE_HPP
#define LICIT_MODELS_EXHAUSTIVE_HPP

#include <cstdint>
#include <functional>
#include <optional>

#include <licit/checker/run.hpp>
#include <licit/checker/split.hpp>

#include "verdict.hpp"

namespace licit::models::exhaustive {

struct settings {
  checker::release_sequences sequences = checker::release_sequences::cxx20;
  std::optional<unsigned> stall = {};  ///< this thread is stopped for good, after each number of its steps in turn
  std::uint64_t limit = 0;             ///< executions: more ends in verdict `limit`
  std::optional<checker::share> which = {};  ///< of the search; the verdict then says so
  bool shrink = false;                       ///< a violation is shown by as small a client as has it
  unsigned jobs = 1;                         ///< processes; with `stall` there is one
  std::function<void(std::uint64_t done, std::uint64_t pieces)> progress = {};  ///< of more than one process
};

outcome_of_check outcome_of(checker::ending e);

/// Runs the program that the explorer runs.
verdict run(const checker::explorer& program, const settings& s);

}  // namespace licit::models::exhaustive

#endif
