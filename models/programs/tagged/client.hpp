/// What the tagged deque's client programs share: a victim, the thieves' own deques, and one account of all items.
#ifndef LICIT_MODELS_PROGRAMS_TAGGED_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_CLIENT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include <licit/deque/index_error.hpp>
#include <licit/deque/tagged.hpp>

#include "program.hpp"
#include "programs/account.hpp"

namespace licit::models::on_tagged {

/// Thread 0 owns the victim, thread i the deque of thief i - 1. `Moved` is how many items one renewal may move; 0 where
/// the tags do not come to their end. `Withholds`: an owner that is stopped in a renewal keeps what it moves from
/// thieves.
template <class Model, std::size_t Items, std::size_t Thieves = 1, std::size_t Moved = 0, bool Withholds = true>
class client {
 public:
  explicit client(const deque_options& victim, const deque_options& thief = {.initial_capacity = 2})
      : victim_{victim},
        thieves_{make(thief, std::make_index_sequence<Thieves>())},
        maximum_{victim.maximum_capacity} {}

  /// Owner. False when the victim is at its maximum capacity, or the push is left out.
  bool push() {
    if (Model::leaves_out("push")) return false;
    if (victim_.size() == maximum_) return false;  // never too low for the owner: otherwise there is room
    in_hand_ = 1;
    const int item = items_.open();
    mine_[depth_++] = item;
    Model::within(push_operations + 2 * victim_.capacity(), [&] { victim_.push(item); });
    in_hand_ = 0;
    return true;
  }
  void push(std::size_t times) {
    for (std::size_t i = 0; i != times; ++i) push();
  }

  /// Owner, whose indices are used up.
  void push_beyond() {
    bool refused = false;
    try {
      victim_.push(0);
    } catch (const index_error&) {
      refused = true;
    }
    Model::check(refused, "a push beyond the last index");
  }

  /// Owner. LIFO: a popped item is the youngest that was not popped before; no item means that all were stolen.
  bool pop() {
    if (Model::leaves_out("pop")) return false;
    in_hand_ = 1 + static_cast<int>(Withholds ? Moved : 0);
    const auto got = Model::within(pop_operations, [&] { return victim_.pop(); });
    in_hand_ = 1;
    if (!got) {
      depth_ = 0;
      in_hand_ = 0;
      return false;
    }
    Model::check(depth_ != 0 && *got == mine_[depth_ - 1], "LIFO: pop did not return the owner's youngest item");
    --depth_;
    items_.take(*got);
    in_hand_ = 0;
    return true;
  }

  /// Thief number `t` (from 0). FIFO: each thief's items come in the order of their push. Nothing if it is left out.
  std::optional<outcome> steal(std::size_t t = 0) {
    if (Model::leaves_out("steal")) return std::nullopt;
    thief& self = thieves_[t];
    self.in_hand = 1;
    const auto got = Model::within(steal_operations, [&] { return victim_.steal(); });
    return self.receive(got, items_);
  }

  /// The same by half; what came along is in the thief's own deque.
  std::optional<outcome> half(std::size_t t = 0, std::size_t most = Items) {
    if (Model::leaves_out("half")) return std::nullopt;
    thief& self = thieves_[t];
    self.in_hand = static_cast<int>(std::min(most, (Items + 1) / 2));
    const auto got = Model::within(half_operations + 2 * most + 4 * self.own.capacity(),
                                   [&] { return victim_.steal_half(self.own, most); });
    Model::check(got.moved() < most, "more items than were asked for");
    if (got) self.ceiling = std::numeric_limits<int>::max();
    self.moved = got.moved();
    return self.receive(got, items_);
  }

  /// Thief `t`, of its own deque: LIFO, so older and older ones until it steals again.
  bool pop_own(std::size_t t = 0) {
    if (Model::leaves_out("pop_own")) return false;
    thief& self = thieves_[t];
    self.in_hand = 1;
    const auto got = Model::within(pop_operations, [&] { return self.own.pop(); });
    if (got) {
      Model::check(!self.ordered || *got < self.ceiling,
                   "LIFO: a thief's deque does not have the items in the order of their push");
      self.ceiling = *got;
      items_.take(*got);
    }
    self.in_hand = 0;
    return got.has_value();
  }

  /// Thief `t` steals from the deque of thief `from`.
  std::optional<outcome> raid(std::size_t t, std::size_t from) {
    if (Model::leaves_out("raid")) return std::nullopt;
    thieves_[t].in_hand = 1;
    const auto got = Model::within(steal_operations, [&] { return thieves_[from].own.steal(); });
    return thieves_[t].receive(got, items_);
  }

  /// Thief `t` takes half of what thief `from` has. Its own items are in no order then.
  std::optional<outcome> raid_half(std::size_t t, std::size_t from) {
    if (Model::leaves_out("raid")) return std::nullopt;
    thief& self = thieves_[t];
    self.in_hand = static_cast<int>(Items + 1) / 2;
    self.ordered = false;
    const auto got = Model::within(half_operations + 2 * Items + 4 * self.own.capacity(),
                                   [&] { return thieves_[from].own.steal_half(self.own); });
    return self.receive(got, items_);
  }

  /// Thief `t` has an item of its own.
  void stock(std::size_t t = 0) { thieves_[t].own.push(items_.open()); }

  /// How many items came along with what thief `t` stole last.
  [[nodiscard]] std::size_t moved(std::size_t t = 0) const { return thieves_[t].moved; }

  /// Main thread, at the end: what is left is taken; then every item pushed has been, but those in the hands of threads
  /// that were stopped for good. Nobody can pop for those.
  void settle() {
    int in_hand = 0;
    if (Model::stalled(0)) {
      in_hand += in_hand_;
      empty(victim_);
    } else {
      while (pop()) {
      }
    }
    for (std::size_t t = 0; t != Thieves; ++t) {
      if (Model::stalled(static_cast<unsigned>(t + 1))) {
        in_hand += thieves_[t].in_hand;
        empty(thieves_[t].own);
      } else {
        while (pop_own(t)) {
        }
      }
    }
    items_.settle(in_hand);
  }

  [[nodiscard]] int pushed() const { return items_.opened(); }
  [[nodiscard]] std::size_t left() const { return victim_.size(); }

 private:
  using deque = tagged_deque<int, Model>;

  // What wait-free means here: an operation's own atomic operations, whatever the other threads do. Growth and renewal
  // copy each item by a load and a store.
  static constexpr std::size_t push_operations = 6;
  static constexpr std::size_t pop_operations = Moved == 0 ? 7 : 8 + 2 * Moved;
  static constexpr std::size_t steal_operations = 7;
  static constexpr std::size_t half_operations = 10;

  struct thief {
    explicit thief(const deque_options& options) : own{options} {}

    outcome receive(const stolen<int>& got, account<Model, Items>& items) {
      if (got) {
        Model::check(*got > last, "FIFO: a thief got an older item after a younger one");
        last = *got;
        items.take(*got);
      }
      in_hand = 0;
      return got.what();
    }

    deque own;
    int last = 0;
    int ceiling = std::numeric_limits<int>::max();
    bool ordered = true;  // pops of its own deque bring older and older items, until it steals again
    std::size_t moved = 0;
    int in_hand = 0;
  };

  template <std::size_t... I>
  static std::array<thief, Thieves> make(const deque_options& options, std::index_sequence<I...> /*all*/) {
    const auto one = [&](std::size_t /*t*/) { return thief(options); };
    return {one(I)...};
  }

  void empty(deque& of) {
    while (const auto left = of.steal()) items_.take(*left);
  }

  deque victim_;
  std::array<thief, Thieves> thieves_;
  const std::size_t maximum_;
  std::size_t depth_ = 0;          // of mine_
  int in_hand_ = 0;                // the owner's: at most so many items, if it is stopped now
  std::array<int, Items> mine_{};  // owner's: pushed and not popped, oldest first
  account<Model, Items> items_;
};

}  // namespace licit::models::on_tagged

#endif
