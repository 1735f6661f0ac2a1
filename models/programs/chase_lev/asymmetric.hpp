/// The client programs of the Chase-Lev deque, over asymmetric fences: the owner's light, the thieves' heavy.
#ifndef LICIT_MODELS_PROGRAMS_CHASE_LEV_ASYMMETRIC_HPP
#define LICIT_MODELS_PROGRAMS_CHASE_LEV_ASYMMETRIC_HPP

#include <licit/deque/asymmetric.hpp>

#include "programs/chase_lev/programs.hpp"
#include "programs/list.hpp"

namespace licit::models {

/// A program over a policy that is made of the model's.
template <template <class> class Adaptor, template <class> class Program>
struct adapted {
  template <class Model>
  struct program : Program<Adaptor<Model>> {};
};

/// All programs of a list, and what stands here alone.
template <template <class> class Adaptor, class List, template <class> class... More>
struct adapted_list;
template <template <class> class Adaptor, template <class> class... Programs, template <class> class... More>
struct adapted_list<Adaptor, program_list<Programs...>, More...> {
  using type =
      program_list<adapted<Adaptor, More>::template program..., adapted<Adaptor, Programs>::template program...>;
};

using chase_lev_asymmetric_programs = adapted_list<asymmetric_policy, chase_lev_programs>::type;

}  // namespace licit::models

#endif
