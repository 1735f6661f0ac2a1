#include "machine/matrix/pool.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace licit::matrix {

namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

void send(int to, const std::string& text) {
  for (std::size_t sent = 0; sent != text.size();) {
    const ssize_t n = ::write(to, text.data() + sent, text.size() - sent);
    if (n < 0 && errno != EINTR) std::_Exit(3);
    if (n > 0) sent += static_cast<std::size_t>(n);
  }
}

/// Does not return. The first byte says whether the rest is a result or a complaint.
[[noreturn]] void work(const task& t, int to) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    send(to, "r" + t());
  } catch (const std::exception& e) {
    send(to, std::string("x") + e.what());
  }
  std::_Exit(0);  // the parent's buffers are not this process's to write
}

struct worker {
  std::size_t index;
  pid_t process;
  int from;
  std::string said = {};
};

worker start(const std::vector<task>& tasks, std::size_t index) {
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) fail("licit: no pipe to a process");
  const pid_t process = ::fork();
  if (process < 0) fail("licit: no process");
  if (process == 0) {
    ::close(pipe[0]);
    work(tasks[index], pipe[1]);
  }
  ::close(pipe[1]);
  return {index, process, pipe[0]};
}

/// Whether there may be more.
bool receive(worker& w) {
  std::array<char, 4096> block{};
  const ssize_t n = ::read(w.from, block.data(), block.size());
  if (n < 0) return errno == EINTR;
  w.said.append(block.data(), static_cast<std::size_t>(n));
  return n != 0;
}

ended finish(const worker& w) {
  ::close(w.from);
  int status = 0;
  while (::waitpid(w.process, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) return {w.index, {}, fmt::format("the process ended by signal {}", WTERMSIG(status))};
  if (w.said.empty()) return {w.index, {}, fmt::format("the process ended with status {}", WEXITSTATUS(status))};
  if (w.said.front() == 'x') return {w.index, {}, w.said.substr(1)};
  return {w.index, w.said.substr(1), {}};
}

/// Waits until some have said something; what has come to an end is taken out and given to `done`.
void attend(std::vector<worker>& running, const std::function<void(const ended&)>& done) {
  std::vector<pollfd> wait;
  wait.reserve(running.size());
  for (const worker& w : running) wait.push_back({w.from, POLLIN, 0});
  if (::poll(wait.data(), wait.size(), -1) < 0 && errno != EINTR) fail("licit: waiting for processes");
  for (std::size_t i = running.size(); i-- != 0;) {
    if (wait[i].revents == 0 || receive(running[i])) continue;
    const ended e = finish(running[i]);
    running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    done(e);
  }
}

}  // namespace

void run_all(const std::vector<task>& tasks, unsigned jobs, const std::function<void(const ended&)>& done) {
  std::fflush(nullptr);
  std::vector<worker> running;
  std::size_t next = 0;
  while (next != tasks.size() || !running.empty()) {
    if (next != tasks.size() && running.size() < jobs) {
      running.push_back(start(tasks, next++));
    } else {
      attend(running, done);
    }
  }
}

}  // namespace licit::matrix
