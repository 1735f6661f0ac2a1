/// Tasks done by forked processes, some at a time.
#ifndef LICIT_MODELS_MATRIX_POOL_HPP
#define LICIT_MODELS_MATRIX_POOL_HPP

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace licit::matrix {

/// Runs in another process; what it gives back comes over as text.
using task = std::function<std::string()>;

/// Of a task that has ended. Its process crashed, or threw, if `failure` is not empty: it says how.
struct ended {
  std::size_t index;
  std::string result;
  std::string failure;
};

/// Calls `done` for each task, in the order of their ends. The calling process must have one thread. The processes end
/// with it, however it ends. Throws std::system_error when a process cannot be started.
void run_all(const std::vector<task>& tasks, unsigned jobs, const std::function<void(const ended&)>& done);

}  // namespace licit::matrix

#endif
