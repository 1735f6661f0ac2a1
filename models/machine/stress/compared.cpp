// The programs of one row with the code of one row, its own or the correct: what the kill matrix compiles to compare
// the two (models/machine/matrix/same_code.cpp). Compiled by nobody else. LICIT_HEADER and LICIT_STRUCTURE are the structure's
// of models/machine/stress/structures, LICIT_PROGRAMS and LICIT_CODE names of rows.
#include <string_view>
#include <utility>

#include LICIT_HEADER
#include "machine/stress/instances.hpp"

namespace licit::stress {

namespace {

using structure = LICIT_STRUCTURE;

consteval std::size_t index(std::string_view name) {
  for (std::size_t i = 0; i != structure::rows.size(); ++i) {
    if (structure::rows[i].name == name) return i;
  }
  throw "the structure has no such row";
}

}  // namespace

/// One name, whatever the code is: functions of the same name are then to be compared. And one way through the model,
/// the row's, since what is inlined depends on it.
struct compared : altered<structure, index(LICIT_CODE)> {
  template <class Site>
  static consteval bool reorders() {
    return altered<structure, index(LICIT_PROGRAMS)>::template reorders<Site>();
  }
};

void programs() {
  static constexpr const auto& row = structure::rows[index(LICIT_PROGRAMS)];
  [&]<std::size_t... P>(std::index_sequence<P...>) {
    (subjects().push_back(
         subject_of<typename nth<position(typename structure::programs{}, row.programs[P]),
                                 typename structure::programs>::template program<model<compared>>>("")),
     ...);
  }(std::make_index_sequence<row.programs.size()>{});
}

}  // namespace licit::stress
