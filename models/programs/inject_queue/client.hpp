/// What the inject queue's client programs share: the queue, numbered items of two pushers, and their accounts.
#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_CLIENT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <licit/scheduler/inject/inject_queue.hpp>

#include "program.hpp"
#include "programs/account.hpp"
#include "programs/inject_queue/short_segments.hpp"

namespace licit::models::on_inject_queue {

/// Each thread may push, and take; an item is its pusher's number and its own. The main thread pushes as thread 0
/// before the others start. At most `Items` of each.
template <class Model, std::size_t Items, std::size_t Cells, std::size_t Threads = 2>
class client {
 public:
  using item = std::uint64_t;

  client() : client(Model::memory()) {}
  explicit client(std::pmr::memory_resource* memory) : queue_({.memory = memory}) {}

  /// Thread t. False if it is left out, or refused.
  bool push(unsigned t) {
    if (Model::leaves_out("push")) return false;
    return queue_.push(made_by(t));
  }
  /// Thread t: so many in one call.
  template <std::size_t N>
  bool push_batch(unsigned t) {
    if (Model::leaves_out("push_batch")) return false;
    std::array<item, N> batch{};
    for (item& i : batch) i = made_by(t);
    return queue_.push(std::span<const item>(batch));
  }

  /// Thread t. How many it got: those of each pusher in order.
  template <std::size_t Most = 1>
  std::size_t pop(unsigned t) {
    if (Model::leaves_out("pop")) return 0;
    std::array<item, Most> into{};
    const std::size_t got = queue_.pop(into);
    Model::check(got <= Most, "more items than there was room for");
    for (const item i : std::span(into).first(got)) receive(t, i);
    return got;
  }

  /// Main thread, at the end: what is left is taken; then every item pushed has been, but for those that a thread that
  /// is stopped for good may have in its hands.
  void settle(int in_hand = 3) {
    while (pop_at_last() != 0) {
    }
    Model::check(queue_.empty() && queue_.size() == 0, "items are left where none was found");
    bool somebody_stopped = false;
    for (unsigned t = 0; t != Threads; ++t) somebody_stopped |= Model::stalled(t);
    for (auto& each : accounts_) each.settle(somebody_stopped ? in_hand : 0);
  }

 protected:
  using queue = inject_queue<item, short_segments<Model, Cells>>;
  queue& shared() { return queue_; }
  [[nodiscard]] int pushed(unsigned t) const { return accounts_[t].opened(); }

  item made_by(unsigned t) { return t * item{16} + static_cast<item>(accounts_[t].open()); }

 private:
  void receive(unsigned t, item i) {
    const auto from = static_cast<std::size_t>(i / 16);
    Model::check(from < Threads, "nothing invented: an item of no thread");
    Model::check(i > last_[t][from], "FIFO: a thread got an older item after a younger one of the same pusher");
    last_[t][from] = i;
    accounts_[from].take(static_cast<int>(i % 16));
  }
  std::size_t pop_at_last() {
    std::array<item, 1> one{};
    const std::size_t got = queue_.pop(one);
    if (got != 0) accounts_[static_cast<std::size_t>(one[0] / 16)].take(static_cast<int>(one[0] % 16));
    return got;
  }

  queue queue_;
  std::array<account<Model, Items>, Threads> accounts_;    // each one thread's
  std::array<std::array<item, Threads>, Threads> last_{};  // each row one thread's
};

}  // namespace licit::models::on_inject_queue

#endif
