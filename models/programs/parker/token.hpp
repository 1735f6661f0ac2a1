#ifndef LICIT_MODELS_PROGRAMS_PARKER_TOKEN_HPP
#define LICIT_MODELS_PROGRAMS_PARKER_TOKEN_HPP

#include "programs/parker/client.hpp"

namespace licit::models::on_parker {

template <class Model>
struct token : client<Model, 1, 1> {
  static constexpr program_info about{"token", "an unpark before, while and after its thread falls asleep", 2,
                                      reach::full, true};

  void thread(unsigned i) {
    if (i == 0) {
      this->park(0);
      this->read(0);
    } else {
      this->write(0);
      this->unpark(0);
    }
  }

  void finish() {}
};

}  // namespace licit::models::on_parker

#endif
