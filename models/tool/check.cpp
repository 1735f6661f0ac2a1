#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include "arguments.hpp"
#include "audit/findings.hpp"
#include "drawings.hpp"
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

/// A space would end the word (unmodified/request.cpp).
std::string as_word(const std::string& file) {
  std::string word;
  for (const char c : file) {
    if (c == ' ' || c == '\\') word += '\\';
    word += c;
  }
  return word;
}

/// What is given only: the program refuses what it would have to ignore.
std::string request_of(const check_options& o) {
  std::string all = "mode=" + o.mode;
  if (o.seed) all += fmt::format(" seed={}", *o.seed);
  if (o.depth) all += fmt::format(" depth={}", *o.depth);
  if (o.executions) all += fmt::format(" executions={}", *o.executions);
  if (o.seconds) all += fmt::format(" seconds={}", *o.seconds);
  all += fmt::format(" events={} sequences={}", o.events, o.release_sequences);
  if (o.without_leaks) all += " leaks=no";
  if (o.without_timeouts) all += " timeouts=no";
  if (o.spurious) all += " spurious=yes";
  if (o.distinct) all += " distinct=yes";
  if (o.jobs > 1) all += fmt::format(" jobs={}", o.jobs);
  if (!o.shard.empty()) all += " shard=" + o.shard;
  if (o.stall) all += fmt::format(" stall={}", *o.stall);
  for (const std::string& name : o.accepted) all += (&name == &o.accepted.front() ? " accept=" : ",") + as_word(name);
  const std::string name = o.command.front().substr(o.command.front().rfind('/') + 1);
  all += " trace=" + as_word(o.trace.empty() ? name + ".trace" : o.trace);
  if (o.quiet) all += " progress=no";
  return all + (o.audit ? " audit" : "");
}

/// What the user asks for there would be ignored.
void expect_unset() {
  if (std::getenv("LICIT_CHECK") == nullptr) return;  // NOLINT(concurrency-mt-unsafe): there is one thread
  throw std::runtime_error("LICIT_CHECK is set: it is for a program that is run by itself; unset it, and use options");
}

/// What the program reads.
void ask(const std::string& request) {
  setenv("LICIT_CHECK", request.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): there is one thread
}

/// Does not come back.
[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words.front(), words.data());
  throw std::runtime_error(command.front() + ": cannot run: " + std::generic_category().message(errno));
}

/// Runs it, and waits for its end: its exit status.
int run(const std::vector<std::string>& command) {
  flush_output();
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    try {
      become(command);
    } catch (const std::exception& e) {
      fmt::print(stderr, "licit: {}\n", e.what());
      _exit(bad_usage);
    }
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  throw std::runtime_error(fmt::format("{}: ended by signal {}", command.front(), WTERMSIG(status)));
}

/// A file without a name that another process can write.
class nameless_file {
 public:
  nameless_file() : number_{memfd_create("licit", MFD_CLOEXEC)} {
    if (number_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  }
  ~nameless_file() { close(number_); }
  nameless_file(const nameless_file&) = delete;
  nameless_file& operator=(const nameless_file&) = delete;

  [[nodiscard]] std::string name() const { return fmt::format("/proc/{}/fd/{}", getpid(), number_); }

 private:
  int number_;
};

/// The program, and then its violation, if there is one, as a drawing.
int run_and_draw(const check_options& o, const std::string& request, const std::vector<std::string>& command) {
  const nameless_file graph;
  ask(request + " dot=" + graph.name());
  const int status = run(command);
  draw_graph(o.draw, read_file(graph.name()));
  return status;
}

constexpr std::string_view trace_format = "licit check 2";

/// What the program's runtime has written of one (unmodified/replay.cpp).
std::string argument_of(const std::string& field) {
  std::string out;
  for (std::size_t i = 0; i != field.size(); ++i) {
    if (field[i] != '\\' || i + 1 == field.size()) {
      out += field[i];
      continue;
    }
    ++i;
    out += field[i] == 't' ? '\t' : field[i] == 'n' ? '\n' : field[i];
  }
  return out;
}

}  // namespace

int check(const check_options& options) {
  expect_unset();
  if (options.command.empty()) throw std::runtime_error("check: no program is named");
  const std::string& program = options.command.front();
  if (!explores_itself(program)) {
    throw std::runtime_error(program + " is not linked with licit::unmodified: models/unmodified/README.md says how");
  }
  std::vector<std::string> command = options.command;
  if (program.find('/') == std::string::npos) command.front() = "./" + program;  // as it was read, not by PATH
  if (options.draw.wanted()) return run_and_draw(options, request_of(options), command);
  ask(request_of(options));
  become(command);
}

bool is_of_checked_program(const std::string& file) {
  std::ifstream in(file);
  std::string first;
  return std::getline(in, first) && first == trace_format;
}

int replay_program(const std::string& file, bool under_gdb) {
  expect_unset();
  std::ifstream in(file);
  std::vector<std::string> command;
  for (std::string line; std::getline(in, line);) {
    const std::string word = line.substr(0, line.find('\t'));
    if (word == "program") command.push_back(line.substr(word.size() + 1));
    if (word == "argument") command.push_back(argument_of(line.substr(word.size() + 1)));
    if (word == "violation") fmt::print("recorded: {}\n", line.substr(word.size() + 1));
  }
  if (command.empty()) throw std::runtime_error(file + ": names no program");
  flush_output();
  ask("replay=" + as_word(file));
  if (under_gdb) {
    const std::vector<std::string> gdb{
        "gdb", "-q",        "-ex",   "set breakpoint pending on", "-ex", "break licit_violation", "-ex", "run",
        "-ex", "backtrace", "--args"};
    command.insert(command.begin(), gdb.begin(), gdb.end());
  }
  become(command);
}

}  // namespace licit::tool
