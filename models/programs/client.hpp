/// What the deque's client programs share: a deque of numbered items, and an account of who took what.
#ifndef LICIT_MODELS_PROGRAMS_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_CLIENT_HPP

#include <array>
#include <cstddef>
#include <optional>

#include <licit/deque/chase_lev.hpp>

#include "program.hpp"

namespace licit::models {

/// Items are 1, 2, 3, … in the order of their push; 0 is what a slot holds that nobody wrote. The owner writes an
/// item's payload (not atomic) before it pushes the item, and whoever takes the item reads the payload and overwrites
/// it: an item taken twice, or without a happens-before from its push, is a race or a failed check in every checker.
template <class Model, std::size_t Items>
class client {
 public:
  explicit client(const deque_options& options) : deque_{options}, maximum_{options.maximum_capacity} {
    Model::name(payload_, "payload");
  }

  /// Owner. False when the deque is at its maximum capacity, or the push is left out.
  bool push() {
    if (Model::leaves_out("push")) return false;
    if (deque_.size() == maximum_) return false;  // never too low for the owner: otherwise there is room
    const int item = ++pushed_;
    payload_[static_cast<std::size_t>(item - 1)].write(sealed(item));
    mine_[depth_++] = item;
    Model::within(push_operations + 2 * deque_.capacity(), [&] { deque_.push(item); });
    return true;
  }

  /// Owner. LIFO: a popped item is the youngest that was not popped before; no item means that all were stolen.
  bool pop() {
    if (Model::leaves_out("pop")) return false;
    const auto got = Model::within(pop_operations, [&] { return deque_.pop(); });
    if (!got) {
      depth_ = 0;
      return false;
    }
    Model::check(depth_ != 0 && *got == mine_[depth_ - 1], "LIFO: pop did not return the owner's youngest item");
    --depth_;
    take(*got);
    return true;
  }

  /// Thief number `t` (from 0). FIFO: each thief's items come in the order of their push. Nothing if it is left out.
  std::optional<outcome> steal(std::size_t t = 0) {
    if (Model::leaves_out("steal")) return std::nullopt;
    const auto got = Model::within(steal_operations, [&] { return deque_.steal(); });
    if (!got) return got.what();
    Model::check(*got > last_[t], "FIFO: a thief got an older item after a younger one");
    last_[t] = *got;
    take(*got);
    return outcome::taken;
  }

  /// Main thread, at the end: what is left is taken; then every item pushed has been. A thread that was stopped for
  /// good may have one in its hand; an owner that was cannot pop.
  void settle() {
    if (Model::stalled(owner)) {
      while (const auto left = deque_.steal()) take(*left);
    } else {
      while (pop()) {
      }
    }
    int in_hand = 0;
    for (unsigned t = 0; t <= most_thieves; ++t) in_hand += Model::stalled(t) ? 1 : 0;
    for (std::size_t i = 0; i != static_cast<std::size_t>(pushed_); ++i) {
      if (payload_[i].read() != taken) --in_hand;
    }
    Model::check(in_hand >= 0, "nothing lost: an item was pushed and never taken");
  }

  [[nodiscard]] int pushed() const { return pushed_; }
  [[nodiscard]] std::size_t left() const { return deque_.size(); }

 private:
  static constexpr int taken = 0;
  static constexpr int sealed(int item) { return item + 100; }

  void take(int item) {
    Model::check(item >= 1 && item <= static_cast<int>(Items), "nothing invented: an item that was never pushed");
    auto& cell = payload_[static_cast<std::size_t>(item - 1)];
    Model::check(cell.read() == sealed(item),
                 "exactly once: an item was taken twice, or before its payload was visible");
    cell.write(taken);
  }

  static constexpr unsigned owner = 0;
  static constexpr unsigned most_thieves = 3;

  // What wait-free means here: an operation's own atomic operations, whatever the other threads do. Growth copies each
  // item by a load and a store.
  static constexpr std::size_t push_operations = 7;  // push.fence among them, where there is one
  static constexpr std::size_t pop_operations = 7;
  static constexpr std::size_t steal_operations = 6;

  chase_lev<int, Model> deque_;
  const std::size_t maximum_;
  std::array<typename Model::template plain<int>, Items> payload_{};
  int pushed_ = 0;                        // owner's, then the main thread's
  std::array<int, Items> mine_{};         // owner's: pushed and not popped, oldest first
  std::size_t depth_ = 0;                 // of mine_
  std::array<int, most_thieves> last_{};  // each entry one thief's
};

}  // namespace licit::models

#endif
