#ifndef LICIT_MODELS_PROGRAMS_TAGGED_OVERWRITE_HALF_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_OVERWRITE_HALF_HPP

#include "programs/tagged/client.hpp"

namespace licit::models::on_tagged {

template <class Model>
struct overwrite_half : client<Model, 6> {
  static constexpr program_info about{
      "overwrite_half", "slots that one claim frees are overwritten only after the thief has read them all", 2,
      reach::bounded};

  overwrite_half() : client<Model, 6>({.initial_capacity = 4, .maximum_capacity = 4}) { this->push(4); }

  void thread(unsigned i) {
    if (i == 0) {
      this->push();
      this->push();
    } else {
      this->half();
    }
  }

  void finish() { this->settle(); }
};

}  // namespace licit::models::on_tagged

#endif
