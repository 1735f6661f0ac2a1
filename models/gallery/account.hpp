/// Who took what: the properties that every deque and queue of the gallery is held to.
#ifndef LICIT_MODELS_GALLERY_ACCOUNT_HPP
#define LICIT_MODELS_GALLERY_ACCOUNT_HPP

#include <array>
#include <cstddef>

#include <licit/deque/order.hpp>

#include "suites/account.hpp"
#include "suites/line.hpp"

namespace licit::models::gallery {

/// In what order items come back.
enum class discipline {
  lifo,    ///< to the owner its youngest, to thieves the oldest
  fifo,    ///< to everyone the oldest
  blocks,  ///< to the owner its youngest, to thieves any of the others
};

/// No item; a slot that nobody wrote holds 0, which is none either.
inline constexpr int none = -1;

/// The account of the suites, with the order in which items come back, and a count of each item's takers, whose relaxed
/// RMWs order nothing.
template <class Model, discipline Order>
class account {
 public:
  explicit account(std::size_t items) : items_{items}, takers_{items} {}

  /// Owner, before a push: the item to push.
  int open() {
    const int item = items_.open();
    mine_[depth_++] = item;
    return item;
  }
  /// Owner: the structure was full, and the item of the last `open` is not in it.
  void refuse() {
    items_.refuse();
    --depth_;
  }

  /// Owner: what pop returned.
  void popped(int item) {
    if (item == none) {
      depth_ = 0;
      return;
    }
    once(item);
    Order == discipline::fifo ? in_order(item, 0) : youngest(item);
    items_.take(item);
  }

  /// Thread `taker` (1 is the first thief): what a steal returned.
  void stolen(int item, unsigned taker) {
    if (item == none) return;
    once(item);
    if (Order != discipline::blocks) in_order(item, taker);
    items_.take(item);
  }

  /// Main thread, at the end, when nothing more can be taken.
  void settle() { items_.settle(); }

 private:
  void once(int item) {
    Model::check(item >= 1 && item <= static_cast<int>(takers_.size()),
                 "nothing invented: an item that was never pushed");
    Model::check(takers_[static_cast<std::size_t>(item - 1)].fetch_add(1, order::relaxed, "take") == 0,
                 "exactly once: an item was taken twice");
  }
  void youngest(int item) {
    if (Order == discipline::blocks) {  // thieves may have taken younger ones
      while (depth_ != 0 && mine_[depth_ - 1] > item) --depth_;
    }
    Model::check(depth_ != 0 && item == mine_[depth_ - 1], "LIFO: pop did not return the owner's youngest item");
    --depth_;
  }
  void in_order(int item, unsigned taker) {
    Model::check(item > last_[taker], "FIFO: a thread got an older item after a younger one");
    last_[taker] = item;
  }

  suites::account<Model> items_;
  suites::cells<typename Model::template atomic<int>, suites::most_items> takers_;
  std::array<int, suites::most_items> mine_{};          // owner's: pushed and not popped, oldest first
  std::size_t depth_ = 0;                               // of mine_
  std::array<int, suites::line::most_threads> last_{};  // each entry one thread's
};

}  // namespace licit::models::gallery

#endif
