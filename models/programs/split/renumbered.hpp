#ifndef LICIT_MODELS_PROGRAMS_SPLIT_RENUMBERED_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_RENUMBERED_HPP

#include "programs/split/client.hpp"
#include "programs/split/narrow.hpp"

namespace licit::models::on_split {

template <class Model>
struct renumbered : client<untagged<Model>, 2> {
  static constexpr program_info about{
      "renumbered", "every reclaim begins the indices elsewhere: a slow thief's word does not return, nor its slot", 2,
      reach::bounded};

  renumbered() : client<untagged<Model>, 2>({.initial_capacity = 1}) { this->offer(1); }

  void thread(unsigned i) {
    if (i == 0) {
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
