/// How much a column may spend on a row.
#ifndef LICIT_MODELS_MATRIX_BUDGET_HPP
#define LICIT_MODELS_MATRIX_BUDGET_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "machine/matrix/row.hpp"

namespace licit::matrix {

struct budget {
  std::string_view name;
  std::uint64_t exhaustive;  ///< executions of one program, before its search is given up
  bool both_rules;           ///< C++11's release sequences beside C++20's
  std::uint64_t sample;      ///< executions by one seed
  std::uint64_t relacy;      ///< of one program, at random
  std::uint64_t fuzz;        ///< inputs by one seed
  std::uint64_t stress;      ///< executions by one seed, on real threads, of all the row's programs together
  double stress_seconds;     ///< the same
  unsigned seeds;
  std::uint64_t control;   ///< executions of a control, by all seeds together, where they are a sample
  double control_seconds;  ///< on real threads, instead of stress_seconds
};

/// What a column may spend on the row. A control has to be right for longer than a mutant may hide.
budget budget_for(const row& r, const budget& b);

/// "ci", "normal", "nightly": each says more and takes longer. Throws std::invalid_argument that names those there are.
const budget& find_budget(std::string_view name);

std::vector<std::string> budget_names();

}  // namespace licit::matrix

#endif
