/// Client programs as a list, and something done for each.
#ifndef LICIT_MODELS_PROGRAMS_LIST_HPP
#define LICIT_MODELS_PROGRAMS_LIST_HPP

namespace licit::models {

template <template <class> class... Programs>
struct program_list {
  /// Calls `visit.template operator()<Program>()` for each.
  template <class Visit>
  static void each(Visit&& visit) {
    (visit.template operator()<Programs>(), ...);
  }
};

}  // namespace licit::models

#endif
