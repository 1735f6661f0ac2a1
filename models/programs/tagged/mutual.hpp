#ifndef LICIT_MODELS_PROGRAMS_TAGGED_MUTUAL_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_MUTUAL_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct mutual : client<Model, 6, 2> {
  static constexpr program_info about{"mutual", "two threads that take halves of each other's items", 3,
                                      reach::bounded};

  mutual() : client<Model, 6, 2>({.initial_capacity = 1}, {.initial_capacity = 2}) {
    this->stock(), this->stock(), this->stock(), this->stock(1), this->stock(1), this->stock(1);
  }

  void thread(unsigned i) {
    if (i == 0) {
      // owns nothing here
    } else if (i == 1) {
      this->raid_half(0, 1);
      this->pop_own();
    } else {
      this->raid_half(1, 0);
      this->pop_own(1);
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
