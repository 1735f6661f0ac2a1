/// What of a row is a matter of C++20 alone, which a processor need not show.
#ifndef LICIT_MODELS_MATRIX_BY_LANGUAGE_HPP
#define LICIT_MODELS_MATRIX_BY_LANGUAGE_HPP

#include <cstdint>
#include <string>

#include "machine/matrix/row.hpp"

namespace licit::matrix {

struct without_language {
  std::string right = {};  ///< "all 12 executions of its 3 programs are right without load buffering"; empty: not so
  std::string wrong = {};  ///< else the first program that is wrong, and how; both empty: not all was explored
  bool raced = false;      ///< no program is wrong otherwise than by a race, or by what is done to freed memory
};

/// The exhaustive checker on the row's programs, each to its end or for so many executions: without ghosts, which stand
/// for load buffering; and if it still finds something, under C++11's release sequences as well, which processors keep.
/// The row's change is made while it runs. Seconds to minutes.
without_language explored_without_language(const row& r, std::uint64_t limit);

}  // namespace licit::matrix

#endif
