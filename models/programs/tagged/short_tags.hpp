/// A model with tags of one bit: the second of the owner's changes of `top` that meets no theft renews.
#ifndef LICIT_MODELS_PROGRAMS_TAGGED_SHORT_TAGS_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_SHORT_TAGS_HPP

#include <licit/deque/tagged_rules.hpp>

namespace licit::models::on_tagged {

template <class Model>
struct short_tags : Model {
  struct tagged_rules : licit::tagged_rules {
    static constexpr unsigned tag_bits = 1;
  };
};

}  // namespace licit::models::on_tagged

#endif
