/// Programs with the table of light and heavy fences.
#ifndef LICIT_MODELS_PROGRAMS_TAGGED_ASYMMETRIC_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_ASYMMETRIC_HPP

#include "programs/list.hpp"

namespace licit::models::on_tagged {

template <class Policy>
struct asymmetric_policy : Policy {
  static constexpr bool asymmetric = true;
};

template <template <class> class Program>
struct asymmetric_of {
  template <class Model>
  using program = Program<asymmetric_policy<Model>>;
};

template <template <class> class... Programs>
program_list<asymmetric_of<Programs>::template program...> under_asymmetric(program_list<Programs...> /*all*/);

}  // namespace licit::models::on_tagged

#endif
