// A structure's client programs with one row compiled in, or the correct code: what the kill matrix compiles to compare
// the two (machine/matrix/same_code.cpp). Compiled by nobody else. LICIT_SUITE is the suite's type and LICIT_HEADER its
// file; LICIT_ROW has the row's changes, LICIT_CODE those or none.
#include LICIT_HEADER
#include "machine/stress/instances.hpp"

namespace licit::stress {

struct structure {
  static constexpr const auto& table = LICIT_SUITE::orders;
  static constexpr std::array rows{row{"the row", true, {LICIT_ROW}, {}}, row{"the code", true, {LICIT_CODE}, {}}};
};

/// One name, whatever the code is: functions of the same name are then to be compared. And one way through the model,
/// the row's, since what is inlined depends on it.
struct compared : altered<structure, 1> {
  template <class Site>
  static consteval bool reorders() {
    return altered<structure, 0>::template reorders<Site>();
  }
};

void programs() {
  row_programs<model<compared>> all("", structure::rows[0]);
  LICIT_SUITE::programs(all);
}

}  // namespace licit::stress
