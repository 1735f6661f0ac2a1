#ifndef LICIT_MODELS_PROGRAMS_SPLIT_HALF_LITTLE_ROOM_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_HALF_LITTLE_ROOM_HPP

#include "programs/split/half_client.hpp"

namespace licit::models::on_split {

template <class Model>
struct half_little_room : half_client<Model, 9, 1, 1> {
  static constexpr program_info about{
      "half_little_room", "a thief with room for one takes one beside the one that it is given", 2, reach::bounded};

  half_little_room() : half_client<Model, 9, 1, 1>({.initial_capacity = 16}) { this->offer(5); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->pop();
    } else {
      this->raid();
      this->unload();
      this->raid();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
