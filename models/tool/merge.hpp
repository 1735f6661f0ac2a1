/// `licit merge`: the shards of a search as one verdict.
#ifndef LICIT_MODELS_TOOL_MERGE_HPP
#define LICIT_MODELS_TOOL_MERGE_HPP

#include <string>
#include <vector>

namespace licit::tool {

struct merge_options {
  std::vector<std::string> files;  ///< one a shard, as `verify --shard --json` wrote them, in any order
  std::string json;                ///< file for the results, or empty
};

/// Adds up and prints; the exit status, as of `verify`. Throws std::runtime_error that says which file does not fit and
/// why: it cannot be read, is no shard's, is of other programs, another build, another limit or another number of
/// shards, or one that is there already; or a shard is missing; or the shards together explored not every piece.
int merge(const merge_options& options);

}  // namespace licit::tool

#endif
