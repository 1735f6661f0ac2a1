#ifndef LICIT_MODELS_PROGRAMS_SPLIT_ASKED_AGAIN_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_ASKED_AGAIN_HPP

#include "programs/split/client.hpp"

namespace licit::models::on_split {

template <class Model>
struct asked_again : client<Model, 6> {
  static constexpr program_info about{
      "asked_again", "a request that comes while another is answered is answered too, or stands", 2, reach::bounded};

  asked_again() : client<Model, 6>({.initial_capacity = 8}) {
    Model::name(said_, "said");
    this->ask();
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      if (said_.load(order::acquire) != 1 || !this->push()) return;
      said_.store(2, order::release);
    } else {
      this->steal();
      const auto last = this->steal();
      if (!last || *last == outcome::taken) return;
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
