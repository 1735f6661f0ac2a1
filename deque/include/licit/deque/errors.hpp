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

/// Thrown by a push that finds no index left. Nothing has changed: the caller still has the item, and those in the
/// deque can be popped and stolen. A new deque starts with all its indices.
class [[gnu::visibility("default")]] index_error : public std::length_error {
 public:
  explicit index_error(std::int64_t last)
      : std::length_error("licit: push on a deque that has used up its " + std::to_string(last) +
                          " indices: make another") {}
};

namespace detail {

/// Throws the error. In code that is compiled with -fno-exceptions: prints what it says and terminates.
template <class Error>
[[noreturn, gnu::noinline, gnu::cold]] void raise(const Error& error) {
#if defined(__cpp_exceptions)
  throw error;
#else
  std::fprintf(stderr, "%s\n", error.what());
  std::terminate();
#endif
}

/// Whether the call returns. False if it throws; with -fno-exceptions, what it throws terminates.
template <class Call>
bool succeeds(Call&& call) {
#if defined(__cpp_exceptions)
  try {
    std::forward<Call>(call)();
    return true;
  } catch (...) {
    return false;
  }
#else
  std::forward<Call>(call)();
  return true;
#endif
}

}  // namespace detail

}  // namespace licit::inline v0

#endif
