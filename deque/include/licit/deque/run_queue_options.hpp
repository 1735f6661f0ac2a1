/// The options of a run queue.
#ifndef LICIT_DEQUE_RUN_QUEUE_OPTIONS_HPP
#define LICIT_DEQUE_RUN_QUEUE_OPTIONS_HPP

#include <bit>
#include <cstddef>
#include <memory_resource>
#include <stdexcept>
#include <string>

#include <licit/deque/errors.hpp>

namespace licit::inline v0 {

struct run_queue_options {
  static constexpr std::size_t smallest_capacity = 2;  ///< an overflow moves half of it
  static constexpr std::size_t largest_capacity = std::size_t{1} << 40;

  std::size_t capacity = 256;                   ///< items; a power of two
  std::pmr::memory_resource* memory = nullptr;  ///< null: the policy's (new and delete)

  /// Throws std::invalid_argument that names the option, its value and its range.
  void validate() const {
    if (std::has_single_bit(capacity) && capacity >= smallest_capacity && capacity <= largest_capacity) return;
    detail::raise(std::invalid_argument("licit: the run queue's capacity is " + std::to_string(capacity) +
                                        ", and must be a power of two from " + std::to_string(smallest_capacity) +
                                        " to " + std::to_string(largest_capacity)));
  }
};

}  // namespace licit::inline v0

#endif
