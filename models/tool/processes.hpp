/// Tasks in processes of their own, some at a time. A task needs a process: the orders that programs run with are the
/// process's.
#ifndef LICIT_MODELS_TOOL_PROCESSES_HPP
#define LICIT_MODELS_TOOL_PROCESSES_HPP

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace licit::tool {

/// Sends a message to the process that began the task.
using sender = std::function<void(std::string_view message)>;

struct task {
  std::string name;
  std::function<void(const sender& say)> run;
};

/// What the beginning process does meanwhile.
struct listener {
  std::function<void(std::size_t task, std::string_view message)> heard;
  std::function<void(std::size_t task)> began = [](std::size_t) {};
  std::function<void(std::size_t task)> ended = [](std::size_t) {};
  std::function<void()> idle = [] {};  ///< five times a second
};

/// Runs the tasks in their order, `jobs` at a time. The messages of a task arrive in their order, before its end.
/// Throws std::runtime_error that names the task when a task throws, its process dies, or none can be started; the
/// other processes are then stopped.
void run(const std::vector<task>& tasks, unsigned jobs, const listener& to);

/// How many processes this machine runs at once.
unsigned processors();

}  // namespace licit::tool

#endif
