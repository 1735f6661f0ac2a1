/// What an archive says of the sources that it was built from, read without running it.
#ifndef LICIT_MODELS_TOOL_AUDIT_ARCHIVE_HPP
#define LICIT_MODELS_TOOL_AUDIT_ARCHIVE_HPP

#include <map>
#include <string>

namespace licit::tool {

struct archive {
  std::string digest;                        ///< empty: it says nothing
  std::map<std::string, std::string> files;  ///< and their digests
  std::map<std::string, std::string> rows;   ///< "structure site", and its orders
};

/// Throws std::runtime_error when the file cannot be read.
archive read_archive(const std::string& file);

}  // namespace licit::tool

#endif
