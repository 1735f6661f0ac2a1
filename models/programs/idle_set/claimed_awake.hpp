#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_CLAIMED_AWAKE_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_CLAIMED_AWAKE_HPP

#include "programs/idle_set/client.hpp"
#include "programs/idle_set/wide.hpp"

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

template <class Model>
struct wide_claimed_awake : claimed_awake<wide<Model>> {
  static constexpr program_info about{"wide_claimed_awake", "the same with the bits in words of their own", 2,
                                      reach::full};
};

}  // namespace licit::models::on_idle_set

#endif
