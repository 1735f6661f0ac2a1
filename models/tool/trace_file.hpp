/// A violating execution in a file: what `licit verify --trace` writes and `licit replay` runs again.
#ifndef LICIT_MODELS_TOOL_TRACE_FILE_HPP
#define LICIT_MODELS_TOOL_TRACE_FILE_HPP

#include <string>

#include <licit/checker/verdict.hpp>

namespace licit::tool {

struct trace_file {
  std::string version;  ///< of the library that wrote it
  std::string structure;
  std::string program;
  std::string line = {};  ///< of the program, if the user gave it; else empty
  std::string mutant;     ///< that the program was run with; empty: none
  std::string found;      ///< how: "exhaustive", "100000 random, seed 1, execution 17"
  std::string kind;       ///< of the violation
  std::string message;
  checker::options how;  ///< those that change what an execution is; the mode is not among them
  checker::record steps;
};

/// Throws std::runtime_error that names the file and the reason.
void write(const std::string& file, const trace_file& t);

/// The same for a file that cannot be read, is malformed or is not whole; the place in it is named.
trace_file read_trace(const std::string& file);

}  // namespace licit::tool

#endif
