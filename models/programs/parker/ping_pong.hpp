#ifndef LICIT_MODELS_PROGRAMS_PARKER_PING_PONG_HPP
#define LICIT_MODELS_PROGRAMS_PARKER_PING_PONG_HPP

#include "programs/parker/client.hpp"

namespace licit::models::on_parker {

template <class Model>
struct ping_pong : client<Model, 2, 3> {
  static constexpr program_info about{"ping_pong", "a parker that is used again brings each letter", 2, reach::bounded,
                                      true};

  void thread(unsigned i) {
    if (i == 0) {
      this->park(0);
      this->read(0);
      this->write(1);
      this->unpark(1);
      this->park(0);
      this->read(2);
    } else {
      this->write(0);
      this->unpark(0);
      this->park(1);
      this->read(1);
      this->write(2);
      this->unpark(0);
    }
  }

  void finish() {}
};

}  // namespace licit::models::on_parker

#endif
