#ifndef LICIT_MODELS_PROGRAMS_SPLIT_ANSWERED_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_ANSWERED_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct answered : client<Model, 4> {
  static constexpr program_info about{
      "answered", "a thief asks, the owner does one more operation: the thief gets an item", 2, reach::full};

  answered() : client<Model, 4>({.initial_capacity = 4}) {
    Model::name(said_, "said");
    for (int items = 0; items != 2; ++items) this->push();
  }

  void thread(unsigned i) {
    if (i == 0) {
      if (said_.load(order::acquire) != 1 || !this->pop()) return;
      said_.store(2, order::release);
    } else {
      if (!this->steal()) return;
      said_.store(1, order::release);
      if (said_.load(order::acquire) != 2) return;
      const auto got = this->steal();
      Model::check(!got || *got == outcome::taken, "an item was not to be had after the owner's next operation");
    }
  }

  void finish() { this->settle(); }

 private:
  typename Model::template atomic<int> said_;
};

}  // namespace licit::models::on_split

#endif
