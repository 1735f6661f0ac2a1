/// `licit audit`: are the orderings enough, is each needed, and is this library what was checked?
#ifndef LICIT_MODELS_TOOL_AUDIT_COMMAND_HPP
#define LICIT_MODELS_TOOL_AUDIT_COMMAND_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace licit::tool {

struct audit_options {
  std::vector<std::string> structures;  ///< empty: all
  std::string site;                     ///< empty: every one
  bool minima = false;                  ///< look for every weakest table, too
  std::string json;                     ///< files to write, or empty
  std::string html;
  std::string markdown;
  std::string record;   ///< also read first: what it says of unchanged structures stays
  std::string from;     ///< findings or a record: nothing is run
  std::string library;  ///< an archive, to be compared with the record
  std::string check;    ///< a record, to be compared with this build; some of its rows are run again
  bool each = false;    ///< with `check`: a row of each structure, and with it the executions of all its programs
  unsigned jobs = 0;    ///< processes; 0: as many as the machine has processors
  bool fresh = false;   ///< earlier results are not used
  std::uint64_t limit = 50'000'000;
  bool quiet = false;
};

/// Runs and prints; the exit status: 0 if every ordering is enough and needed (or the library is what was checked), 1
/// if not, 3 if that is not known. Throws std::runtime_error for files that cannot be read or written, and for sites
/// and structures that there are not.
int audit(const audit_options& options);

}  // namespace licit::tool

#endif
