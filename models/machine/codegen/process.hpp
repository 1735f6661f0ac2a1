/// Other programs, run to their end.
#ifndef LICIT_MODELS_CODEGEN_PROCESS_HPP
#define LICIT_MODELS_CODEGEN_PROCESS_HPP

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace licit::codegen {

struct finished {
  int status;  ///< 127: there is no such program
  std::string output;
};

/// Runs the command, found by PATH; its standard output, and its standard error behind that. Throws std::runtime_error
/// when no process can be started.
finished run(const std::vector<std::string>& command);

/// The command as one would type it.
std::string shown(const std::vector<std::string>& command);

/// An empty folder that goes, with what is in it, when this does.
class scratch {
 public:
  scratch();
  ~scratch();
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;

  [[nodiscard]] std::filesystem::path operator/(std::string_view name) const { return place_ / name; }

 private:
  std::filesystem::path place_;
};

class missing : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace licit::codegen

#endif
