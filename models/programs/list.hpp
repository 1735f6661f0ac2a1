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

template <class A, class B>
struct joined_lists;
template <template <class> class... A, template <class> class... B>
struct joined_lists<program_list<A...>, program_list<B...>> {
  using type = program_list<A..., B...>;
};

/// The programs of both.
template <class A, class B>
using joined_t = typename joined_lists<A, B>::type;

}  // namespace licit::models

#endif
