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

/// Elsewhere, so that nothing is left out.
void keep(void (*construct)(void*, const suites::line&), void (*thread)(void*, unsigned), void (*finish)(void*));

/// The list that a suite gives its programs to. No string of a program comes into the code.
struct programs_kept {
  template <template <class> class Client>
  void lines(std::span<const suites::client_line> /*all*/) {
    take<suites::line_program<Client, model<compared>>>(
        [](void* place, const suites::line& l) { ::new (place) suites::line_program<Client, model<compared>>(l); });
  }
  template <template <class> class Program>
  void add() {
    take<Program<model<compared>>>(
        [](void* place, const suites::line& /*l*/) { ::new (place) Program<model<compared>>(); });
  }

 private:
  template <class Program>
  static void take(void (*construct)(void*, const suites::line&)) {
    keep(
        construct, [](void* object, unsigned i) { static_cast<Program*>(object)->thread(i); },
        [](void* object) {
          static_cast<Program*>(object)->finish();
          static_cast<Program*>(object)->~Program();
        });
  }
};

void programs() {
  programs_kept all;
  LICIT_SUITE::programs(all);
}

}  // namespace licit::stress
