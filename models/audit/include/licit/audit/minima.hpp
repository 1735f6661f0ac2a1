/// The weakest tables that the programs of a structure accept: not one row of them can be weaker.
///
/// What is accepted is closed upwards (a stronger order breaks nothing), so its minima say all. They are found in the
/// manner of VSync's relaxation (Oberhauser et al., ASPLOS 2021): from a table that passes, one row after another made
/// as weak as it goes. For the others, every strongest table that is not above a minimum already known is tried: if
/// none of them passes, there is no other minimum.
#ifndef LICIT_MODELS_AUDIT_MINIMA_HPP
#define LICIT_MODELS_AUDIT_MINIMA_HPP

#include <vector>

#include <licit/audit/audit.hpp>

namespace licit::audit {

struct minima {
  std::vector<assignment> found;
  bool all = false;            ///< there are no others
  std::uint64_t examined = 0;  ///< tables
  std::uint64_t each = 0;      ///< executions of the table in use; so many are too many to search at all
  std::size_t ordered = 0;     ///< rows of it that are not relaxed: so many give too many tables
  [[nodiscard]] bool searched() const { return each <= most_executions && ordered <= most_rows; }

  static constexpr std::uint64_t most_executions = 500'000;
  static constexpr std::size_t most_rows = 16;
};

/// One below a table that passes, and then others, up to so many. The cheap programs judge first; what they accept as a
/// minimum all of them must, else the one that does not becomes one of the cheap. Where one look at a table takes too
/// many executions, or too many rows can be weaker, there is no search.
minima find_minima(const subject& s, const assignment& known, std::size_t most, const settings& how);

}  // namespace licit::audit

#endif
