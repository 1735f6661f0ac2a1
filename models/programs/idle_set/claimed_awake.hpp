#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_CLAIMED_AWAKE_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_CLAIMED_AWAKE_HPP

#include "programs/idle_set/client.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct claimed_awake : client<Model, 1> {
  static constexpr program_info about{
      "claimed_awake", "a worker that finds itself claimed before it sleeps sees what was written before", 2,
      reach::full};

  void thread(unsigned i) {
    if (i == 0) {
      this->park(0);
      if (!this->is_parked(0)) Model::check(work_.read() == 5, "the work is not what was written");
    } else {
      work_.write(5);
      this->claim(1);
    }
  }

  void finish() { this->settle(); }

 private:
  typename Model::template plain<int> work_;
};

}  // namespace licit::models::on_idle_set

#endif
