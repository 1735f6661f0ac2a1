/// licit's deques and queue, with the operations that the suite calls.
#ifndef LICIT_BENCH_PEERS_LICIT_HPP
#define LICIT_BENCH_PEERS_LICIT_HPP

#include <cstddef>
#include <span>

#include <licit/deque.hpp>
#include <licit/deque/asymmetric.hpp>
#include <licit/deque/chase_lev.hpp>
#include <licit/deque/run_queue.hpp>
#include <licit/deque/split.hpp>
#include <licit/deque/steal_half.hpp>
#include <licit/deque/tagged.hpp>

namespace licit_bench {

/// licit::chase_lev as it is. The policy is a parameter so that fences.cpp can change one thing at a time.
template <class Policy>
class licit_deque_over {
 public:
  static constexpr bool thieves = true;

  explicit licit_deque_over(std::size_t capacity) : deque_{{.initial_capacity = capacity}} {}

  void push(void* item) { deque_.push(item); }
  void* pop() { return deque_.pop_or(nullptr); }

  void* steal() {
    auto got = deque_.steal();
    return got ? *got : nullptr;
  }

 protected:
  licit::chase_lev<void*, Policy> deque_;
};

using licit_deque = licit_deque_over<licit::native>;

/// licit::chase_lev with asymmetric fences.
using licit_asymmetric = licit_deque_over<licit::asymmetric<licit::native>>;

/// licit::chase_lev with thieves that take half, each item by a claim of its own.
class licit_claims : public licit_deque {
 public:
  using licit_deque::licit_deque;

  std::size_t steal_half(licit_claims& own) {
    const auto got = licit::steal_half(deque_, own.deque_);
    return got ? 1 + got.moved() : 0;
  }
};

/// licit's handles, as a program uses them.
class licit_owner {
 public:
  static constexpr bool thieves = true;

  explicit licit_owner(std::size_t capacity) : owner_{{.initial_capacity = capacity}}, stealer_{owner_.stealer()} {}

  void push(void* item) { owner_.push(item); }
  void* pop() { return owner_.pop().value_or(nullptr); }

  void* steal() {
    auto got = stealer_.steal();
    return got ? *got : nullptr;
  }

 private:
  licit::owner<void*> owner_;
  licit::stealer<void*> stealer_;
};

/// licit::run_queue as it is: bounded, first in first out. Beyond its capacity items go to a sink that drops them.
class licit_run_queue {
 public:
  static constexpr bool thieves = true;

  explicit licit_run_queue(std::size_t capacity) : queue_{{.capacity = capacity}} {}

  void push(void* item) { queue_.push(item, nowhere_); }
  void* pop() { return queue_.pop_or(nullptr); }

  void* steal() {
    auto got = queue_.steal();
    return got ? *got : nullptr;
  }

  std::size_t steal_half(licit_run_queue& own) {
    const auto got = queue_.steal_half(own.queue_);
    return got ? 1 + got.moved() : 0;
  }

 private:
  struct nowhere {
    void reserve(std::size_t /*items*/) {}
    void take(std::span<void* const> /*items*/) noexcept {}
  };

  licit::run_queue<void*> queue_;
  [[no_unique_address]] nowhere nowhere_;
};

/// licit::tagged_deque. The policy is a parameter, for the other fences.
template <class Policy>
class licit_tagged_over {
 public:
  static constexpr bool thieves = true;

  explicit licit_tagged_over(std::size_t capacity) : deque_{{.initial_capacity = capacity}} {}

  void push(void* item) { deque_.push(item); }
  void* pop() { return deque_.pop_or(nullptr); }

  void* steal() {
    auto got = deque_.steal();
    return got ? *got : nullptr;
  }

  std::size_t steal_half(licit_tagged_over& own) {
    const auto got = deque_.steal_half(own.deque_);
    return got ? 1 + got.moved() : 0;
  }

 private:
  licit::tagged_deque<void*, Policy> deque_;
};

using licit_tagged = licit_tagged_over<licit::native>;

/// licit::tagged_deque whose owner pays no fence.
using licit_tagged_asymmetric = licit_tagged_over<licit::asymmetric<licit::native>>;

/// licit::split_deque: the owner publishes when it is asked.
class licit_split {
 public:
  static constexpr bool thieves = true;
  static constexpr bool waits_for_owner = true;  ///< thieves get nothing while the owner does nothing

  explicit licit_split(std::size_t capacity) : deque_{{.initial_capacity = capacity}} {}

  void push(void* item) { deque_.push(item); }
  void* pop() { return deque_.pop().value_or(nullptr); }

  void* steal() {
    auto got = deque_.steal();
    return got ? *got : nullptr;
  }

  std::size_t steal_half(licit_split& own) {
    const auto got = deque_.steal_half(own.deque_);
    return got ? 1 + got.moved() : 0;
  }

 private:
  licit::split_deque<void*> deque_;
};

}  // namespace licit_bench

#endif
