/// Threads of the program under test, all on one thread of the system: a stack each, switched by Boost.Context.
#ifndef LICIT_CHECKER_CORE_FIBER_HPP
#define LICIT_CHECKER_CORE_FIBER_HPP

#include <array>
#include <cstddef>

#include "core/image.hpp"

// Whether this is compiled with AddressSanitizer.
#if defined(__SANITIZE_ADDRESS__)
#define LICIT_CHECKER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LICIT_CHECKER_ASAN 1
#endif
#endif

namespace licit::checker::detail {

#ifdef LICIT_CHECKER_ASAN
inline constexpr bool under_asan = true;
#else
inline constexpr bool under_asan = false;
#endif

/// A stack that one function after another runs on. It is switched to by `resume` and away from by `suspend`.
class fiber {
 public:
  static constexpr std::size_t stack_size = std::size_t{256} << 10;

  /// Throws std::bad_alloc if there is no memory for the stack.
  fiber();
  ~fiber();
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  /// The next `resume` calls `body(argument)`. What ran here before and has not ended is dropped, not unwound.
  void start(void (*body)(void*), void* argument);

  /// Runs it until it suspends or its body returns. Not from within a fiber.
  void resume();

  /// From within: back to where it was resumed.
  void suspend();

  /// While it is suspended: whether all that it is lies on its stack, which a caught exception does not; and its state.
  [[nodiscard]] bool can_be_kept() const { return exceptions_ == exception_state{}; }
  void keep(image& in) const;
  void go_back(image::reader& to);

  /// Where its stack ends: the highest address.
  [[nodiscard]] const std::byte* bottom() const;

  /// Whether the body has returned (or was never started).
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  static constexpr std::size_t exception_state_size = 2 * sizeof(void*);
  using exception_state = std::array<std::byte, exception_state_size>;
  struct entry;

  void swap_exception_state();

  std::byte* mapping_;
  void* inside_ = nullptr;                ///< where to continue, when suspended
  void* outside_ = nullptr;               ///< where it was resumed, when running
  const void* outside_bottom_ = nullptr;  ///< its stack, for AddressSanitizer
  std::size_t outside_size_ = 0;
  void (*body_)(void*) = nullptr;
  void* argument_ = nullptr;
  bool ended_ = true;
  const void* thread_ = nullptr;  ///< of the system, that it ran on last, and what the C++ runtime keeps of it
  void* globals_ = nullptr;
  exception_state exceptions_{};  ///< of the side that is not running: exceptions caught and in flight
};

}  // namespace licit::checker::detail

#endif
