#include <algorithm>
#include <iterator>

#include "machine/matrix/column.hpp"

namespace licit::matrix {

std::vector<column> columns(const places& at) {
  std::vector<column> all{exhaustive_column(), relacy_column(), random_column(), pct_column(),
                          fuzzing_column(at.fuzzer)};
  std::ranges::move(stress_columns(at.stress, at.plugin), std::back_inserter(all));
  all.push_back(hardware_column(at.hardware));
  return all;
}

}  // namespace licit::matrix
