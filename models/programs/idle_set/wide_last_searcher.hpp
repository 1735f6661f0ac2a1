#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_LAST_SEARCHER_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_LAST_SEARCHER_HPP

#include "programs/idle_set/last_searcher.hpp"
#include "programs/idle_set/wide.hpp"

namespace licit::models::on_idle_set {

template <class Model>
struct wide_last_searcher : last_searcher<wide<Model>> {
  static constexpr program_info about{"wide_last_searcher", "the same with the bits in words of their own", 2,
                                      reach::full};
};

}  // namespace licit::models::on_idle_set

#endif
