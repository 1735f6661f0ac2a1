/// Verdicts as JSON, there and back.
#ifndef LICIT_MODELS_TOOL_ROWS_HPP
#define LICIT_MODELS_TOOL_ROWS_HPP

#include <string>
#include <vector>

#include <licit/checker/explore.hpp>

#include <nlohmann/json.hpp>

#include "report.hpp"

namespace licit::tool {

/// More machines than anyone has for this.
inline constexpr unsigned most_shards = 100'000;

/// Reads a shard as one writes it, 2/8: i/n, where i is 0 to n - 1. Empty, or what is wrong.
std::string parse_shard(const std::string& text, checker::share& which);

/// What made a row.
struct origin {
  std::string version;  ///< of licit
  std::string build;    ///< a digest of the executable

  friend bool operator==(const origin&, const origin&) = default;
};

/// Of the running command.
origin this_command();

/// A shard's row, as it was read from a file.
struct row {
  result what = {};
  checker::explored_share of = {};
  origin made_by = {};
};

/// The row of a result. models/README.md explains its fields.
nlohmann::ordered_json to_json(const result& r, const origin& made_by);

/// Throws std::runtime_error that names the file and the reason.
void write_json(const std::string& file, const nlohmann::ordered_json& rows);

/// The rows of a shard's file. Throws std::runtime_error that names the file, the place in it and what is wrong: text
/// that is no JSON, a field that is missing or of another type, a row that is of no shard.
std::vector<row> read_shards(const std::string& file);

}  // namespace licit::tool

#endif
