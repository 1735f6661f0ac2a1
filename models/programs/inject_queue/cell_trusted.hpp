#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_CELL_TRUSTED_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_CELL_TRUSTED_HPP

#include "programs/inject_queue/faulty.hpp"
#include "programs/inject_queue/next_segment.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct cell_trusted : next_segment<faulty<Model, fault::cell_trusted>> {
  static constexpr program_info about{
      "cell_trusted", "a pusher does not look whether its taker came first: the item is lost", 2, reach::none};
};

}  // namespace licit::models::on_inject_queue

#endif
