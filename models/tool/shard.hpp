/// A shard as one writes it: 2/8.
#ifndef LICIT_MODELS_TOOL_SHARD_HPP
#define LICIT_MODELS_TOOL_SHARD_HPP

#include <string>

#include <licit/checker/explore.hpp>

namespace licit::tool {

/// More machines than anyone has for this.
inline constexpr unsigned most_shards = 100'000;

/// Reads i/n, where i is 0 to n - 1. Empty, or what is wrong.
std::string parse_shard(const std::string& text, checker::share& which);

}  // namespace licit::tool

#endif
