/// The kill matrix as JSON, there and back.
#ifndef LICIT_MODELS_MATRIX_JSON_HPP
#define LICIT_MODELS_MATRIX_JSON_HPP

#include <string>

#include "machine/matrix/results.hpp"

namespace licit::matrix {

/// Of the form of the file. Another number: another form, which is refused.
inline constexpr unsigned json_version = 1;

std::string to_json(const results& r);
std::string to_json(const cell& c);

/// Throws std::runtime_error that names `where`, the place in it and what is wrong.
results read_results(const std::string& text, const std::string& where);
cell read_cell(const std::string& text, const std::string& where);

}  // namespace licit::matrix

#endif
