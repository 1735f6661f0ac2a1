#ifndef LICIT_TESTS_SUPPORT_COUNTED_HPP
#define LICIT_TESTS_SUPPORT_COUNTED_HPP

#include <atomic>
#include <utility>

namespace licit_test {

/// Counts what is alive: frames, callables.
struct counted {
  explicit counted(std::atomic<int>& alive) : alive{&alive} { ++alive; }
  counted(const counted& o) : alive{o.alive} { ++*alive; }
  counted(counted&& o) noexcept : alive{std::exchange(o.alive, nullptr)} {}
  counted& operator=(counted) = delete;
  ~counted() {
    if (alive != nullptr) --*alive;
  }
  std::atomic<int>* alive;
};

}  // namespace licit_test

#endif
