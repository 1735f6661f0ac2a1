/// `licit binary`: the structures' machine code under Armv8's memory model, every execution of small clients.
#ifndef LICIT_MODELS_MACHINE_BINARY_COMMAND_HPP
#define LICIT_MODELS_MACHINE_BINARY_COMMAND_HPP

#include <cstdint>
#include <string>
#include <vector>

namespace licit::machine {

struct binary_options {
  std::vector<std::string> structures;  ///< empty: all
  std::vector<std::string> targets;     ///< empty: all of aarch64
  std::vector<std::string> compilers;   ///< empty: all
  std::vector<std::string> clients;     ///< empty: all
  std::vector<std::string> changes;     ///< to rows of the one structure that is named: codegen::parse_change
  bool mutants = false;                 ///< also each row weakened
  std::string headers;                  ///< an include path, or empty: this build's
  std::string json;                     ///< file for the results, or empty
  std::uint64_t limit = 10'000'000;     ///< executions of one client
};

std::vector<std::string> binary_targets();
std::vector<std::string> binary_clients();

/// Compiles, explores and prints; the exit status: 0 nothing is wrong, 1 something is (mutants do not count), 3 there
/// was nothing to compile with, or a client had more executions than the limit. A compiler that is missing is skipped
/// by name. Throws std::invalid_argument for a change that cannot be, and std::runtime_error when headers or a file
/// are missing, code does not compile, or has an instruction that is not interpreted.
int run_binary(const binary_options& options);

}  // namespace licit::machine

#endif
