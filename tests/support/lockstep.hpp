/// A deque run in lockstep with a std::deque: every operation's result, and the sizes after it, must agree.
#ifndef LICIT_TESTS_SUPPORT_LOCKSTEP_HPP
#define LICIT_TESTS_SUPPORT_LOCKSTEP_HPP

#include <cstddef>
#include <deque>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <licit/deque.hpp>

#include "items.hpp"
#include "memory.hpp"

namespace licit_test {

/// The deque and its reference disagree. An exception, because a fuzz target has no test framework to report to.
struct mismatch : std::logic_error {
  using std::logic_error::logic_error;
};

inline void must_agree(const char* what, std::size_t got, std::size_t expected) {
  if (got == expected) return;
  throw mismatch(std::string("lockstep mismatch: ") + what + " is " + std::to_string(got) + ", the reference's is " +
                 std::to_string(expected));
}

/// Single-threaded, so every result is known: a steal is never lost and a push grows exactly when the deque is full.
template <class T, class Owner>
class lockstep {
 public:
  /// `owner` was made from `options`, whose memory is `memory`.
  lockstep(Owner owner, const licit::deque_options& options, counting_memory& memory)
      : memory_{memory},
        owner_{std::move(owner)},
        stealer_{owner_->stealer()},
        capacity_{options.initial_capacity},
        maximum_{options.maximum_capacity} {
    compare_sizes();
  }

  void push() {
    if (!owner_) return;
    T value = item<T>::make(next_++);
    const number n = item<T>::read(value);
    const verdict expected = judge_push();
    must_agree("the outcome of a push", static_cast<std::size_t>(attempt(value)), static_cast<std::size_t>(expected));
    if (expected == verdict::done) {
      if (reference_.size() == capacity_) capacity_ *= 2;
      reference_.push_back(n);
    } else {
      must_agree("an item that was not pushed", item<T>::read(value), n);
    }
    compare_sizes();
  }

  void pop() {
    if (!owner_) return;
    const auto got = owner_->pop();
    must_agree("whether pop has an item", got.has_value(), !reference_.empty());
    if (got) {
      must_agree("the popped item", item<T>::read(*got), reference_.back());
      reference_.pop_back();
    }
    compare_sizes();
  }

  void steal() {
    const auto got = stealer_.steal();
    must_agree("whether steal has an item", static_cast<bool>(got), !reference_.empty());
    must_agree("whether a steal without a rival is lost", got.is_lost(), false);
    if (got) {
      must_agree("the stolen item", item<T>::read(*got), reference_.front());
      reference_.pop_front();
    }
    compare_sizes();
  }

  /// From now on pushes and pops are left out; what is in the deque can still be stolen.
  void destroy_owner() {
    owner_.reset();
    compare_sizes();
  }

  [[nodiscard]] std::size_t size() const { return reference_.size(); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }

 private:
  enum class verdict { done, full, no_memory };

  [[nodiscard]] verdict judge_push() const {
    if (reference_.size() < capacity_) return verdict::done;
    if (capacity_ == maximum_) return verdict::full;
    return memory_.failing ? verdict::no_memory : verdict::done;
  }

  verdict attempt(T& value) {
    try {
      owner_->push(std::move(value));
      return verdict::done;
    } catch (const licit::capacity_error&) {
      return verdict::full;
    } catch (const std::bad_alloc&) {
      return verdict::no_memory;
    }
  }

  void compare_sizes() const {
    must_agree("the stealer's size", stealer_.size(), reference_.size());
    must_agree("the stealer's empty", stealer_.empty(), reference_.empty());
    if (!owner_) return;
    must_agree("the owner's size", owner_->size(), reference_.size());
    must_agree("the owner's empty", owner_->empty(), reference_.empty());
    must_agree("the capacity", owner_->capacity(), capacity_);
  }

  counting_memory& memory_;
  std::optional<Owner> owner_;
  decltype(std::declval<const Owner&>().stealer()) stealer_;
  std::deque<number> reference_;
  std::size_t capacity_;
  std::size_t maximum_;
  number next_ = 0;
};

}  // namespace licit_test

#endif
