#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>

#include "arguments.hpp"
#include "audit/json.hpp"
#include "report.hpp"

namespace licit::tool {

namespace {

/// Whether the program is linked with the runtime that explores it: by the name of the library, which it has in it. In
/// this tool, which is not, the name is in two parts.
bool explores_itself(const std::string& program) {
  const std::string bytes = read_file(program);
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
  if (o.jobs > 1) all += fmt::format(" jobs={}", o.jobs);
  if (!o.shard.empty()) all += " shard=" + o.shard;
  if (o.stall) all += fmt::format(" stall={}", *o.stall);
  const std::string& program = o.command.front();
  all += " trace=" + (o.trace.empty() ? program.substr(program.rfind('/') + 1) + ".trace" : o.trace);
  return all + (o.audit ? " audit" : "");
}

/// Does not come back.
[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words.front(), words.data());
  throw std::runtime_error(command.front() + ": cannot run: " + std::generic_category().message(errno));
}

constexpr std::string_view trace_format = "licit check 2";

}  // namespace

int check(const check_options& options) {
  if (options.command.empty()) throw std::runtime_error("check: no program is named");
  const std::string& program = options.command.front();
  if (!explores_itself(program)) {
    throw std::runtime_error(program + " is not linked with licit::unmodified: models/unmodified/README.md says how");
  }
  setenv("LICIT_CHECK", request_of(options).c_str(), 1);  // NOLINT(concurrency-mt-unsafe): there is one thread
  std::vector<std::string> command = options.command;
  if (program.find('/') == std::string::npos) command.front() = "./" + program;  // as it was read, not by PATH
  become(command);
}

bool is_of_checked_program(const std::string& file) {
  std::ifstream in(file);
  std::string first;
  return std::getline(in, first) && first == trace_format;
}

int replay_program(const std::string& file, bool under_gdb) {
  std::ifstream in(file);
  std::vector<std::string> command;
  for (std::string line; std::getline(in, line);) {
    const std::string word = line.substr(0, line.find('\t'));
    if (word == "program" || word == "argument") command.push_back(line.substr(word.size() + 1));
    if (word == "violation") fmt::print("recorded: {}\n", line.substr(word.size() + 1));
  }
  if (command.empty()) throw std::runtime_error(file + ": names no program");
  flush_output();
  setenv("LICIT_CHECK", ("replay=" + file).c_str(), 1);  // NOLINT(concurrency-mt-unsafe): there is one thread
  if (under_gdb) {
    const std::vector<std::string> gdb{
        "gdb", "-q",        "-ex",   "set breakpoint pending on", "-ex", "break licit_violation", "-ex", "run",
        "-ex", "backtrace", "--args"};
    command.insert(command.begin(), gdb.begin(), gdb.end());
  }
  become(command);
}

}  // namespace licit::tool
