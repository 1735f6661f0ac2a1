#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <poll.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <licit/checker/process_pool.hpp>

namespace licit::checker {

namespace {

/// The first byte that a task sends: a result or an exception's text follows.
constexpr char is_result = 'r';
constexpr char is_exception = 'x';
constexpr int not_found = 127;

[[noreturn]] void refuse(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

void send(int pipe, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(pipe, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

int status_of(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string signal_text(int signal) {
  const char* const named = ::strsignal(signal);  // NOLINT(concurrency-mt-unsafe): the process has one thread
  return "ended by signal " + std::to_string(signal) + " (" + named + ")";
}

/// Standard output and error go to the pipe. The C locale: tools translate what they say.
void execute(const process_pool::command& program, int pipe) {
  std::vector<char*> words;
  words.reserve(program.size() + 1);
  for (const std::string& word : program) words.push_back(const_cast<char*>(word.c_str()));  // NOLINT: execvp's type
  words.push_back(nullptr);
  ::dup2(pipe, STDOUT_FILENO);
  ::dup2(pipe, STDERR_FILENO);
  ::setenv("LC_ALL", "C", 1);  // NOLINT(concurrency-mt-unsafe): the process has one thread
  ::execvp(words[0], words.data());
  ::_exit(not_found);
}

}  // namespace

process_pool::~process_pool() {
  for (const worker& w : running_) {
    ::kill(w.process, SIGKILL);
    status_of(w.process);
    ::close(w.pipe);
  }
}

void process_pool::start(const task& work) {
  start(false, [&](int pipe) {
    try {
      send(pipe, is_result + work());
    } catch (const std::exception& e) {
      send(pipe, is_exception + std::string(e.what()));
    }
    ::_exit(0);  // the parent's buffers are not this process's to write
  });
}

void process_pool::start(const command& program) {
  if (program.empty()) throw std::system_error(EINVAL, std::generic_category(), "licit: an empty command");
  start(true, [&](int pipe) { execute(program, pipe); });
}

void process_pool::start(bool is_command, const std::function<void(int pipe)>& run) {
  running_.reserve(running_.size() + 1);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse("licit: a pipe to a process");
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);  // it ended before the line above
    run(ends[1]);
    ::_exit(1);
  }
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    refuse("licit: a process");
  }
  running_.push_back({started_++, is_command, child, ends[0]});
}

/// Reads what there is. False at the end.
bool process_pool::receive(worker& w) {
  std::array<char, 1 << 14> block{};
  const ssize_t n = ::read(w.pipe, block.data(), block.size());
  if (n < 0 && errno == EINTR) return true;
  if (n < 0) refuse("licit: a pipe from a process");
  w.output.append(block.data(), static_cast<std::size_t>(n));
  return n != 0;
}

process_pool::ended process_pool::reap(std::size_t i) {
  worker w = std::move(running_[i]);
  running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
  ::close(w.pipe);
  const int status = status_of(w.process);
  if (WIFSIGNALED(status)) return {w.number, std::move(w.output), signal_text(WTERMSIG(status)), -1};
  if (w.is_command) return {w.number, std::move(w.output), {}, WEXITSTATUS(status)};
  if (w.output.empty() || WEXITSTATUS(status) != 0) {
    return {w.number, {}, "ended without a result (status " + std::to_string(WEXITSTATUS(status)) + ")"};
  }
  if (w.output.front() == is_exception) return {w.number, {}, "threw: " + w.output.substr(1)};
  return {w.number, w.output.substr(1), {}};
}

std::optional<process_pool::ended> process_pool::wait(std::optional<std::chrono::milliseconds> most) {
  using clock = std::chrono::steady_clock;
  const auto until = clock::now() + most.value_or(std::chrono::milliseconds(0));
  while (!running_.empty()) {
    std::vector<pollfd> pipes;
    pipes.reserve(running_.size());
    for (const worker& w : running_) pipes.push_back({w.pipe, POLLIN, 0});
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now()).count();
    const int patience = most ? static_cast<int>(std::max<std::int64_t>(left, 0)) : -1;
    if (::poll(pipes.data(), pipes.size(), patience) < 0 && errno != EINTR) refuse("licit: poll");
    for (std::size_t i = 0; i != pipes.size(); ++i) {
      if (pipes[i].revents != 0 && !receive(running_[i])) return reap(i);
    }
    if (most && clock::now() >= until) return {};
  }
  return {};
}

void run_all(const std::vector<process_pool::task>& tasks, unsigned jobs,
             const std::function<void(const process_pool::ended&)>& done) {
  process_pool pool(jobs);
  for (std::size_t next = 0; next != tasks.size() || !pool.idle();) {
    if (next != tasks.size() && (!pool.full() || pool.idle())) {
      pool.start(tasks[next++]);
    } else if (const auto one = pool.wait()) {
      done(*one);
    }
  }
}

process_pool::ended run_command(const process_pool::command& program) {
  process_pool pool(1);
  pool.start(program);
  return *pool.wait();  // NOLINT(bugprone-unchecked-optional-access): one is running, and there is no limit
}

}  // namespace licit::checker
