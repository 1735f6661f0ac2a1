/// A means of testing.
#ifndef LICIT_MODELS_MATRIX_COLUMN_HPP
#define LICIT_MODELS_MATRIX_COLUMN_HPP

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/matrix/budget.hpp"
#include "machine/matrix/cell.hpp"
#include "machine/matrix/row.hpp"

namespace licit::matrix {

struct column {
  std::string name;          ///< "exhaustive": for the command line, and in JSON
  std::string title;         ///< as a table's heading
  std::string how;           ///< a sentence: what it is, and what its numbers count
  std::string machine = {};  ///< on which it ran, if that is another than this one
  /// In a process of its own: orders that are changed stay so. Empty programs: all of the row's.
  std::function<cell(const row&, const budget&, std::string_view program)> judge;
};

/// Where what is not in this process lies.
struct places {
  std::string fuzzer;  ///< the libFuzzer executable
  std::string stress;  ///< the folder that has a folder of stress executables for each target
  std::string plugin;  ///< of qemu-aarch64, for weak memory
  /// The folder of an arm64 runner's results: <structure>.json, as a stress executable writes it.
  std::string hardware;
};

column exhaustive_column();
column relacy_column();
column random_column();
column pct_column();
column fuzzing_column(const std::string& fuzzer);
std::vector<column> stress_columns(const std::string& folder, const std::string& plugin);
column hardware_column(const std::string& folder);

}  // namespace licit::matrix

#endif
