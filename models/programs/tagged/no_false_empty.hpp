#ifndef LICIT_MODELS_PROGRAMS_TAGGED_NO_FALSE_EMPTY_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_NO_FALSE_EMPTY_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct no_false_empty : client<Model, 2> {
  static constexpr program_info about{
      "no_false_empty", "a steal that the push happens before, with no other taker, gets the item", 2, reach::full};

  no_false_empty() : client<Model, 2>({.initial_capacity = 1}) { Model::name(said_, "said"); }

  void thread(unsigned i) {
    if (i == 0) {
      if (this->push()) said_.store(1, order::release);  // with the load below
      this->push();                                      // grows: the thief may meet either ring
    } else if (said_.load(order::acquire) == 1) {
      const auto got = this->steal();
      Model::check(!got || *got == outcome::taken, "empty or lost from a steal that a push happens before");
    }
  }

  void finish() { this->settle(); }

 private:
  typename Model::template atomic<int> said_;
};

}  // namespace licit::models::on_tagged

#endif
