/// What an executable says of its rows, as JSON: for models/machine/matrix/stress_results.hpp to read.
#ifndef LICIT_MODELS_STRESS_FINDINGS_HPP
#define LICIT_MODELS_STRESS_FINDINGS_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "machine/stress/watch.hpp"

namespace licit::stress {

/// Of one row, program and seed.
struct found_by {
  std::string_view row;
  std::string_view program;
  std::uint64_t seed;
  result found;
};

/// `{"machine": …, "results": [{structure, row, program, seed, executions, seconds, caught, kind, what}]}`; without a
/// machine if it is empty. Control characters become spaces. Never fails.
std::string json_of(std::string_view structure, std::string_view machine, const std::vector<found_by>& all);

}  // namespace licit::stress

#endif
