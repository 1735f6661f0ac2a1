/// The laboratory's commands of the `licit` tool: codegen, binary, matrix.
#ifndef LICIT_MODELS_MACHINE_COMMANDS_HPP
#define LICIT_MODELS_MACHINE_COMMANDS_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace licit::machine {

/// In a tool that was built without LICIT_MACHINE (absent.cpp) the three commands exist, and running one of them throws
/// std::runtime_error that says how to have it.
class commands {
 public:
  /// Adds the commands to the tool's.
  explicit commands(CLI::App& app);
  ~commands();
  commands(const commands&) = delete;
  commands& operator=(const commands&) = delete;

  /// After the command line was parsed: runs the command that it names, and returns the exit status. Nothing: it names
  /// none of these.
  [[nodiscard]] std::optional<int> run() const;

 private:
  struct all;
  std::unique_ptr<all> all_;
};

/// `licit binary`: the structures' machine code under Armv8's memory model, every execution of small clients.
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

/// `licit codegen`: which instructions carry the orderings, by target and compiler.
struct codegen_options {
  std::vector<std::string> structures;  ///< empty: all
  std::vector<std::string> targets;     ///< empty: all
  std::vector<std::string> compilers;   ///< empty: all
  std::vector<std::string> changes;     ///< to rows of the one structure that is named: codegen::parse_change
  std::string headers;                  ///< an include path, or empty: this build's, or the installed one
  std::string check;  ///< the folder with the page of expected tables to hold the code against, or empty
  std::string write;  ///< the folder to write that page to, or empty
  std::string json;   ///< file for the results, or empty
  bool markdown = false;
};

std::vector<std::string> codegen_structures();
std::vector<std::string> codegen_targets();
std::vector<std::string> codegen_compilers();

/// Compiles, disassembles and prints; the exit status: 0 as expected, 1 not or too weak for the
/// table, 3 nothing was there to compile or compare with. What is missing is skipped by name. Throws
/// std::invalid_argument for a change that cannot be, and std::runtime_error when headers or a file are missing, code
/// does not compile, or instructions cannot be attributed.
int run_codegen(const codegen_options& options);

}  // namespace licit::machine

#endif
