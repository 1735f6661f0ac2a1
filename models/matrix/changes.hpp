/// A row as `licit codegen` and `licit binary` compile it.
#ifndef LICIT_MODELS_MATRIX_CHANGES_HPP
#define LICIT_MODELS_MATRIX_CHANGES_HPP

#include <optional>
#include <vector>

#include "codegen/change.hpp"
#include "codegen/structure.hpp"
#include "matrix/row.hpp"

namespace licit::matrix {

/// Nothing where operations.cpp of models/codegen cannot have it: it changes the order of success only.
std::optional<std::vector<codegen::change>> changes_of(const codegen::structure& s, const row& r);

}  // namespace licit::matrix

#endif
