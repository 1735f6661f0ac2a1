/// A row as `licit codegen` and `licit binary` compile it.
#ifndef LICIT_MODELS_MATRIX_CHANGES_HPP
#define LICIT_MODELS_MATRIX_CHANGES_HPP

#include <optional>
#include <vector>

#include "machine/codegen/change.hpp"
#include "machine/codegen/structure.hpp"
#include "machine/matrix/row.hpp"

namespace licit::matrix {

/// Nothing where operations.cpp of models/machine/codegen cannot have it: it changes the order of success only.
std::optional<std::vector<codegen::change>> changes_of(const codegen::structure& s, const row& r);

}  // namespace licit::matrix

#endif
