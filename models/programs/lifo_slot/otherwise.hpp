/// LIFO slots by other rules.
#ifndef LICIT_MODELS_PROGRAMS_LIFO_SLOT_OTHERWISE_HPP
#define LICIT_MODELS_PROGRAMS_LIFO_SLOT_OTHERWISE_HPP

#include <cstddef>

#include "programs/altered.hpp"
#include "programs/lifo_slot/displaced.hpp"
#include "programs/lifo_slot/last_item.hpp"
#include "programs/lifo_slot/reuse.hpp"

namespace licit::models::on_lifo_slot {

/// What is one read-modify-write takes two steps.
template <class Model, fixed_string Name>
struct torn_slot : torn<Model, Name> {
  static constexpr std::size_t torn_steps = 1;
};

/// The owner always believes that the slot is empty.
template <class Model>
struct forgetful : Model {
  template <class T>
  class plain : public Model::template plain<T> {
   public:
    using Model::template plain<T>::plain;
    [[nodiscard]] T read() const { return T{}; }
  };
};

template <class Model>
struct steal_in_two_steps : last_item<torn_slot<Model, "steal.swap">> {
  static constexpr program_info about{"steal_in_two_steps", "a thief clears what it has read before", 2, reach::none};
};

template <class Model>
struct take_in_two_steps : last_item<torn_slot<Model, "take.swap">> {
  static constexpr program_info about{"take_in_two_steps", "the owner clears what it has read before", 2, reach::none};
};

template <class Model>
struct put_in_two_steps : displaced<torn_slot<Model, "put.swap">> {
  static constexpr program_info about{"put_in_two_steps", "the owner displaces what a thief has taken", 2, reach::none};
};

/// Of lifo_slot_orders, whose accounts have plain cells too: only the slot's own forgets.
template <class Model>
class put_over_an_item {
 public:
  static constexpr program_info about{"put_over_an_item", "the owner stores where it does not know that nothing is", 2,
                                      reach::none};

  void thread(unsigned i) {
    if (i == 0) {
      slot_.put(1);
      taken_[0] = slot_.put(2);
    } else {
      taken_[1] = slot_.steal();
    }
  }

  void finish() {
    const int sum = taken_[0] + taken_[1] + slot_.steal();
    Model::check(sum == 3, "nothing lost: an item was put over another");
  }

 private:
  lifo_slot<int, forgetful<Model>> slot_;
  int taken_[2] = {};  // each one thread's
};

}  // namespace licit::models::on_lifo_slot

#endif
