/// Included before the catalogue's sources where Relacy is not linked: its runs are there, and say so.
#ifndef LICIT_FUZZ_NO_RELACY_HPP
#define LICIT_FUZZ_NO_RELACY_HPP

#include <stdexcept>

#include "relacy/run.hpp"

namespace licit::models::relacy {

template <template <class> class Program>
verdict run(const settings& /*s*/) {
  throw std::logic_error("licit: Relacy is not linked here");
}

}  // namespace licit::models::relacy

#endif
