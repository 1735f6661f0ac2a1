/// What the two ends of a channel share, and how one sends and receives.
#ifndef LICIT_SCHEDULER_CHANNEL_STATE_HPP
#define LICIT_SCHEDULER_CHANNEL_STATE_HPP

#include <atomic>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>

#include <licit/deque/errors.hpp>
#include <licit/scheduler/sync/item_ring.hpp>
#include <licit/scheduler/sync/line_of_items.hpp>
#include <licit/scheduler/sync/sync_awaiter.hpp>

namespace licit::inline v0::detail {

template <class T>
struct channel_state {
  using line = line_of_items<item_ring<T>>;

  explicit channel_state(std::size_t capacity) : items(item_ring<T>(checked(capacity))) {}

  /// The end of a handle on one side. The last sender closes the channel; so does the last receiver, which destroys
  /// what is in it, outside the lock.
  void leave(std::atomic<std::size_t>& side) noexcept {
    if (--side != 0) return;
    if (&side == &senders) {
      items.close();
    } else {
      const item_ring<T> left = items.close_and_drop(item_ring<T>(), [this](std::size_t number) { dropped = number; });
    }
  }

  line items;
  std::atomic<std::size_t> senders = 1;
  std::atomic<std::size_t> receivers = 1;
  std::atomic<std::size_t> dropped = 0;

 private:
  static std::size_t checked(std::size_t capacity) {
    if (capacity == 0) raise(std::invalid_argument("licit: a channel of capacity 0: it needs room for an item"));
    return capacity;
  }
};

template <class T>
struct sending {
  static constexpr const char* what = "send";
  typename channel_state<T>::line* to;
  T item;
  sent how = sent::full;

  [[nodiscard]] bool try_now() noexcept {
    how = to->try_send(item);
    return how != sent::full;
  }
  [[nodiscard]] bool hold() noexcept { return try_now(); }
  [[nodiscard]] bool begin(waiter<>& who) noexcept {
    how = to->send_or_wait(item, who);
    return how != sent::full;
  }
  [[nodiscard]] bool cancel(waiter<>& who) const noexcept { return to->cancel_send(who); }
  void undo() const noexcept {}  // what is sent is sent
  [[nodiscard]] bool finish(ending end, answer got) const noexcept {
    return end == ending::told ? got == answer::given : how == sent::yes;
  }
};

template <class T>
struct receiving {
  static constexpr const char* what = "receive";
  typename channel_state<T>::line* from;
  std::optional<T> got = std::nullopt;

  [[nodiscard]] bool try_now() noexcept {
    set(from->try_take());
    return got.has_value();
  }
  [[nodiscard]] bool hold() const noexcept { return from->reserve(); }
  [[nodiscard]] bool begin(waiter<>& who) noexcept {
    auto taken = from->take_or_wait(who);
    set(std::move(taken.what));
    return !taken.waits;
  }
  /// Items need not be assignable.
  void set(std::optional<T> taken) noexcept {
    got.reset();
    if (taken) got.emplace(*std::move(taken));
  }
  [[nodiscard]] bool cancel(waiter<>& who) const noexcept { return from->cancel_take(who); }
  void undo() const noexcept { from->give_back_reservation(); }
  [[nodiscard]] std::optional<T> finish(ending end, answer how) noexcept {
    if (end == ending::now) return std::move(got);
    if (how == answer::closed) return std::nullopt;
    return from->take_reserved();
  }
};

}  // namespace licit::inline v0::detail

#endif
