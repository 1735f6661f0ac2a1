/// The structures that are checked, each with its ordering table, client programs and mutants, as data.
#ifndef LICIT_MODELS_CATALOGUE_HPP
#define LICIT_MODELS_CATALOGUE_HPP

#include <span>
#include <string_view>
#include <vector>

#include <licit/audit/subject.hpp>
#include <licit/checker/explore.hpp>

#include "program.hpp"
#include "programs/mutant.hpp"
#include "relacy/run.hpp"

namespace licit::models {

struct program {
  program_info about;
  checker::verdict (*under_relacy)(const relacy::settings&);  ///< null: Relacy cannot run it
  checker::verdict (*explore)(const checker::options&);       ///< under the exhaustive checker, in any of its modes
};

struct structure {
  std::string_view name;  ///< the table's
  std::vector<program> programs;
  std::span<const mutant> mutants;  ///< one row of the table made wrong, under the programs
  std::vector<program> broken;      ///< programs over a broken algorithm: each must be found wrong, exhaustively
  audit::subject audited;
  void (*apply)(const mutation&);  ///< to the orders that the programs run with from now on
  void (*reset)();
  std::string_view no_relacy = {};  ///< why Relacy runs none of it; empty: it does
};

/// All of them. Made once.
std::span<const structure> structures();

}  // namespace licit::models

#endif
