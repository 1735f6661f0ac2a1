/// What the programs of steal-half share: deques of numbered items, each with its owner, and one account of all items.
#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_CLIENT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include <licit/deque/steal_half.hpp>

#include "program.hpp"
#include "programs/account.hpp"

namespace licit::models::on_steal_half {

enum class taking { in_order, from_each_other };

/// Deque i belongs to thread i; a thread without a deque only steals. Items are opened by the main thread, before the
/// others start, and by thread 0. Where no two deques are filled from each other each deque holds its items in the
/// order of their numbers, and so do pops and steals bring them.
template <class Model, std::size_t Items, std::size_t Deques = 2, taking Order = taking::in_order>
class client {
 public:
  client(const deque_options& victim, const deque_options& own) {
    deques_[0].emplace(victim);
    for (std::size_t i = 1; i != Deques; ++i) deques_[i].emplace(own);
    youngest_.fill(above_all);
  }

  /// Main thread, before the others start: so many items more in deque i.
  void fill(std::size_t i, std::size_t count) {
    for (; count != 0; --count) deques_[i]->push(items_.open());
  }

  /// Thread 0. False when its deque is at its maximum capacity, or the push is left out.
  bool push(std::size_t maximum = Items) {
    if (Model::leaves_out("push")) return false;
    if (deques_[0]->size() == maximum) return false;
    const int item = items_.open();
    Model::within(push_operations + 2 * deques_[0]->capacity(), [&] { deques_[0]->push(item); });
    youngest_[0] = above_all;
    return true;
  }

  /// Thread i, from its own deque: the youngest.
  bool pop(std::size_t i = 0) {
    if (Model::leaves_out("pop")) return false;
    const auto got = Model::within(pop_operations, [&] { return deques_[i]->pop(); });
    if (!got) return false;
    if constexpr (Order == taking::in_order) {
      Model::check(*got < youngest_[i], "LIFO: a pop returned an item younger than the one before");
      youngest_[i] = *got;
    }
    items_.take(*got);
    return true;
  }

  /// Thread i, one item from another's deque.
  std::optional<outcome> steal(std::size_t i, std::size_t from = 0) {
    if (Model::leaves_out("steal")) return std::nullopt;
    const auto got = Model::within(steal_operations, [&] { return deques_[from]->steal(); });
    if (!got) return got.what();
    stolen_one(i, *got);
    return outcome::taken;
  }

  /// Thread i, half from another's deque into its own.
  std::optional<outcome> half(std::size_t i, std::size_t from = 0, std::size_t most = 32) {
    if (Model::leaves_out("half")) return std::nullopt;
    const auto got = Model::within(half_operations, [&] { return steal_half(*deques_[from], *deques_[i], most); });
    if (!got) return got.what();
    Model::check(got.moved() < std::min(most, most_at_once), "more came along than half of what there ever was");
    if (got.moved() != 0) youngest_[i] = above_all;
    stolen_one(i, *got);
    return outcome::taken;
  }

  /// Main thread, at the end: what is left is taken; then every item has been. A thread that was stopped for good may
  /// have one in its hand, or two in the middle of a theft; nobody can pop its deque.
  void settle() {
    int in_hand = 0;
    for (unsigned i = 0; i != most_threads; ++i) in_hand += Model::stalled(i) ? 2 : 0;
    for (std::size_t i = 0; i != Deques; ++i) {
      if (Model::stalled(static_cast<unsigned>(i))) {
        while (const auto left = deques_[i]->steal()) items_.take(*left);
      } else {
        while (pop(i)) {
        }
      }
    }
    items_.settle(in_hand);
  }

  [[nodiscard]] std::size_t left(std::size_t i) const { return deques_[i]->size(); }
  [[nodiscard]] int pushed() const { return items_.opened(); }

 private:
  static constexpr unsigned most_threads = 3;
  static constexpr int above_all = static_cast<int>(Items) + 1;

  // What wait-free means here: an operation's own atomic operations, whatever the other threads do. Growth copies each
  // item by a load and a store. An item that comes along costs a look at the room, one at the victim, a claim, a push.
  static constexpr std::size_t push_operations = 7;
  static constexpr std::size_t pop_operations = 7;
  static constexpr std::size_t steal_operations = Model::asymmetric ? 7 : 6;  // steal.look too
  static constexpr std::size_t most_at_once = (Items + 1) / 2;
  static constexpr std::size_t looks = Model::asymmetric ? steal_operations : 1 + 3;
  static constexpr std::size_t half_operations =
      (Model::asymmetric ? 2 : 0) + steal_operations + (most_at_once - 1) * (2 + looks + push_operations + 2 * Items);

  void stolen_one(std::size_t i, int item) {
    if constexpr (Order == taking::in_order) {
      Model::check(item > last_[i], "FIFO: a thief got an older item after a younger one");
      last_[i] = item;
    }
    items_.take(item);
  }

  std::array<std::optional<chase_lev<int, Model>>, Deques> deques_;
  account<Model, Items> items_;
  std::array<int, Deques> youngest_{};    // each entry its deque's owner's: what it popped last
  std::array<int, most_threads> last_{};  // each entry one thread's: what it stole last
};

}  // namespace licit::models::on_steal_half

#endif
