#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_TWO_CLAIMERS_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_TWO_CLAIMERS_HPP

#include "programs/idle_set/client.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct two_claimers : client<Model, 2> {
  static constexpr program_info about{
      "two_claimers",
      "two parked workers, two claimers: one worker is woken, since it searches then; another on demand", 2,
      reach::full};

  two_claimers() {
    this->park(0);
    this->park(1);
  }

  void thread(unsigned i) { woken_[i] = (i == 0 ? this->claim(i) : this->claim_any(i)).has_value(); }

  void finish() {
    Model::check(woken_[1], "a parked worker was not claimed");
    this->settle();
  }

 private:
  bool woken_[2] = {};  // each one thread's
};

}  // namespace licit::models::on_idle_set

#endif
