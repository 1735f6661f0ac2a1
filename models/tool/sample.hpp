/// A program's executions by the exhaustive checker's model of memory, some of them.
#ifndef LICIT_MODELS_TOOL_SAMPLE_HPP
#define LICIT_MODELS_TOOL_SAMPLE_HPP

#include <cstdint>
#include <string>
#include <string_view>

#include "catalogue.hpp"
#include "verdict.hpp"

namespace licit::tool {

inline constexpr std::string_view sample_name = "walk";

struct sample_options {
  std::string mode;  ///< "random" or "pct"
  std::uint64_t executions;
  std::uint64_t seed;
  unsigned depth;
  std::uint64_t limit;  ///< executions: more ends in verdict `limit`
};

models::verdict sample(const models::program& p, const sample_options& s);

}  // namespace licit::tool

#endif
