#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_ONE_OF_TWO_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_ONE_OF_TWO_HPP

#include "programs/idle_set/client.hpp"

namespace licit::models::on_idle_set {

template <class Model, template <class> class Set>
struct one_of_two_of : client<Model, 2, Set> {
  one_of_two_of() {
    this->park(0);
    this->park(1);
  }

  void thread(unsigned i) { this->claim(i); }

  void finish() {
    Model::check(this->searches() == 1, "two claims where one worker was to be woken, or none");
    this->settle();
  }
};

template <class Model>
struct one_of_two : one_of_two_of<Model, idle_set> {
  static constexpr program_info about{
      "one_of_two", "of two claimers one wakes somebody, the other leaves it to whom that one wakes", 2, reach::full};
};

}  // namespace licit::models::on_idle_set

#endif
