/// The errors of the deques, and what becomes of them where exceptions are switched off.
#ifndef LICIT_DEQUE_ERRORS_HPP
#define LICIT_DEQUE_ERRORS_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace licit::inline v0 {

/// Thrown by a push on a full deque at its maximum capacity. Nothing has changed: the caller still has the item.
class [[gnu::visibility("default")]] capacity_error : public std::length_error {
 public:
  explicit capacity_error(std::size_t maximum)
      : std::length_error("licit: push on a full deque: it holds " + std::to_string(maximum) +
                          " items, which is its maximum_capacity"),
        maximum_{maximum} {}
  [[nodiscard]] std::size_t maximum_capacity() const { return maximum_; }

 private:
  std::size_t maximum_;
};

/// Thrown by a push that finds no index left. Nothing has changed: the caller still has the item, and the items in the
/// deque can be popped and stolen. A new deque starts with all its indices.
class [[gnu::visibility("default")]] index_error : public std::length_error {
 public:
  explicit index_error(std::int64_t last)
      : std::length_error("licit: push on a deque that has used up its " + std::to_string(last) +
                          " indices: make another") {}
};

namespace detail {

#if defined(__cpp_exceptions)

/// Throws the error.
template <class Error>
[[noreturn, gnu::noinline, gnu::cold]] void raise(const Error& error) {
  throw error;
}

/// Whether the call returns. False if it throws.
template <class Call>
bool succeeds(Call&& call) {
  try {
    std::forward<Call>(call)();
    return true;
  } catch (...) {
    return false;
  }
}

#else

// Of other names for the linker, which may not take these for those above.
inline namespace without_exceptions {

/// Prints what the error says, and terminates.
template <class Error>
[[noreturn, gnu::noinline, gnu::cold]] void raise(const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  std::terminate();
}

/// True. What the call throws terminates.
template <class Call>
bool succeeds(Call&& call) noexcept {
  std::forward<Call>(call)();
  return true;
}

}  // namespace without_exceptions

#endif

}  // namespace detail

}  // namespace licit::inline v0

#endif
