// The laboratory's commands in a tool that was built without it.
#include <array>
#include <stdexcept>

#include <CLI/CLI.hpp>

#include "machine/commands.hpp"

namespace licit::machine {

struct commands::all {
  std::array<CLI::App*, 3> absent;
};

commands::commands(CLI::App& app) : all_{std::make_unique<all>()} {
  const auto add = [&](const char* name) {
    CLI::App* command = app.add_subcommand(name, "Not in this build: configure with -DLICIT_MACHINE=ON");
    return command->allow_extras();
  };
  all_->absent = {add("codegen"), add("binary"), add("matrix")};
}

commands::~commands() = default;

std::optional<int> commands::run() const {
  for (const CLI::App* command : all_->absent) {
    if (!command->parsed()) continue;
    throw std::runtime_error("this licit was built without the machine laboratory; configure with -DLICIT_MACHINE=ON");
  }
  return std::nullopt;
}

}  // namespace licit::machine
