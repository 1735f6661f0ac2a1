/// Processes started by this one, a bounded number at a time, each with one result.
#ifndef LICIT_CHECKER_PROCESS_POOL_HPP
#define LICIT_CHECKER_PROCESS_POOL_HPP

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace licit::checker {

/// The calling process must have one thread. The processes end with it, however it ends; they are killed when the pool
/// goes out of scope.
class process_pool {
 public:
  /// Runs in a forked process. What it returns comes back through a pipe.
  using task = std::function<std::string()>;
  /// A program, found by PATH, and its arguments.
  using command = std::vector<std::string>;

  /// A process that has ended.
  struct ended {
    std::size_t number;   ///< the first that was started is 0
    std::string output;   ///< what the task returned, or what the command wrote to stdout and stderr
    std::string failure;  ///< "ended by signal 11 (Segmentation fault)", "threw: …"; empty: there was none
    int status = 0;       ///< of a command; 127: there is no such program
  };

  explicit process_pool(unsigned most) : most_{most} {}
  process_pool(const process_pool&) = delete;
  process_pool& operator=(const process_pool&) = delete;
  ~process_pool();

  [[nodiscard]] bool full() const { return running_.size() >= most_; }
  [[nodiscard]] bool idle() const { return running_.empty(); }

  /// Starts one at once, though the pool be full. Throws std::system_error when it cannot.
  void start(const task& work);
  void start(const command& program);

  /// Waits until a process ends, but no longer than the limit; without one, forever. Nothing when the time has passed
  /// or no process is running. Throws std::system_error.
  std::optional<ended> wait(std::optional<std::chrono::milliseconds> most = {});

 private:
  struct worker {
    std::size_t number;
    bool is_command;
    pid_t process;
    int pipe;
    std::string output = {};
  };

  void start(bool is_command, const std::function<void(int pipe)>& run);
  bool receive(worker& w);
  ended reap(std::size_t i);

  unsigned most_;
  std::size_t started_ = 0;
  std::vector<worker> running_;
};

/// Runs all tasks, at most `jobs` at a time, and calls `done` for each in the order in which they end.
void run_all(const std::vector<process_pool::task>& tasks, unsigned jobs,
             const std::function<void(const process_pool::ended&)>& done);

/// Runs a command to its end.
process_pool::ended run_command(const process_pool::command& program);

}  // namespace licit::checker

#endif
