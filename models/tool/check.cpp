#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>

#include "arguments.hpp"

namespace licit::tool {

namespace {

/// Whether the program is linked with the runtime that explores it: by the name of the library, which it has in it. In
/// this tool, which is not, the name is in two parts.
bool explores_itself(const std::string& program) {
  std::ifstream in(program, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw std::runtime_error(program + ": cannot read: " + std::generic_category().message(errno));
  std::string library = "liblicit_unmodified";
  library += ".so";
  return std::search(bytes.begin(), bytes.end(), std::boyer_moore_horspool_searcher(library.begin(), library.end())) !=
         bytes.end();
}

std::string request_of(const check_options& o) {
  std::string all = fmt::format("mode={} seed={} depth={}", o.mode, o.seed, o.depth);
  if (o.executions) all += fmt::format(" executions={}", *o.executions);
  if (o.seconds) all += fmt::format(" seconds={}", *o.seconds);
  all += fmt::format(" events={} leaks={} timeouts={} sequences={}", o.events, o.without_leaks ? "no" : "yes",
                     o.without_timeouts ? "no" : "yes", o.release_sequences);
  return all + (o.audit ? " audit" : "");
}

}  // namespace

int check(const check_options& options) {
  const std::string& program = options.command.front();
  if (!explores_itself(program)) {
    throw std::runtime_error(program + " is not linked with licit::unmodified: models/unmodified/README.md says how");
  }
  setenv("LICIT_CHECK", request_of(options).c_str(), 1);  // NOLINT(concurrency-mt-unsafe): there is one thread
  std::vector<char*> arguments;
  for (const std::string& a : options.command) arguments.push_back(const_cast<char*>(a.c_str()));
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  throw std::runtime_error(program + ": cannot run: " + std::generic_category().message(errno));
}

}  // namespace licit::tool
