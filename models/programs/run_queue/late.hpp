/// A model whose queues start just below the largest index, so that a program comes to it.
#ifndef LICIT_MODELS_PROGRAMS_RUN_QUEUE_LATE_HPP
#define LICIT_MODELS_PROGRAMS_RUN_QUEUE_LATE_HPP

#include <cstdint>

namespace licit::models::on_run_queue {

template <class Model>
struct late : Model {
  static constexpr std::uint64_t start = ~std::uint64_t{0} - 2;
};

}  // namespace licit::models::on_run_queue

#endif
