/// One value, from one sender to one receiver.
#ifndef LICIT_SCHEDULER_ONESHOT_HPP
#define LICIT_SCHEDULER_ONESHOT_HPP

#include <optional>
#include <utility>

#include <licit/scheduler/sync/channel.hpp>

namespace licit::inline v0 {

/// Move-only. Its destruction tells the receiver that nothing comes.
template <class T>
class oneshot_sender {
 public:
  explicit oneshot_sender(channel_sender<T> to) noexcept : to_{std::move(to)} {}
  oneshot_sender(oneshot_sender&&) noexcept = default;
  oneshot_sender& operator=(oneshot_sender&&) noexcept = default;
  ~oneshot_sender() = default;

  /// Any thread, and any task; once. False: the receiver is gone or has closed, and the value was not moved from. Does
  /// not wait. Throws nothing.
  [[nodiscard]] bool send(T&& value) noexcept {
    const bool done = to_.try_send(std::move(value)) == sent::yes;
    (void)to_.close();
    return done;
  }
  /// Any thread. Whether no receiver will take a value.
  [[nodiscard]] bool is_closed() const noexcept { return to_.is_closed(); }

 private:
  channel_sender<T> to_;
};

/// Move-only. If it is destroyed with the value inside, the value is destroyed.
template <class T>
class oneshot_receiver {
 public:
  explicit oneshot_receiver(channel_receiver<T> from) noexcept : from_{std::move(from)} {}
  oneshot_receiver(oneshot_receiver&&) noexcept = default;
  oneshot_receiver& operator=(oneshot_receiver&&) noexcept = default;
  ~oneshot_receiver() = default;

  /// As for a channel. Nothing: the sender was destroyed without having sent, or the value was already received.
  [[nodiscard]] auto receive() const noexcept { return from_.receive(); }
  [[nodiscard]] std::optional<T> try_receive() const noexcept { return from_.try_receive(); }
  [[nodiscard]] std::optional<T> blocking_receive() const { return from_.blocking_receive(); }
  /// Any thread. The sender can send no more; what was sent can be received.
  void close() noexcept { (void)from_.close(); }

 private:
  channel_receiver<T> from_;
};

/// The two ends of a oneshot.
template <class T>
struct oneshot {
  oneshot_sender<T> to;
  oneshot_receiver<T> from;
};

/// Any thread. Makes both ends. An item's move must not throw. Throws std::bad_alloc.
template <class T>
[[nodiscard]] oneshot<T> make_oneshot() {
  auto [to, from] = make_channel<T>(1);
  return {oneshot_sender<T>(std::move(to)), oneshot_receiver<T>(std::move(from))};
}

}  // namespace licit::inline v0

#endif
