#include "processes.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <poll.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace licit::tool {

namespace {

constexpr char message_tag = 'm';
constexpr char error_tag = 'e';

/// False when nobody reads any more.
bool write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(to, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

/// A tag, a length, the bytes.
void send(int to, char tag, std::string_view text) {
  std::array<char, 1 + sizeof(std::uint64_t)> head{tag};
  const std::uint64_t size = text.size();
  std::memcpy(&head[1], &size, sizeof size);
  if (!write_all(to, {head.data(), head.size()}) || !write_all(to, text)) _exit(1);
}

/// A task that runs.
class child {
 public:
  child(const task& t, std::size_t number) : task_{&t}, number_{number} {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw_error("cannot make a pipe");
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ < 0) throw_error("cannot start a process");
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) _exit(1);
      ::close(ends[0]);
      _exit(work(ends[1]));
    }
    ::close(ends[1]);
    from_ = ends[0];
  }
  ~child() {
    if (from_ >= 0) ::close(from_);
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  child(child&& other) noexcept
      : task_{other.task_},
        number_{other.number_},
        process_{other.process_},
        from_{other.from_},
        bytes_{std::move(other.bytes_)} {
    other.process_ = other.from_ = -1;
  }
  child& operator=(child&&) = delete;

  [[nodiscard]] std::size_t number() const { return number_; }
  [[nodiscard]] int from() const { return from_; }

  /// Passes on what has arrived. False: the process has ended.
  bool read(const listener& to) {
    std::array<char, 1 << 16> block{};
    const ssize_t n = ::read(from_, block.data(), block.size());
    if (n < 0 && errno == EINTR) return true;
    if (n > 0) {
      bytes_.append(block.data(), static_cast<std::size_t>(n));
      take_messages(to);
      return true;
    }
    wait();
    return false;
  }

 private:
  [[noreturn]] void throw_error(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}: {}: {}", task_->name, what, std::generic_category().message(errno)));
  }

  int work(int to) const {
    try {
      task_->run([to](std::string_view message) { send(to, message_tag, message); });
      return 0;
    } catch (const std::exception& e) {
      send(to, error_tag, e.what());
      return 1;
    }
  }

  void take_messages(const listener& to) {
    constexpr std::size_t head = 1 + sizeof(std::uint64_t);
    std::size_t at = 0;
    for (std::uint64_t size = 0; bytes_.size() - at >= head; at += head + size) {
      std::memcpy(&size, &bytes_[at + 1], sizeof size);
      if (bytes_.size() - at - head < size) break;
      const std::string_view text(&bytes_[at] + head, size);
      if (bytes_[at] == error_tag) throw std::runtime_error(fmt::format("{}: {}", task_->name, text));
      to.heard(number_, text);
    }
    bytes_.erase(0, at);
  }

  void wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    if (WIFSIGNALED(status)) {
      throw std::runtime_error(fmt::format("{}: its process was ended by signal {} ({})", task_->name, WTERMSIG(status),
                                           ::strsignal(WTERMSIG(status))));
    }
    if (WEXITSTATUS(status) != 0 || !bytes_.empty()) {
      throw std::runtime_error(task_->name + ": its process ended too early");
    }
  }

  const task* task_;
  std::size_t number_;
  pid_t process_ = -1;
  int from_ = -1;
  std::string bytes_;
};

/// Waits until one of them has something to say, or a fifth of a second has passed.
std::vector<pollfd> wait_for(const std::vector<child>& running) {
  constexpr int milliseconds = 200;
  std::vector<pollfd> all;
  for (const child& c : running) all.push_back({.fd = c.from(), .events = POLLIN, .revents = 0});
  if (::poll(all.data(), all.size(), milliseconds) < 0) all.clear();
  return all;
}

}  // namespace

void run(const std::vector<task>& tasks, unsigned jobs, const listener& to) {
  std::vector<child> running;
  running.reserve(jobs);
  for (std::size_t next = 0; next != tasks.size() || !running.empty();) {
    while (next != tasks.size() && running.size() < jobs) {
      to.began(next);
      running.emplace_back(tasks[next], next);
      ++next;
    }
    std::vector<std::size_t> ended;
    for (const pollfd& one : wait_for(running)) {
      const auto c = std::ranges::find(running, one.fd, &child::from);
      if (one.revents != 0 && !c->read(to)) ended.push_back(c->number());
    }
    to.idle();
    for (const std::size_t number : ended) {
      const auto rest = std::ranges::find(running, number, &child::number);
      std::vector<child> others;
      others.reserve(jobs);
      for (auto c = running.begin(); c != running.end(); ++c) {
        if (c != rest) others.push_back(std::move(*c));
      }
      running = std::move(others);
      to.ended(number);
    }
  }
}

unsigned processors() { return std::max(1U, std::thread::hardware_concurrency()); }

}  // namespace licit::tool
