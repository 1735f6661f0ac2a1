/// The laboratory's commands of the `licit` tool: codegen, binary, matrix.
#ifndef LICIT_MODELS_MACHINE_COMMANDS_HPP
#define LICIT_MODELS_MACHINE_COMMANDS_HPP

#include <memory>
#include <optional>

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

}  // namespace licit::machine

#endif
