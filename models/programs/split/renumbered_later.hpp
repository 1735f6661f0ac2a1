#ifndef LICIT_MODELS_PROGRAMS_SPLIT_RENUMBERED_LATER_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_RENUMBERED_LATER_HPP

#include "programs/split/client.hpp"
#include "programs/split/narrow.hpp"

namespace licit::models::on_split {

template <class Model>
struct renumbered_later : client<narrow<Model>, 3> {
  static constexpr program_info about{
      "renumbered_later", "a tag of one bit: the second reclaim begins the indices elsewhere", 2, reach::bounded};

  renumbered_later() : client<narrow<Model>, 3>({.initial_capacity = 1}) { this->offer(1); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      this->steal();  // asks
      this->push();
      this->pop();
      this->steal();  // asks
      this->push();
    } else {
      this->steal();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
