#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_FOUND_BY_ONE_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_FOUND_BY_ONE_HPP

#include "programs/idle_set/found_by_one.hpp"
#include "programs/idle_set/wide.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct wide_found_by_one : found_by_one_of<wide<Model, 2>, true> {
  static constexpr program_info about{
      "wide_found_by_one", "the same with one asleep, and the bits in a word of their own", 3, reach::none, true};
};

}  // namespace licit::models::on_idle_set

#endif
