/// The changes by which each ordering of a table is weaker.
#ifndef LICIT_MODELS_BINARY_WEAKENINGS_HPP
#define LICIT_MODELS_BINARY_WEAKENINGS_HPP

#include <vector>

#include "machine/codegen/change.hpp"
#include "machine/codegen/structure.hpp"

namespace licit::binary {

/// Of each row that orders anything: one step weaker, in each way that its operation can be, and relaxed.
std::vector<codegen::change> weakenings(const codegen::structure& s);

}  // namespace licit::binary

#endif
