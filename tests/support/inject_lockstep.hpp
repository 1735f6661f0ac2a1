/// An inject queue and a std::deque, given the same operations on one thread.
#ifndef LICIT_TESTS_SUPPORT_INJECT_LOCKSTEP_HPP
#define LICIT_TESTS_SUPPORT_INJECT_LOCKSTEP_HPP

#include <algorithm>
#include <cstddef>
#include <deque>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <licit/scheduler/inject/inject_queue.hpp>

#include "items.hpp"

namespace licit_test {

/// Segments of three items.
struct short_segments : licit::native_checked {
  static constexpr licit::inject_queue_rules replaced(licit::inject_queue_rules r) {
    r.cells = 3;
    r.alignment = 64;
    r.number_bits = 8;
    return r;
  }
};

/// Throws std::runtime_error at the first difference.
template <class Queue>
class inject_lockstep {
 public:
  void push() {
    must_agree("whether a push is accepted", queue_.push(next_), !closed_);
    if (!closed_) reference_.push_back(next_);
    ++next_;
    compare();
  }
  void push_batch(std::size_t size) {
    std::vector<number> batch(size);
    for (number& n : batch) n = next_++;
    must_agree("whether a batch is accepted", queue_.push(std::span<const number>(batch)), !closed_);
    if (!closed_) reference_.insert(reference_.end(), batch.begin(), batch.end());
    compare();
  }
  void pop(std::size_t most) {
    std::vector<number> into(most);
    const std::size_t got = queue_.pop(into);
    must_agree("whether pop has an item", got != 0, most != 0 && !reference_.empty());
    must_agree("whether pop has more than there was", got <= std::min(most, reference_.size()), true);
    for (std::size_t i = 0; i != got; ++i) {
      must_agree("a popped item", into[i], reference_.front());
      reference_.pop_front();
    }
    compare();
  }
  void close() {
    must_agree("who closes", queue_.close(), !closed_);
    closed_ = true;
  }

 private:
  template <class A, class B>
  static void must_agree(const char* what, A found, B wanted) {
    if (static_cast<number>(found) == static_cast<number>(wanted)) return;
    throw std::runtime_error("lockstep mismatch: " + std::string(what) + " is " + std::to_string(found) + ", not " +
                             std::to_string(wanted));
  }
  void compare() {
    if (reference_.size() < 3 * 126) must_agree("the size", queue_.size(), reference_.size());  // 8 bits of number
    if (!reference_.empty()) must_agree("whether it is empty", queue_.empty(), false);
    must_agree("whether it is closed", queue_.closed(), closed_);
  }

  Queue queue_;
  std::deque<number> reference_;
  number next_ = 1;
  bool closed_ = false;
};

/// Gives the items of a batch of three or more the other way round.
class swapping_inject_queue : public licit::inject_queue<number, short_segments> {
 public:
  std::size_t pop(std::span<number> into) {
    const std::size_t got = licit::inject_queue<number, short_segments>::pop(into);
    if (got > 2) std::ranges::reverse(into.first(got));
    return got;
  }
};

}  // namespace licit_test

#endif
