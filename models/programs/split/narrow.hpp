/// Policies with words in which the rare is near: fewer tags, fewer public items, a top that is about to wrap. And
/// those of mutants.
#ifndef LICIT_MODELS_PROGRAMS_SPLIT_NARROW_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_NARROW_HPP

#include <cstdint>

namespace licit::models::on_split {

/// One value of the tag is all there are: each reclaim takes everything back, and begins the indices elsewhere.
template <class Model>
struct untagged : Model {
  static constexpr unsigned tag_bits = 0;
};

template <class Model>
struct narrow : Model {
  static constexpr unsigned tag_bits = 1;
};

template <class Model>
struct one_public : Model {
  static constexpr unsigned count_bits = 1;
};

/// One claim before top's 48 bits are through.
template <class Model>
struct late : Model {
  static constexpr std::int64_t first_index = (std::int64_t{1} << 48) - 1;
};

/// For mutants: the tag goes round, as if nobody could hold a word for so long.
template <class Policy>
struct wrapping : Policy {
  static constexpr bool tag_wraps = true;
};

/// For a mutant: a thief may find its request standing that is about to be cleared.
template <class Model>
struct clearing_late : Model {
  static constexpr bool clears_late = true;
};

}  // namespace licit::models::on_split

#endif
