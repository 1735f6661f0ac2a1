/// A deque and a run queue with a fault that can be chosen: what shows that the checks, and the fuzzers, can fail.
#ifndef LICIT_TESTS_SUPPORT_FAULTY_HPP
#define LICIT_TESTS_SUPPORT_FAULTY_HPP

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <licit/deque/options.hpp>
#include <licit/deque/run_queue.hpp>
#include <licit/deque/stolen.hpp>

namespace licit_test {

enum class fault {
  none,             ///< the control: the checks must not complain
  drops,            ///< every 16th push is forgotten
  repeats,          ///< every 16th steal leaves the item in the deque
  steals_youngest,  ///< every 16th steal takes from the wrong end
  pops_oldest,      ///< every 16th pop does
};

/// A mutexed deque, with the handles of licit's.
template <class T>
class faulty_state {
 public:
  faulty_state(fault f, const licit::deque_options& options)
      : fault_{f}, options_{options}, capacity_{options.initial_capacity} {}

  void push(T&& item) {
    const std::lock_guard held(mutex_);
    if (items_.size() == capacity_) grow();
    if (strikes(fault::drops, pushes_)) return;
    items_.push_back(std::move(item));
  }

  std::optional<T> pop() {
    const std::lock_guard held(mutex_);
    if (items_.empty()) return std::nullopt;
    return strikes(fault::pops_oldest, pops_) ? take_oldest() : take_youngest();
  }

  licit::stolen<T> steal() {
    const std::lock_guard held(mutex_);
    if (items_.empty()) return licit::stolen<T>::empty();
    ++steals_;
    if constexpr (std::is_copy_constructible_v<T>) {
      if (fault_ == fault::repeats && steals_ % 16 == 0) return licit::stolen<T>::taken(items_.front());
    }
    if (fault_ == fault::steals_youngest && steals_ % 16 == 0) return licit::stolen<T>::taken(take_youngest());
    return licit::stolen<T>::taken(take_oldest());
  }

  std::size_t size() const {
    const std::lock_guard held(mutex_);
    return items_.size();
  }

  std::size_t capacity() const {
    const std::lock_guard held(mutex_);
    return capacity_;
  }

 private:
  bool strikes(fault f, std::uint64_t& turns) { return fault_ == f && ++turns % 16 == 0; }

  /// Keeps no ring, but may grow only when a deque with rings may.
  void grow() {
    if (capacity_ == options_.maximum_capacity) throw licit::capacity_error(capacity_);
    if (options_.memory != nullptr) options_.memory->deallocate(options_.memory->allocate(capacity_), capacity_);
    capacity_ *= 2;
  }

  T take_youngest() {
    T item = std::move(items_.back());
    items_.pop_back();
    return item;
  }

  T take_oldest() {
    T item = std::move(items_.front());
    items_.pop_front();
    return item;
  }

  mutable std::mutex mutex_;
  const fault fault_;
  const licit::deque_options options_;
  std::size_t capacity_;
  std::deque<T> items_;
  std::uint64_t pushes_ = 0;
  std::uint64_t pops_ = 0;
  std::uint64_t steals_ = 0;
};

template <class T>
class faulty_stealer {
 public:
  explicit faulty_stealer(std::shared_ptr<faulty_state<T>> state) : state_{std::move(state)} {}
  licit::stolen<T> steal() const { return state_->steal(); }
  [[nodiscard]] std::size_t size() const { return state_->size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }

 private:
  std::shared_ptr<faulty_state<T>> state_;
};

template <class T>
class faulty_owner {
 public:
  explicit faulty_owner(fault f, const licit::deque_options& options = {})
      : state_{std::make_shared<faulty_state<T>>(f, options)} {}
  void push(T&& item) { state_->push(std::move(item)); }
  std::optional<T> pop() { return state_->pop(); }
  [[nodiscard]] std::size_t size() const { return state_->size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::size_t capacity() const { return state_->capacity(); }
  [[nodiscard]] faulty_stealer<T> stealer() const { return faulty_stealer<T>(state_); }

 private:
  std::shared_ptr<faulty_state<T>> state_;
};

enum class queue_fault : std::uint8_t {
  none,         ///< the control
  takes_more,   ///< a theft of half takes one more than half, where there is room
  swaps,        ///< an overflow's batch is out of order
  forgets,      ///< every 16th push, like one whose slot was overwritten
  false_empty,  ///< every 16th pop finds nothing
};

/// Of numbers; on one thread.
template <class Number, class Policy = licit::native>
class faulty_queue {
 public:
  faulty_queue(queue_fault f, const licit::run_queue_options& options) : fault_{f}, right_{options} {}

  bool try_push(Number item) {
    if (strikes(queue_fault::forgets) && right_.size() != right_.capacity()) return true;
    return right_.try_push(item);
  }
  template <class Sink>
  void push(Number item, Sink& sink) {
    if (fault_ == queue_fault::swaps && right_.size() == right_.capacity()) {
      sink.reserve(right_.capacity() / 2 + 1);
      for (std::size_t i = 0; i != right_.capacity() / 2; ++i) {
        const Number oldest = *right_.pop();
        sink.take(std::span<const Number>(&item, 1));
        item = oldest;
      }
      return sink.take(std::span<const Number>(&item, 1));
    }
    right_.push(item, sink);
  }
  std::optional<Number> pop() {
    if (strikes(queue_fault::false_empty)) return std::nullopt;
    return right_.pop();
  }
  licit::stolen<Number> steal() { return right_.steal(); }
  licit::stolen<Number> steal_half(faulty_queue& own, std::size_t most = 32) {
    auto got = right_.steal_half(own.right_, most);
    if (fault_ != queue_fault::takes_more || !got) return got;
    const auto more = right_.steal();
    if (!more || !own.right_.try_push(*more)) return got;
    return licit::stolen<Number>::taken(*got, got.moved() + 1);
  }
  [[nodiscard]] std::size_t size() const { return right_.size(); }
  [[nodiscard]] bool empty() const { return right_.empty(); }
  [[nodiscard]] std::size_t capacity() const { return right_.capacity(); }

 private:
  bool strikes(queue_fault f) { return fault_ == f && ++turns_ % 16 == 0; }

  const queue_fault fault_;
  licit::run_queue<Number, Policy> right_;
  unsigned turns_ = 0;
};

}  // namespace licit_test

#endif
