#ifndef LICIT_MODELS_PROGRAMS_CHASE_LEV_LAST_ITEM_TWO_THIEVES_HPP
#define LICIT_MODELS_PROGRAMS_CHASE_LEV_LAST_ITEM_TWO_THIEVES_HPP

#include "programs/chase_lev/client.hpp"

namespace licit::models {

template <class Model>
struct last_item_two_thieves : client<Model, 1> {
  static constexpr program_info about{"last_item_two_thieves", "owner and two thieves race for the last item", 3,
                                      reach::bounded};

  last_item_two_thieves() : client<Model, 1>({.initial_capacity = 1}) {}

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->pop();
    } else {
      this->steal(i - 1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models

#endif
