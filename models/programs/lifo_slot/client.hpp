/// What the LIFO slot's client programs share: a slot of numbered items, and their account.
#ifndef LICIT_MODELS_PROGRAMS_LIFO_SLOT_CLIENT_HPP
#define LICIT_MODELS_PROGRAMS_LIFO_SLOT_CLIENT_HPP

#include <cstddef>

#include <licit/scheduler/lifo_slot.hpp>

#include "program.hpp"
#include "programs/account.hpp"

namespace licit::models::on_lifo_slot {

/// Thread 0 owns the slot. Who takes an item, or is given it back, accounts for it at once.
template <class Model, std::size_t Items>
class client {
 public:
  /// Owner. An item that is displaced is the one that it put last.
  void put() {
    if (Model::leaves_out("put")) return;
    const int item = items_.open();
    const int displaced = Model::within(steps(1), [&] { return slot_.put(item); });
    if (displaced != 0) take(displaced, "a put displaced another item than the last one");
    last_ = item;
  }

  /// Owner. Nothing means that it was stolen, or that nothing was put.
  bool take() {
    if (Model::leaves_out("take")) return false;
    const int item = Model::within(steps(1), [&] { return slot_.take(); });
    Model::check(slot_.empty(), "the owner has taken what was there, and sees an item");
    if (item != 0) take(item, "the owner took another item than the last one");
    return item != 0;
  }

  /// Any thread.
  bool steal() {
    if (Model::leaves_out("steal")) return false;
    const int item = Model::within(steps(2), [&] { return slot_.steal(); });
    if (item != 0) items_.take(item);
    return item != 0;
  }

  /// Main thread, at the end: what is left is stolen; then every item put was taken, but for one that each stopped
  /// thread may have in its hands.
  void settle(unsigned threads) {
    int in_hand = 0;
    for (unsigned t = 0; t != threads; ++t) in_hand += Model::stalled(t) ? 2 : 0;
    steal();
    Model::check(slot_.empty(), "an item is left where one was taken");
    items_.settle(in_hand);
  }

 private:
  void take(int item, const char* property) {
    Model::check(item == last_, property);
    items_.take(item);
  }

  /// A broken slot's may be more, which is not what is wrong with it.
  static constexpr std::size_t steps(std::size_t sound) {
    if constexpr (requires { Model::torn_steps; }) return sound + Model::torn_steps;
    return sound;
  }

  lifo_slot<int, Model> slot_;
  account<Model, Items> items_;
  int last_ = 0;  // the owner's
};

}  // namespace licit::models::on_lifo_slot

#endif
