/// What client programs share: an account of numbered items, of who took what.
#ifndef LICIT_MODELS_PROGRAMS_ACCOUNT_HPP
#define LICIT_MODELS_PROGRAMS_ACCOUNT_HPP

#include <array>
#include <cstddef>

namespace licit::models {

/// Items are 1, 2, 3, … in the order of their push; 0 is what a slot holds that nobody wrote. The owner writes an
/// item's payload (not atomic) before it pushes the item, and whoever takes the item reads the payload and overwrites
/// it: an item taken twice, or without a happens-before from its push, is a race or a failed check in every checker.
template <class Model, std::size_t Items>
class account {
 public:
  account() { Model::name(payload_, "payload"); }

  /// The pushing thread: the number of the next item, whose payload is now written.
  int open() {
    const int item = ++opened_;
    payload_[static_cast<std::size_t>(item - 1)].write(sealed(item));
    return item;
  }

  /// Whoever took the item.
  void take(int item) {
    Model::check(item >= 1 && item <= static_cast<int>(Items), "nothing invented: an item that was never pushed");
    auto& cell = payload_[static_cast<std::size_t>(item - 1)];
    Model::check(cell.read() == sealed(item),
                 "exactly once: an item was taken twice, or before its payload was visible");
    cell.write(taken);
  }

  /// Main thread, at the end, when everything that could be found was taken: every item was. Threads that were stopped
  /// for good may have some in their hands.
  void settle(int in_hand = 0) {
    for (std::size_t i = 0; i != static_cast<std::size_t>(opened_); ++i) {
      if (payload_[i].read() != taken) --in_hand;
    }
    Model::check(in_hand >= 0, "nothing lost: an item was pushed and never taken");
  }

  /// How many items there are, taken or not.
  [[nodiscard]] int opened() const { return opened_; }

 private:
  static constexpr int taken = 0;
  static constexpr int sealed(int item) { return item + 100; }

  std::array<typename Model::template plain<int>, Items> payload_{};
  int opened_ = 0;  // the pushing thread's, then the main thread's
};

}  // namespace licit::models

#endif
