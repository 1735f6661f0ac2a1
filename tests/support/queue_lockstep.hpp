/// Two run queues in lockstep with two std::deques: every result, and the sizes after it, must agree.
#ifndef LICIT_TESTS_SUPPORT_QUEUE_LOCKSTEP_HPP
#define LICIT_TESTS_SUPPORT_QUEUE_LOCKSTEP_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "items.hpp"
#include "lockstep.hpp"

namespace licit_test {

/// A sink for a run queue's overflow, which keeps what it gets, and can be told to refuse.
template <class T>
class keeping_sink {
 public:
  bool refusing = false;

  void reserve(std::size_t items) {
    if (refusing) throw std::bad_alloc();
    kept_.reserve(kept_.size() + items);
    reserved_ = items;
  }
  void take(std::span<const T> items) noexcept {
    overrun_ = overrun_ || items.size() > reserved_;
    for (const T& item : items) kept_.push_back(item);
    batches_.push_back(items.size());
  }

  [[nodiscard]] const std::vector<T>& kept() const { return kept_; }
  [[nodiscard]] const std::vector<std::size_t>& batches() const { return batches_; }
  [[nodiscard]] bool overrun() const { return overrun_; }  ///< whether a batch was larger than what was reserved

 private:
  std::vector<T> kept_;
  std::vector<std::size_t> batches_;
  std::size_t reserved_ = 0;
  bool overrun_ = false;
};

/// On one thread, which owns both queues, so every result is known: no claim is lost. `make` makes a queue of numbers.
template <class Queue>
class queue_lockstep {
 public:
  template <class Make>
  queue_lockstep(std::size_t capacity, Make make) : capacity_{capacity}, queues_{make(), make()} {
    compare_sizes();
  }

  void try_push(std::size_t q) {
    const bool room = reference_[q].size() != capacity_;
    must_agree("whether try_push finds room", queues_[q]->try_push(next_), room);
    if (room) reference_[q].push_back(next_);
    ++next_;
    compare_sizes();
  }

  void push(std::size_t q) {
    const bool full = reference_[q].size() == capacity_;
    const bool refused = full && sink_.refusing;
    must_agree("whether a push is refused", attempt(q), refused);
    if (full && !refused) {
      for (std::size_t i = 0; i != capacity_ / 2; ++i) spill(q);
      spilt_.push_back(next_);
    } else if (!full) {
      reference_[q].push_back(next_);
    }
    ++next_;
    must_agree("whether a batch is as large as it was said to be", sink_.overrun(), false);
    must_agree("whether the sink has what overflowed, in order", sink_.kept() == spilt_, true);
    compare_sizes();
  }

  void pop(std::size_t q) {
    const auto got = queues_[q]->pop();
    must_agree("whether pop has an item", got.has_value(), !reference_[q].empty());
    if (got) must_agree("the popped item", *got, take(q));
    compare_sizes();
  }

  void steal(std::size_t q) {
    const auto got = queues_[q]->steal();
    must_agree("whether steal has an item", static_cast<bool>(got), !reference_[q].empty());
    must_agree("whether a steal without a rival is lost", got.is_lost(), false);
    if (got) must_agree("the stolen item", *got, take(q));
    compare_sizes();
  }

  /// From the other queue into this one.
  void steal_half(std::size_t own, std::size_t most) {
    const std::size_t victim = 1 - own;
    const std::size_t there = reference_[victim].size();
    const std::size_t moved =
        there == 0 || most == 0 ? 0 : std::min({(there + 1) / 2 - 1, most - 1, capacity_ - reference_[own].size()});
    const auto got = queues_[victim]->steal_half(*queues_[own], most);
    must_agree("whether steal_half has an item", static_cast<bool>(got), there != 0 && most != 0);
    must_agree("whether a steal_half without a rival is lost", got.is_lost(), false);
    must_agree("how many items were moved", got.moved(), moved);
    if (got) must_agree("the oldest of the stolen half", *got, take(victim));
    for (std::size_t i = 0; i != moved; ++i) reference_[own].push_back(take(victim));
    compare_sizes();
  }

  void refuse(bool whether) { sink_.refusing = whether; }
  [[nodiscard]] std::size_t size(std::size_t q) const { return reference_[q].size(); }
  [[nodiscard]] std::size_t overflows() const { return sink_.batches().size(); }

 private:
  number take(std::size_t q) {
    const number n = reference_[q].front();
    reference_[q].pop_front();
    return n;
  }
  void spill(std::size_t q) { spilt_.push_back(take(q)); }

  bool attempt(std::size_t q) {
    try {
      queues_[q]->push(next_, sink_);
      return false;
    } catch (const std::bad_alloc&) {
      return true;
    }
  }

  void compare_sizes() const {
    for (std::size_t q = 0; q != queues_.size(); ++q) {
      must_agree("a queue's size", queues_[q]->size(), reference_[q].size());
      must_agree("a queue's empty", queues_[q]->empty(), reference_[q].empty());
      must_agree("a queue's capacity", queues_[q]->capacity(), capacity_);
    }
  }

  const std::size_t capacity_;
  std::array<std::unique_ptr<Queue>, 2> queues_;
  std::array<std::deque<number>, 2> reference_;
  keeping_sink<number> sink_;
  std::vector<number> spilt_;
  number next_ = 0;
};

}  // namespace licit_test

#endif
