/// Models whose segments hold few items, and whose numbers do not tell a segment's lives apart: nothing rests on that.
#ifndef LICIT_MODELS_PROGRAMS_INJECT_QUEUE_SHORT_SEGMENTS_HPP
#define LICIT_MODELS_PROGRAMS_INJECT_QUEUE_SHORT_SEGMENTS_HPP

#include <cstddef>

namespace licit::models::on_inject_queue {

template <class Model, std::size_t Cells>
struct short_segments : Model {
  static constexpr std::size_t inject_cells = Cells;
  static constexpr unsigned inject_number_bits = 0;
};

}  // namespace licit::models::on_inject_queue

#endif
