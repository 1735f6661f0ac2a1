#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_CELL_LEFT_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_CELL_LEFT_HPP

#include "programs/inject_queue/faulty.hpp"
#include "programs/inject_queue/next_segment.hpp"

namespace licit::models::on_inject_queue {

template <class Model>
struct cell_left : next_segment<faulty<Model, fault::cell_left>> {
  static constexpr program_info about{
      "cell_left", "a taker that is there before the item does not say so: the item is lost", 2, reach::none};
};

}  // namespace licit::models::on_inject_queue

#endif
