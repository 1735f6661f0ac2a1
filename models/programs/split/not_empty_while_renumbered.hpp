#ifndef LICIT_MODELS_PROGRAMS_SPLIT_NOT_EMPTY_WHILE_RENUMBERED_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_NOT_EMPTY_WHILE_RENUMBERED_HPP

#include "programs/split/client.hpp"
#include "programs/split/narrow.hpp"

namespace licit::models::on_split {

template <class Model>
struct not_empty_while_renumbered : client<untagged<Model>, 3> {
  static constexpr program_info about{"not_empty_while_renumbered",
                                      "an item that stays is seen by steal and size while the indices begin elsewhere",
                                      2, reach::full};

  not_empty_while_renumbered() : client<untagged<Model>, 3>({.initial_capacity = 4}) { this->offer(2); }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
    } else {
      Model::check(this->left() != 0, "size said that a deque with an item in it is empty");
      const auto got = this->steal();
      Model::check(!got || *got != outcome::empty, "steal said that a deque with an item in it is empty");
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_split

#endif
