#include "catalogue.hpp"

#include "structures/all.hpp"

namespace licit::models {

std::span<const structure> structures() {
  static const std::vector<structure> all{chase_lev_structure()};
  return all;
}

}  // namespace licit::models
