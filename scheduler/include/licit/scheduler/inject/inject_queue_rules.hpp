/// The inject queue's options, its sizes, and the decisions that are not memory orders.
#ifndef LICIT_SCHEDULER_INJECT_QUEUE_RULES_HPP
#define LICIT_SCHEDULER_INJECT_QUEUE_RULES_HPP

#include <cstddef>
#include <memory_resource>

#include <licit/deque/rules.hpp>

namespace licit::inline v0 {

struct inject_queue_options {
  /// Null: the policy's (new and delete). Any thread may allocate and free in it.
  std::pmr::memory_resource* memory = nullptr;
};

struct inject_queue_rules {
  std::size_t cells = 504;       ///< items that a segment holds; with the segment's other words a page
  std::size_t alignment = 4096;  ///< of a segment
  unsigned number_bits = 14;     ///< of a segment's number, which comes round
  bool reads_tail_first = true;  ///< then the head: it is in that life of the tail's segment, or in a later one
};

}  // namespace licit::inline v0

#endif
