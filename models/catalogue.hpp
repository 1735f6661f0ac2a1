/// The client programs and the ways to run them, as data.
#ifndef LICIT_MODELS_CATALOGUE_HPP
#define LICIT_MODELS_CATALOGUE_HPP

#include <span>

#include "exhaustive.hpp"
#include "program.hpp"
#include "relacy/run.hpp"
#include "verdict.hpp"

namespace licit::models {

struct program {
  program_info about;
  verdict (*under_relacy)(const relacy::settings&);
  verdict (*exhaustively)(const exhaustive::settings&);
  checker::verdict (*explore)(const checker::options&);  ///< the exhaustive checker itself, in any of its modes
};

std::span<const program> programs();

}  // namespace licit::models

#endif
