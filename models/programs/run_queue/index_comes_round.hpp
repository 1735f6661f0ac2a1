#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_INDEX_COMES_ROUND_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_INDEX_COMES_ROUND_HPP

#include "programs/run_queue/client.hpp"
#include "programs/run_queue/narrow.hpp"

namespace licit::models::on_run_queue {

/// Eight items pass by a thief that stands between its look and its claim.
template <class Model, unsigned Bits>
struct eight_pass_by : client<narrow<Model, Bits>, 9> {
  eight_pass_by() : client<narrow<Model, Bits>, 9>(2) {}

  void thread(unsigned i) {
    if (i == 0) {
      for (int n = 0; n != 8; ++n) {
        this->push();
        this->pop();
      }
      this->push();
    } else {
      this->steal(1, 0);
    }
  }

  void finish() { this->settle(); }
};

template <class Model>
struct index_comes_round : eight_pass_by<Model, 3> {
  static constexpr program_info about{"index_comes_round",
                                      "indices of 3 bits: eight items later a stale claim succeeds", 2, reach::bounded};
};

template <class Model>
struct index_is_wide_enough : eight_pass_by<Model, 4> {
  static constexpr program_info about{"index_is_wide_enough", "the same with a bit more: the claim fails, as it must",
                                      2, reach::bounded};
};

}  // namespace licit::models::on_run_queue

#endif
