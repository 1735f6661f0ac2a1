/// `licit codegen`: which instructions carry the orderings, by target and compiler.
#ifndef LICIT_MODELS_MACHINE_CODEGEN_COMMAND_HPP
#define LICIT_MODELS_MACHINE_CODEGEN_COMMAND_HPP

#include <string>
#include <vector>

namespace licit::machine {

struct codegen_options {
  std::vector<std::string> structures;  ///< empty: all
  std::vector<std::string> targets;     ///< empty: all
  std::vector<std::string> compilers;   ///< empty: all
  std::vector<std::string> changes;     ///< to rows of the one structure that is named: codegen::parse_change
  std::string headers;                  ///< an include path, or empty: this build's, or the installed one
  std::string check;                    ///< the folder with the expected tables to hold the code against, or empty
  std::string write;                    ///< the folder to write expected tables to, or empty
  std::string json;                     ///< file for the results, or empty
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
