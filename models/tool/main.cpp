// The licit command.
#include <algorithm>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <licit/deque/version.hpp>

#include <CLI/CLI.hpp>

#include "arguments.hpp"
#include "report.hpp"

namespace {

/// CLI11 would say only that a command is missing.
void expect_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  const auto is_named = [&](const CLI::App* command) { return command->check_name(argv[1]); };
  if (!app.get_subcommands(is_named).empty()) return;
  throw std::runtime_error("there is no command '" + std::string(argv[1]) + "'; `licit --help` lists the commands");
}

int run(int argc, char** argv) {
  CLI::App app("licit: model-checked work stealing", "licit");
  app.set_version_flag("--version", std::string(licit::library_version()));
  app.require_subcommand(1);
  // CLI11 would take what stands behind a `--` for options of the command.
  char** const end = argv + argc;
  const bool names_program = argc > 1 && argv[1] == std::string_view("check");
  char** const ours = names_program ? std::find(argv, end, std::string_view("--")) : end;
  const auto commands = licit::tool::add_commands(app, std::vector<std::string>(ours == end ? end : ours + 1, end));
  argc = static_cast<int>(ours - argv);
  expect_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? licit::tool::as_expected : licit::tool::bad_usage;
  }
  for (const auto& command : commands) {
    if (const auto status = command()) return *status;
  }
  return licit::tool::bad_usage;
}

}  // namespace

int main(int argc, char** argv) try {
  const int status = run(argc, argv);
  licit::tool::flush_output();
  return status;
} catch (const std::exception& e) {
  std::cerr << "licit: " << e.what() << '\n';
  return licit::tool::bad_usage;
}
