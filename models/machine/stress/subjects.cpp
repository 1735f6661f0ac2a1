#include "machine/stress/subject.hpp"

namespace licit::stress {

std::vector<subject>& subjects() {
  static std::vector<subject> all;
  return all;
}

}  // namespace licit::stress
