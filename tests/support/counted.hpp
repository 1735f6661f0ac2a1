#ifndef LICIT_TESTS_SUPPORT_COUNTED_HPP
#define LICIT_TESTS_SUPPORT_COUNTED_HPP

#include <atomic>
#include <utility>

namespace licit_test {

/// Counts what is alive: frames, callables.
struct counts_itself {
  explicit counts_itself(std::atomic<int>& alive) : alive{&alive} { ++alive; }
  counts_itself(const counts_itself& o) : alive{o.alive} { ++*alive; }
  counts_itself(counts_itself&& o) noexcept : alive{std::exchange(o.alive, nullptr)} {}
  counts_itself& operator=(counts_itself) = delete;
  ~counts_itself() {
    if (alive != nullptr) --*alive;
  }
  std::atomic<int>* alive;
};

}  // namespace licit_test

#endif
