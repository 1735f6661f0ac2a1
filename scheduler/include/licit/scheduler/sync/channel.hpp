/// A bounded queue between tasks and threads: many senders, many receivers.
///
///     auto [to, from] = licit::make_channel<int>(64);
///     all.spawn([to = std::move(to)]() mutable -> licit::task<> { co_await to.send(7); });
///     while (auto item = co_await from.receive()) use(*item);   // until all senders are gone
#ifndef LICIT_SCHEDULER_CHANNEL_HPP
#define LICIT_SCHEDULER_CHANNEL_HPP

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include <licit/scheduler/sync/channel_state.hpp>

namespace licit::inline v0 {

namespace detail {

/// One handle of a side of a channel. Copies are further handles.
template <class T, std::atomic<std::size_t> channel_state<T>::* Side>
class channel_end {
 public:
  explicit channel_end(std::shared_ptr<channel_state<T>> of) noexcept : of_{std::move(of)} {}
  channel_end(const channel_end& o) noexcept : of_{o.of_} {
    if (of_ != nullptr) ++((*of_).*Side);
  }
  channel_end(channel_end&&) noexcept = default;
  channel_end& operator=(channel_end o) noexcept {
    std::swap(of_, o.of_);
    return *this;
  }
  ~channel_end() {
    if (of_ != nullptr) of_->leave((*of_).*Side);
  }

  /// Whether it is a handle of a channel, and not moved from. No other function may be called on one that is.
  [[nodiscard]] explicit operator bool() const noexcept { return of_ != nullptr; }

  /// Any thread. No further item comes in; the items inside can still be received. Senders that wait for room are told,
  /// and so are receivers that wait for an item that will not come. Returns whether the channel was open. One short
  /// lock.
  bool close() noexcept { return of_->items.close(); }
  /// Any thread. Whether it was closed a moment ago: by `close`, or because one side has no handle any more. One short
  /// lock.
  [[nodiscard]] bool is_closed() const noexcept { return of_->items.is_closed(); }
  /// Any thread. How many items were inside a moment ago. One short lock.
  [[nodiscard]] std::size_t size() const noexcept { return of_->items.size(); }
  /// Any thread. How many items were inside when the last receiver went, which destroyed them.
  [[nodiscard]] std::size_t dropped() const noexcept { return of_->dropped; }

 protected:
  [[nodiscard]] auto& items() const noexcept { return of_->items; }

 private:
  std::shared_ptr<channel_state<T>> of_;
};

}  // namespace detail

/// A handle for senders. When the last one is destroyed, the channel is closed. One handle may be used by many threads;
/// it must outlive every call on it.
template <class T>
class channel_sender : public detail::channel_end<T, &detail::channel_state<T>::senders> {
  using detail::channel_end<T, &detail::channel_state<T>::senders>::channel_end;

 public:
  /// `co_await to.send(item)` in a coroutine that was spawned or runs in `block_on`. Waits until there is room, behind
  /// earlier waiters. False: the channel is closed, and the item is gone. A coroutine that is cancelled before it goes
  /// on has sent its item or not, as if it had been cancelled just after or just before; the item is in the channel, or
  /// destroyed with the frame. One short lock; costs one of the budget. Throws std::logic_error if it has to wait
  /// outside of such a coroutine.
  [[nodiscard]] auto send(T item) const {
    return detail::sync_awaiter<detail::sending<T>>(&this->items(), std::move(item));
  }
  /// Any thread, and any task. Does not wait. Moves from the item only if it is sent. One short lock.
  [[nodiscard]] sent try_send(T&& item) const noexcept { return this->items().try_send(item); }
  /// A thread that is in no task. Blocks until there is room. False: the channel is closed. Throws std::system_error
  /// (resource_deadlock_would_occur) in a task.
  bool blocking_send(T item) const {
    return detail::wait_in_thread(detail::sending<T>{&this->items(), std::move(item)});
  }
};

/// A handle for receivers. When the last one is destroyed, the channel is closed, and the items inside are destroyed,
/// which `dropped` counts. One handle may be used by many threads; it must outlive every call on it.
template <class T>
class channel_receiver : public detail::channel_end<T, &detail::channel_state<T>::receivers> {
  using detail::channel_end<T, &detail::channel_state<T>::receivers>::channel_end;

 public:
  /// `co_await from.receive()` in a coroutine that was spawned or runs in `block_on`. Waits for an item, behind earlier
  /// waiters. Nothing: the channel is closed, and no item is left. A coroutine that is cancelled before it goes on has
  /// taken none. One short lock; costs one of the budget. Throws std::logic_error if it has to wait outside of such a
  /// coroutine.
  [[nodiscard]] auto receive() const noexcept { return detail::sync_awaiter<detail::receiving<T>>(&this->items()); }
  /// Any thread, and any task. Does not wait. Nothing: there is no item, or all items are reserved for others that have
  /// waited. One short lock.
  [[nodiscard]] std::optional<T> try_receive() const noexcept { return this->items().try_take(); }
  /// Any thread. Whether the channel is closed and empty: nothing will come. One short lock.
  [[nodiscard]] bool is_ended() const noexcept { return this->items().is_ended(); }
  /// A thread that is in no task. Blocks until there is an item. Nothing: the channel is closed, and none is left.
  /// Throws std::system_error (resource_deadlock_would_occur) in a task.
  [[nodiscard]] std::optional<T> blocking_receive() const {
    return detail::wait_in_thread(detail::receiving<T>{&this->items()});
  }
};

/// The two ends of a channel.
template <class T>
struct channel {
  channel_sender<T> to;
  channel_receiver<T> from;
};

/// Any thread. Makes a channel, and allocates room for `capacity` items. An item's move must not throw. Throws
/// std::invalid_argument for a capacity of 0, and std::bad_alloc.
template <class T>
[[nodiscard]] channel<T> make_channel(std::size_t capacity) {
  auto made = std::make_shared<detail::channel_state<T>>(capacity);
  return {channel_sender<T>(made), channel_receiver<T>(made)};
}

}  // namespace licit::inline v0

#endif
