#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_NO_FALSE_EMPTY_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_NO_FALSE_EMPTY_HPP

#include "programs/run_queue/client.hpp"

namespace licit::models::on_run_queue {

template <class Model>
struct no_false_empty : client<Model, 3> {
  static constexpr program_info about{
      "no_false_empty", "a theft that the push happens before, with no other taker, gets the item", 2, reach::full};

  no_false_empty() : client<Model, 3>(4) {
    Model::name(said_, "said");
    this->fill(0, 1);
  }

  void thread(unsigned i) {
    if (i == 0) {
      this->pop();
      if (this->push()) said_.store(1, order::release);  // with the load below
      this->push();
    } else if (said_.load(order::acquire) == 1) {
      const auto got = this->steal_half(1, 0);
      Model::check(!got || *got == outcome::taken, "empty or lost from a theft that a push happens before");
    }
  }

  void finish() { this->settle(); }

 private:
  typename Model::template atomic<int> said_;
};

}  // namespace licit::models::on_run_queue

#endif
