/// Models whose idle sets take their few workers for many: no bits beside the counts.
#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_WIDE_HPP

#include <cstddef>

namespace licit::models::on_idle_set {

/// So many workers share a word.
template <class Model, std::size_t InWord = 1>
struct wide : Model {
  static constexpr std::size_t few_workers = 0;
  static constexpr std::size_t workers_in_word = InWord;
};

}  // namespace licit::models::on_idle_set

#endif
