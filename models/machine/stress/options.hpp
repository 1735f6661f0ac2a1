/// What a stress executable is asked for on its command line.
#ifndef LICIT_MODELS_STRESS_OPTIONS_HPP
#define LICIT_MODELS_STRESS_OPTIONS_HPP

#include <cstdint>
#include <span>
#include <string>

namespace licit::stress {

struct options {
  bool list = false;
  bool help = false;
  std::string row = {};      ///< empty: every row
  std::string program = {};  ///< empty: every program of the row
  std::uint64_t executions = 100'000;
  double seconds = 10;
  std::uint64_t seeds = 1;  ///< how many, from `seed` on
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::string json = {};     ///< a file; empty: text on the standard output
  std::string machine = {};  ///< what the file says that it was made on; empty: nothing
};

/// Throws std::invalid_argument that says what is wrong.
options parse(std::span<char*> arguments);

std::string help(const char* name);

}  // namespace licit::stress

#endif
