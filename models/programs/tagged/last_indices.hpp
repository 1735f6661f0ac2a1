/// A model whose deques have two indices left when they are made.
#ifndef LICIT_MODELS_PROGRAMS_TAGGED_LAST_INDICES_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_LAST_INDICES_HPP

#include <licit/deque/tagged_rules.hpp>

namespace licit::models::on_tagged {

template <class Model>
struct last_indices : Model {
  struct tagged_rules : licit::tagged_rules {
    static constexpr index first = tagged_word<tag_bits>::last - 2;
  };
};

}  // namespace licit::models::on_tagged

#endif
