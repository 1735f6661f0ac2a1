/// Who took what: the properties that every deque and queue of the gallery is held to.
#ifndef LICIT_MODELS_GALLERY_ACCOUNT_HPP
#define LICIT_MODELS_GALLERY_ACCOUNT_HPP

#include <array>
#include <cstddef>

#include <licit/deque/order.hpp>

namespace licit::models::gallery {

/// In what order items come back.
enum class discipline {
  lifo,    ///< to the owner its youngest, to thieves the oldest
  fifo,    ///< to everyone the oldest
  blocks,  ///< to the owner its youngest, to thieves any of the others
};

/// No item; a slot that nobody wrote holds 0, which is none either.
inline constexpr int none = -1;

inline constexpr std::size_t most_takers = 4;

/// Items are 1, 2, 3, … in the order of their push. Each has a payload that is not atomic, written before the push and
/// overwritten by its taker, and a count of its takers, whose relaxed RMWs order nothing.
template <class Model, std::size_t Items, discipline Order>
class account {
 public:
  /// Owner, before a push: the item to push.
  int make() {
    const int item = ++made_;
    payload_[at(item)].write(sealed(item));
    mine_[depth_++] = item;
    return item;
  }
  /// Owner: the structure was full, and the item of the last `make` is not in it.
  void refused() {
    --made_;
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
    consume(item);
  }

  /// Thread `taker` (1 is the first thief): what a steal returned.
  void stolen(int item, std::size_t taker) {
    if (item == none) return;
    once(item);
    if (Order != discipline::blocks) in_order(item, taker);
    consume(item);
  }

  /// Main thread, at the end, when nothing more can be taken.
  void close() {
    for (int item = 1; item <= made_; ++item) {
      Model::check(payload_[at(item)].read() == consumed, "nothing lost: an item was pushed and cannot be taken");
    }
  }

 private:
  static constexpr int consumed = 0;
  static constexpr int sealed(int item) { return item + 100; }
  static std::size_t at(int item) { return static_cast<std::size_t>(item - 1); }

  void once(int item) {
    Model::check(item >= 1 && item <= static_cast<int>(Items), "nothing invented: an item that was never pushed");
    Model::check(takers_[at(item)].fetch_add(1, order::relaxed, "take") == 0, "exactly once: an item was taken twice");
  }
  void youngest(int item) {
    if (Order == discipline::blocks) {  // thieves may have taken younger ones
      while (depth_ != 0 && mine_[depth_ - 1] > item) --depth_;
    }
    Model::check(depth_ != 0 && item == mine_[depth_ - 1], "LIFO: pop did not return the owner's youngest item");
    --depth_;
  }
  void in_order(int item, std::size_t taker) {
    Model::check(item > last_[taker], "FIFO: a thread got an older item after a younger one");
    last_[taker] = item;
  }
  void consume(int item) {
    Model::check(payload_[at(item)].read() == sealed(item), "an item was taken before its payload was visible");
    payload_[at(item)].write(consumed);
  }

  std::array<typename Model::template plain<int>, Items> payload_{};
  std::array<typename Model::template atomic<int>, Items> takers_{};
  int made_ = 0;                         // owner's, then the main thread's
  std::array<int, Items> mine_{};        // owner's: pushed and not popped, oldest first
  std::size_t depth_ = 0;                // of mine_
  std::array<int, most_takers> last_{};  // each entry one thread's
};

}  // namespace licit::models::gallery

#endif
