/// The options of an inject queue.
#ifndef LICIT_SCHEDULER_INJECT_QUEUE_OPTIONS_HPP
#define LICIT_SCHEDULER_INJECT_QUEUE_OPTIONS_HPP

#include <memory_resource>

namespace licit::inline v0 {

struct inject_queue_options {
  /// Null: the policy's (new and delete). Any thread may allocate and free in it.
  std::pmr::memory_resource* memory = nullptr;
};

}  // namespace licit::inline v0

#endif
