#ifndef LICIT_MODELS_PROGRAMS_LIFO_SLOT_REUSE_HPP
#define LICIT_MODELS_PROGRAMS_LIFO_SLOT_REUSE_HPP

#include "programs/lifo_slot/client.hpp"

namespace licit::models::on_lifo_slot {

template <class Model>
struct reuse : client<Model, 3> {
  static constexpr program_info about{
      "reuse", "the owner takes and puts again, by a store, while a thief stands between its look and its swap", 2,
      reach::bounded};

  void thread(unsigned i) {
    if (i == 0) {
      this->put();
      this->take();
      this->put();
      this->take();
      this->put();
    } else {
      this->steal();
      this->steal();
    }
  }

  void finish() { this->settle(2); }
};

}  // namespace licit::models::on_lifo_slot

#endif
