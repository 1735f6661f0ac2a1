/// Whether a compiler makes the same instructions of a row as of the code as it is written.
#ifndef LICIT_MODELS_MATRIX_SAME_CODE_HPP
#define LICIT_MODELS_MATRIX_SAME_CODE_HPP

#include <optional>
#include <string_view>

#include "machine/matrix/row.hpp"

namespace licit::matrix {

/// By the functions of `licit codegen`'s source, compiled with and without the change, instruction by instruction.
/// Nothing if that cannot be said: the structure is none that `licit codegen` compiles, the change is not of orders, or
/// there is no such compiler here. Costs two compilations.
std::optional<bool> same_code(const row& r, std::string_view target, std::string_view compiler);

/// By the client programs of models/machine/stress that are run for the row, of any structure: compiled with the row's change
/// and without, function by function. Nothing if the row changes no operation, or there is no such compiler here.
/// Throws std::runtime_error with the compiler's words when they do not compile. Costs two compilations of some
/// seconds.
std::optional<bool> same_programs(const row& r, std::string_view target, std::string_view compiler);

/// On every target and by every compiler that `licit codegen` has. Nothing if one of them cannot be asked.
std::optional<bool> same_code_everywhere(const row& r);

}  // namespace licit::matrix

#endif
