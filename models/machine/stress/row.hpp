/// A row of the kill matrix as constants: what is compiled in, and the programs that show it.
#ifndef LICIT_MODELS_STRESS_ROW_HPP
#define LICIT_MODELS_STRESS_ROW_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>

#include "suites/mutant.hpp"

namespace licit::stress {

using suites::change;
using suites::mutation;

/// A few, in an array of fixed size, so that rows are constants.
template <class T, std::size_t Most>
class few {
 public:
  constexpr few(std::initializer_list<T> all) : count_{all.size()} {
    std::ranges::copy(all, all_.begin());  // more than `Most` does not compile
  }
  [[nodiscard]] constexpr const T* begin() const { return all_.data(); }
  [[nodiscard]] constexpr const T* end() const { return all_.data() + count_; }
  [[nodiscard]] constexpr std::size_t size() const { return count_; }
  [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return all_[i]; }

 private:
  std::array<T, Most> all_{};
  std::size_t count_;
};

struct row {
  std::string_view name;               ///< as the kill matrix calls it
  bool shown;                          ///< the exhaustive checker finds it in each of the programs
  few<mutation, 32> changes;           ///< of the structure's table, one after another
  few<std::string_view, 40> programs;  ///< that are run; of the structure, or one of its broken ones
};

}  // namespace licit::stress

#endif
