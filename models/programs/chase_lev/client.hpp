/// What the Chase-Lev deque's client programs share: a deque of numbered items, and their account.
#ifndef LICIT_MODELS_PROGRAMS_CHASE_LEV_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_CHASE_LEV_CLIENT_HPP

#include <array>
#include <cstddef>
#include <optional>

#include <licit/deque/chase_lev.hpp>

#include "program.hpp"
#include "programs/account.hpp"

namespace licit::models {

template <class Model, std::size_t Items>
class client {
 public:
  explicit client(const deque_options& options) : deque_{options}, maximum_{options.maximum_capacity} {}

  /// Owner. False when the deque is at its maximum capacity, or the push is left out.
  bool push() {
    if (Model::leaves_out("push")) return false;
    if (deque_.size() == maximum_) return false;  // never too low for the owner: otherwise there is room
    const int item = items_.open();
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
    items_.take(*got);
    return true;
  }

  /// Thief number `t` (from 0). FIFO: each thief's items come in the order of their push. Nothing if it is left out.
  std::optional<outcome> steal(std::size_t t = 0) {
    if (Model::leaves_out("steal")) return std::nullopt;
    const auto got = Model::within(steal_operations, [&] { return deque_.steal(); });
    if (!got) return got.what();
    Model::check(*got > last_[t], "FIFO: a thief got an older item after a younger one");
    last_[t] = *got;
    items_.take(*got);
    return outcome::taken;
  }

  /// Main thread, at the end: what is left is taken; then every item pushed has been. A thread that was stopped for
  /// good may have one in its hand; an owner that was cannot pop.
  void settle() {
    if (Model::stalled(owner)) {
      while (const auto left = deque_.steal()) items_.take(*left);
    } else {
      while (pop()) {
      }
    }
    int in_hand = 0;
    for (unsigned t = 0; t <= most_thieves; ++t) in_hand += Model::stalled(t) ? 1 : 0;
    items_.settle(in_hand);
  }

  [[nodiscard]] int pushed() const { return items_.opened(); }
  [[nodiscard]] std::size_t left() const { return deque_.size(); }

 private:
  static constexpr unsigned owner = 0;
  static constexpr unsigned most_thieves = 3;

  // What wait-free means here: an operation's own atomic operations, whatever the other threads do. Growth copies each
  // item by a load and a store.
  static constexpr std::size_t push_operations = 7;  // push.fence among them, where there is one
  static constexpr std::size_t pop_operations = 7;
  static constexpr std::size_t steal_operations = Model::asymmetric ? 7 : 6;  // and steal.look

  chase_lev<int, Model> deque_;
  const std::size_t maximum_;
  account<Model, Items> items_;
  std::array<int, Items> mine_{};         // owner's: pushed and not popped, oldest first
  std::size_t depth_ = 0;                 // of mine_
  std::array<int, most_thieves> last_{};  // each entry one thief's
};

}  // namespace licit::models

#endif
