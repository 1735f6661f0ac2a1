/// What the split deque's client programs share: a deque of numbered items, and their account.
#ifndef LICIT_MODELS_PROGRAMS_SPLIT_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_CLIENT_HPP

#include <array>
#include <cstddef>
#include <optional>

#include <licit/deque/split.hpp>

#include "program.hpp"
#include "programs/account.hpp"

namespace licit::models::on_split {

template <class Model, std::size_t Items>
class client {
 public:
  explicit client(const deque_options& options) : deque_{options}, maximum_{options.maximum_capacity} {}

  /// Owner. False when the deque is full, or the push is left out: the item is then kept for the next push.
  bool push() {
    if (Model::leaves_out("push")) return false;
    if (kept_ == 0) kept_ = items_.open();
    if (!pushed_into_room()) return false;
    mine_[depth_++] = kept_;
    kept_ = 0;
    return true;
  }

  /// Owner. LIFO: a popped item is the youngest that was not popped before; no item means that all were stolen.
  bool pop() {
    if (Model::leaves_out("pop")) return false;
    const std::size_t claims = Items;  // each of which may make the owner's reclaim begin again
    const auto got = Model::within(pop_operations + claims, [&] { return deque_.pop(); });
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
    take_in_order(*got, t);
    return outcome::taken;
  }

  /// Main thread, before the others start: there is a request.
  void ask() { Model::check(deque_.steal().is_empty(), "a steal from a new deque brought something"); }

  /// Main thread, before the others start: so many items, all of them public, and no request. Opens fewer than twice as
  /// many.
  void offer(int items) {
    for (int i = 2; i < 2 * items; ++i) push();
    Model::check(!deque_.steal(), "a steal from a deque whose items are private brought one");
    push();  // publishes half
    for (int i = 1; i < items; ++i) pop();
  }

  /// Main thread, at the end: what is left is taken; then every item pushed has been. A thread that was stopped for
  /// good may have some in its hands: an owner that was also those that are private.
  void settle(int in_hand = 0) {
    if (Model::stalled(owner)) {
      while (const auto left = deque_.steal()) items_.take(*left);
      in_hand += static_cast<int>(deque_.size()) + 1;
    } else {
      if (kept_ != 0) items_.take(kept_);
      while (pop()) {
      }
    }
    for (unsigned t = 1; t <= most_thieves; ++t) in_hand += Model::stalled(t) ? 1 : 0;
    items_.settle(in_hand);
  }

  [[nodiscard]] int pushed() const { return items_.opened(); }
  [[nodiscard]] std::size_t left() const { return deque_.size(); }

 protected:
  using deque_type = split_deque<int, Model>;

  void take_in_order(int item, std::size_t t) {
    Model::check(item > last_[t], "FIFO: a thief got an older item after a younger one");
    last_[t] = item;
    items_.take(item);
  }
  void take(int item) { items_.take(item); }
  deque_type& deque() { return deque_; }

 private:
  static constexpr unsigned owner = 0;

  /// The error says that there is no room: size, which acquires, would hide what push itself must acquire.
  bool pushed_into_room() {
    const auto push = [&] { Model::within(push_operations + 2 * deque_.capacity(), [&] { deque_.push(kept_); }); };
    if constexpr (requires { Model::exceptions; }) {
      if (deque_.size() == maximum_) return false;  // never too low for the owner: otherwise there is room
      push();
    } else {
      try {
        push();
      } catch (const capacity_error&) {
        return false;
      }
    }
    return true;
  }
  static constexpr unsigned most_thieves = 3;

  // What wait-free means here: an operation's own atomic operations, whatever the other threads do. Growth copies each
  // item by a load and a store. An answer to a request is three of them.
  static constexpr std::size_t push_operations = 4 + 2 + 3;
  static constexpr std::size_t pop_operations = 4 + 4 + 3;
  static constexpr std::size_t steal_operations = 4;

  deque_type deque_;
  const std::size_t maximum_;
  account<Model, Items> items_;
  std::array<int, Items> mine_{};         // owner's: pushed and not popped, oldest first
  std::size_t depth_ = 0;                 // of mine_
  int kept_ = 0;                          // owner's: opened, and not pushed
  std::array<int, most_thieves> last_{};  // each entry one thief's
};

}  // namespace licit::models::on_split

#endif
