/// A stress executable (models/machine/stress), and how it is started.
#ifndef LICIT_MODELS_MATRIX_EXECUTABLE_HPP
#define LICIT_MODELS_MATRIX_EXECUTABLE_HPP

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "machine/matrix/cell.hpp"

namespace licit::matrix {

struct executable {
  std::filesystem::path file;
  std::vector<std::string> emulator = {};  ///< empty: it runs by itself
};

/// Runs the row's programs, each with its share of the budget. `plugin` is one of the emulator, with its options;
/// empty: none. Where nothing came of it the cell is not run, and says why.
cell stress(const executable& e, const row& r, const budget& b, const std::string& plugin = {});

/// What the file says; empty if it cannot be read.
std::string text_of(const std::filesystem::path& file);

/// Whether the row fails under the plugin by an execution that the axioms of Armv8's model forbid: only a fault that is
/// seeded in the plugin lets it.
bool fails_against_axioms(const executable& e, const row& r, const budget& b, const std::string& plugin);

/// The cell of one row. Its programs by one seed count one after another, up to the first that was caught; of several
/// seeds the median. Throws std::runtime_error that names `where` and what is wrong: no JSON, a field that is missing.
cell read_stress(const std::string& text, std::string_view structure, std::string_view row, const std::string& where);

/// What they were run on, as the file says it; empty where it does not, or is none of theirs.
std::string read_machine(const std::string& text);

}  // namespace licit::matrix

#endif
