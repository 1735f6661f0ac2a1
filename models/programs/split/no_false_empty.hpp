#ifndef LICIT_MODELS_PROGRAMS_SPLIT_NO_FALSE_EMPTY_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_NO_FALSE_EMPTY_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct no_false_empty : client<Model, 2> {
  static constexpr program_info about{
      "no_false_empty", "a steal that a push happens before, with no other taker, is not empty", 2, reach::full};

  no_false_empty() : client<Model, 2>({.initial_capacity = 1}) { Model::name(said_, "said"); }

  void thread(unsigned i) {
    if (i == 0) {
      if (this->push()) said_.store(1, order::release);  // with the load below
      this->push();                                      // grows
    } else if (said_.load(order::acquire) == 1) {
      const auto got = this->steal();
      Model::check(!got || *got != outcome::empty, "empty from a steal that a push happens before");
    }
  }

  void finish() { this->settle(); }

 private:
  typename Model::template atomic<int> said_;
};

}  // namespace licit::models::on_split

#endif
