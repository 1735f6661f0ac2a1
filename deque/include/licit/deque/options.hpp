/// The options of a deque.
#ifndef LICIT_DEQUE_OPTIONS_HPP
#define LICIT_DEQUE_OPTIONS_HPP

#include <bit>
#include <cstddef>
#include <memory_resource>
#include <stdexcept>
#include <string>

#include <licit/deque/errors.hpp>

namespace licit::inline v0 {

/// The most items that `steal_half` takes unless the call says otherwise: enough to spread the cost of a theft, few
/// enough to spread the work.
inline constexpr std::size_t most_at_once = 32;

/// Capacities count items and are powers of two.
struct deque_options {
  static constexpr std::size_t largest_capacity = std::size_t{1} << 40;

  std::size_t initial_capacity = 256;
  std::size_t maximum_capacity = largest_capacity;  ///< growth beyond it throws capacity_error
  std::pmr::memory_resource* memory = nullptr;      ///< of the rings; null: the policy's (new and delete)

  /// Throws std::invalid_argument that names the option, its value and its range.
  void validate() const {
    if (!in_range(initial_capacity, 1)) refuse("initial_capacity", initial_capacity, 1);
    if (!in_range(maximum_capacity, initial_capacity)) refuse("maximum_capacity", maximum_capacity, initial_capacity);
  }
  /// Whether `validate` throws nothing.
  [[nodiscard]] bool valid() const noexcept {
    return in_range(initial_capacity, 1) && in_range(maximum_capacity, initial_capacity);
  }

 private:
  static bool in_range(std::size_t value, std::size_t least) noexcept {
    return std::has_single_bit(value) && value >= least && value <= largest_capacity;
  }
  [[noreturn]] static void refuse(const char* option, std::size_t value, std::size_t least) {
    detail::raise(std::invalid_argument(std::string("licit: ") + option + " is " + std::to_string(value) +
                                        ", and must be a power of two from " + std::to_string(least) + " to " +
                                        std::to_string(largest_capacity)));
  }
};

}  // namespace licit::inline v0

#endif
