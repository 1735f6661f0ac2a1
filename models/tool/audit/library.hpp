/// Is an archive what was audited? It is read, not run.
#ifndef LICIT_MODELS_TOOL_AUDIT_LIBRARY_HPP
#define LICIT_MODELS_TOOL_AUDIT_LIBRARY_HPP

#include <map>
#include <set>
#include <string>

#include "audit/json.hpp"

namespace licit::tool {

/// What an archive says of the sources that it was built from.
struct archive {
  std::string wrong = {};                         ///< why it is no library; empty: it is one
  std::set<std::string> digests = {};             ///< one, of a library that is whole
  std::map<std::string, std::string> files = {};  ///< and their digests
  std::map<std::string, std::string> rows = {};   ///< "structure site", and its orders
  std::set<std::string> members = {};             ///< names of its objects; none in a shared library
};

/// Throws std::runtime_error when the file cannot be read, or is none.
archive read_archive(const std::string& file);

/// Prints what the record says of each structure of this build; whether it has a whole audit of all, and each is right.
bool print_record(const json& record);

/// Prints whether the archive was built from the sources of this command, where it differs, and whether the recorded
/// audit is of them; the exit status.
int compare_library(const std::string& file);

}  // namespace licit::tool

#endif
