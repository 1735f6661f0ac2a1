#ifndef LICIT_MODELS_PROGRAMS_PARKER_TWO_UNPARKERS_HPP
#define LICIT_MODELS_PROGRAMS_PARKER_TWO_UNPARKERS_HPP

#include <array>

#include "programs/parker/client.hpp"

namespace licit::models::on_parker {

/// One token for both unparks is enough if it brings what both have written.
template <class Model>
struct two_unparkers : client<Model, 1, 2> {
  static constexpr program_info about{"two_unparkers",
                                      "whoever parks until it has seen both messages sees them, by one token or two", 3,
                                      reach::bounded, true};

  void thread(unsigned i) {
    if (i == 0) {
      while (sent_[0].load(order::relaxed, "message.look") == 0 || sent_[1].load(order::relaxed, "message.look") == 0) {
        this->park(0);
      }
    } else {
      sent_[i - 1].store(1, order::relaxed, "message.send");
      this->unpark(0);
    }
  }

  void finish() {}

 private:
  std::array<typename Model::template atomic<int>, 2> sent_;
};

}  // namespace licit::models::on_parker

#endif
