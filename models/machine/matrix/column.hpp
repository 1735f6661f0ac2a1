/// A means of testing.
#ifndef LICIT_MODELS_MATRIX_COLUMN_HPP
#define LICIT_MODELS_MATRIX_COLUMN_HPP

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/matrix/cell.hpp"

namespace licit::matrix {

struct budget {
  std::string_view name;
  std::uint64_t exhaustive;  ///< executions of one program, before its search is given up
  bool both_rules;           ///< C++11's release sequences beside C++20's
  std::uint64_t sample;      ///< executions by one seed
  std::uint64_t relacy;      ///< of one program, at random
  std::uint64_t fuzz;        ///< inputs by one seed
  std::uint64_t stress;      ///< executions by one seed, on real threads, of all the row's programs together
  double stress_seconds;     ///< the same
  unsigned seeds;
  std::uint64_t control;   ///< executions of a control, by all seeds together, where they are a sample
  double control_seconds;  ///< on real threads, instead of stress_seconds
};

/// What a column may spend on the row. A control has to be right for longer than a mutant may hide.
budget budget_for(const row& r, const budget& b);

/// "ci", "normal", "nightly": each says more and takes longer. Throws std::invalid_argument that names those there are.
const budget& find_budget(std::string_view name);

std::vector<std::string> budget_names();

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
