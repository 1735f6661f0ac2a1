/// The middle one; of an even number the lower of the two.
#ifndef LICIT_MODELS_MATRIX_MEDIAN_HPP
#define LICIT_MODELS_MATRIX_MEDIAN_HPP

#include <algorithm>
#include <cstdint>
#include <vector>

namespace licit::matrix {

/// Of at least one.
inline std::uint64_t median(std::vector<std::uint64_t> all) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>((all.size() - 1) / 2);
  std::ranges::nth_element(all, middle);
  return *middle;
}

}  // namespace licit::matrix

#endif
