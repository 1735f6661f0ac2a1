#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <limits>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include <licit/checker/jobs.hpp>

#include "parallel/letter.hpp"
#include "parallel/shared_array.hpp"

namespace licit::checker {

namespace {

constexpr std::uint64_t above_all_pieces = std::numeric_limits<std::uint64_t>::max();

[[noreturn]] void refuse(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// What the processes tell each other while they work.
struct board {
  board(std::uint64_t pieces, unsigned workers) : taken(pieces), at(workers) {
    for (unsigned w = 0; w != workers; ++w) at[w] = above_all_pieces;
  }
  shared_array<bool> taken;        ///< each piece
  shared_array<std::uint64_t> at;  ///< the piece that each process explores
  shared_array<std::uint64_t> sum{2};
  std::atomic<std::uint64_t>& executions = sum[0];
  std::atomic<std::uint64_t>& done = sum[1];  ///< pieces
};

/// A forked process and what has come from it.
struct worker {
  pid_t process;
  int pipe;
  std::string bytes = {};
};

/// The processes of a search. None is left when it goes out of scope.
class crew {
 public:
  crew(const explorer& run, const options& o, const survey& s, const share& which, unsigned count)
      : run_{run}, options_{o}, survey_{s}, share_{which}, board_{s.pieces, count} {
    try {
      for (unsigned w = 0; w != count; ++w) start(w);
    } catch (...) {
      stop();
      throw;
    }
  }
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;
  ~crew() { stop(); }

  verdict finish(const std::function<void(std::uint64_t, std::uint64_t)>& progress);

 private:
  void start(unsigned w);
  [[noreturn]] void work(unsigned w, pid_t parent, int pipe);
  bool takes(unsigned w, std::uint64_t piece);
  bool hear(worker& from);
  verdict part_of(unsigned w);
  verdict ended(verdict& total, ending how);
  void stop();

  const explorer& run_;
  const options& options_;
  const survey& survey_;
  const share& share_;
  board board_;
  std::vector<worker> workers_;
};

void crew::start(unsigned w) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) refuse("licit: pipe");
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    work(w, parent, ends[1]);
  }
  ::close(ends[1]);
  if (child < 0) {
    ::close(ends[0]);
    refuse("licit: fork");
  }
  workers_.push_back({child, ends[0]});
}

void crew::work(unsigned w, pid_t parent, int pipe) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it ended before the line above
  letter l;
  try {
    options mine = cut_options(options_, survey_, w == 0 && share_.index == 0,
                               [&](std::uint64_t piece) { return takes(w, piece); });
    mine.observe = [&](const graph&) { board_.executions.fetch_add(1, std::memory_order_relaxed); };
    l.found = run_(mine);
  } catch (const std::exception& e) {
    l.error = e.what();
  }
  const std::string bytes = packed(l);
  for (std::string_view left = bytes; !left.empty();) {
    const ssize_t written = ::write(pipe, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(1);
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  ::_exit(0);
}

/// Whether the process explores the piece: when it is of the share, and no other process has it.
bool crew::takes(unsigned w, std::uint64_t piece) {
  if (board_.at[w].exchange(above_all_pieces) != above_all_pieces) board_.done.fetch_add(1);
  if (piece >= survey_.pieces) throw std::runtime_error("the program is not deterministic: more pieces than before");
  if (piece % share_.count != share_.index || board_.taken[piece].exchange(true)) return false;
  board_.at[w] = piece;
  return true;
}

/// Reads what there is. False at the end.
bool crew::hear(worker& from) {
  std::array<char, 4096> block{};
  const ssize_t n = ::read(from.pipe, block.data(), block.size());
  if (n < 0 && errno == EINTR) return true;
  if (n < 0) refuse("licit: a pipe from a process");
  from.bytes.append(block.data(), static_cast<std::size_t>(n));
  return n != 0;
}

/// What the process has found, now that it ended.
verdict crew::part_of(unsigned w) {
  worker& from = workers_[w];
  int status = 0;
  while (::waitpid(from.process, &status, 0) < 0 && errno == EINTR) {
  }
  ::close(std::exchange(from.pipe, -1));
  const std::uint64_t at = board_.at[w];
  const std::string who =
      "the process that explored " + (at == above_all_pieces
                                          ? "above the pieces"
                                          : "piece " + std::to_string(at) + " of " + std::to_string(survey_.pieces));
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* const named = ::strsignal(signal);  // NOLINT(concurrency-mt-unsafe): we have one thread
    throw std::runtime_error(who + " ended by signal " + std::to_string(signal) + " (" + named + ")");
  }
  letter l;
  if (!unpack(from.bytes, l)) throw std::runtime_error(who + " ended without a verdict");
  if (!l.error.empty()) throw std::runtime_error(who + ": " + l.error);
  return std::move(l.found);
}

/// Before every process has: what they have counted so far.
verdict crew::ended(verdict& total, ending how) {
  total.end = how;
  total.executions = board_.executions;
  return std::move(total);
}

verdict crew::finish(const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  constexpr int a_tenth_of_a_second = 100;
  verdict total;
  std::vector<pollfd> pipes(workers_.size());
  for (std::size_t left = workers_.size(); left != 0;) {
    for (std::size_t w = 0; w != workers_.size(); ++w) pipes[w] = {workers_[w].pipe, POLLIN, 0};
    if (::poll(pipes.data(), pipes.size(), a_tenth_of_a_second) < 0 && errno != EINTR) refuse("licit: poll");
    if (progress) progress(board_.done, survey_.pieces / share_.count);
    if (board_.executions > options_.max_executions) return ended(total, ending::limit);
    for (std::size_t w = 0; w != workers_.size(); ++w) {
      if (pipes[w].revents == 0 || hear(workers_[w])) continue;
      --left;
      const verdict part = part_of(static_cast<unsigned>(w));
      add(total, part);
      if (part.end == ending::ok) continue;
      total.kind = part.kind;
      total.message = part.message;
      total.picture = part.picture;
      total.calls = part.calls;
      total.trace = part.trace;
      total.steps = part.steps;
      return ended(total, part.end);
    }
  }
  return total;
}

void crew::stop() {
  for (worker& w : workers_) {
    if (w.pipe < 0) continue;
    ::kill(w.process, SIGKILL);
    while (::waitpid(w.process, nullptr, 0) < 0 && errno == EINTR) {
    }
    ::close(std::exchange(w.pipe, -1));
  }
}

}  // namespace

verdict explore(const explorer& run, const options& o, const share& which, const jobs& by) {
  if (by.count <= 1) return explore(run, o, which);
  if (which.index >= which.count) return explore(run, o, which);  // throws
  if (o.observe) throw std::invalid_argument("licit: executions cannot be observed in other processes");
  const auto start = std::chrono::steady_clock::now();
  const survey s = take_survey(run, o, which.count);
  if (s.complete()) return surveyed(s, which);
  verdict v = crew(run, o, s, which, by.count).finish(by.progress);
  complete(v, s, o, which);
  v.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return v;
}

}  // namespace licit::checker
