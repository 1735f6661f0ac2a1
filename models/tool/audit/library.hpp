/// Is an archive what was audited? It is read, not run.
#ifndef LICIT_MODELS_TOOL_AUDIT_LIBRARY_HPP
#define LICIT_MODELS_TOOL_AUDIT_LIBRARY_HPP

#include <map>
#include <string>

#include "audit/json.hpp"

namespace licit::tool {

/// What an archive says of the sources that it was built from.
struct archive {
  std::string digest = {};                        ///< empty: it says nothing
  std::map<std::string, std::string> files = {};  ///< and their digests
  std::map<std::string, std::string> rows = {};   ///< "structure site", and its orders
};

/// Throws std::runtime_error when the file cannot be read.
archive read_archive(const std::string& file);

/// Whether the findings are of all rows of the structure's table, and of some executions, and no limit left anything
/// open.
bool is_complete(const json& structure);

/// Prints whether the archive was built from the sources of this command, where it differs, and whether the recorded
/// audit is of them; the exit status.
int compare_library(const std::string& file);

}  // namespace licit::tool

#endif
