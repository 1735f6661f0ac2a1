// The licit command.
#include <exception>
#include <iostream>
#include <string>

#include <licit/deque/version.hpp>

#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "machine/commands.hpp"
#include "status.hpp"

int main(int argc, char** argv) try {
  CLI::App app("licit: model-checked work stealing", "licit");
  app.set_version_flag("--version", std::string(licit::library_version()));
  app.require_subcommand(1);
  const auto commands = licit::tool::add_commands(app);
  const licit::machine::commands machine(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? licit::tool::as_expected : licit::tool::bad_usage;
  }
  if (const auto status = machine.run()) return *status;
  for (const auto& command : commands) {
    if (command.parsed->parsed()) return command.run();
  }
  return licit::tool::bad_usage;
} catch (const std::exception& e) {
  std::cerr << "licit: " << e.what() << '\n';
  return licit::tool::bad_usage;
}
