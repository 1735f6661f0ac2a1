// The licit command.
#include <algorithm>
#include <exception>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <licit/deque/version.hpp>

#include <CLI/CLI.hpp>

#include "catalogue.hpp"
#include "litmus.hpp"
#include "programs/mutants.hpp"
#include "replay.hpp"
#include "verify.hpp"

namespace {

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  std::ranges::transform(licit::models::programs(), std::back_inserter(names),
                         [](const auto& p) { return std::string(p.about.name); });
  return names;
}

std::vector<std::string> mutant_names() {
  std::vector<std::string> names;
  std::ranges::transform(licit::models::deque_mutants, std::back_inserter(names),
                         [](const auto& m) { return std::string(m.name); });
  return names;
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("licit: model-checked work stealing", "licit");
  app.set_version_flag("--version", std::string(licit::library_version()));
  app.require_subcommand(1);

  licit::tool::verify_options options;
  bool list = false;
  CLI::App* verify = app.add_subcommand("verify", "Check the client programs and their must-fail mutants");
  verify->add_option("--checker", options.checkers, "These checkers only")
      ->check(CLI::IsMember({"exhaustive", "relacy"}));
  verify->add_option("--program", options.programs, "These programs only, and no mutants")
      ->check(CLI::IsMember(program_names()));
  verify->add_option("--mutant", options.mutants, "These mutants only, each with the history that kills it")
      ->check(CLI::IsMember(mutant_names()))
      ->excludes("--program");
  verify
      ->add_option("--break", options.broken_by, "Run the programs with this mutant as if it were the code (status 1)")
      ->check(CLI::IsMember(mutant_names()))
      ->excludes("--mutant");
  verify->add_option("--iterations", options.iterations, "Executions of a random search")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  verify->add_option("--limit", options.limit, "Executions after which any other search gives up (exit status 3)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}))
      ->capture_default_str();
  CLI::Option* mode =
      verify->add_option("--mode", options.mode, "A sample of executions instead of all, by the same model of memory")
          ->check(CLI::IsMember({"random", "pct"}))
          ->excludes("--checker");
  verify->add_option("--seed", options.seed, "Of the sample: the same seed, the same executions")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1'000'000'000'000'000'000}))
      ->needs(mode)
      ->capture_default_str();
  verify->add_option("--depth", options.depth, "Of pct: of the bugs looked for, one more than the switches they need")
      ->check(CLI::Range(1, 100))
      ->needs(mode)
      ->capture_default_str();
  verify->add_option("--trace", options.trace, "Write the first violating execution to this file, for `licit replay`");
  verify->add_option("--json", options.json, "Write the verdicts to this file");
  verify->add_flag("--quiet", options.quiet, "No progress line, on a terminal either");
  verify->add_flag("--list", list, "List programs and mutants, and run nothing");

  std::string trace;
  CLI::App* replay = app.add_subcommand("replay", "Run a violating execution again (status 1 if it still is one)");
  replay->add_option("file", trace, "What `licit verify --trace FILE` wrote")->required();

  licit::tool::litmus_options tests;
  bool cxx11 = false;
  CLI::App* litmus = app.add_subcommand("litmus", "Explore litmus tests in herd's C dialect exhaustively");
  litmus->add_option("paths", tests.paths, "Files, and folders of *.litmus files")->required();
  litmus->add_option("--json", tests.json, "Write the results to this file");
  litmus->add_option("--unroll", tests.search.unroll, "Rounds of a loop; beyond them an execution is blocked")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  litmus
      ->add_option("--limit", tests.search.max_executions, "Executions after which a test is given up (exit status 3)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}))
      ->capture_default_str();
  litmus->add_option("--release-sequences", "The standard whose release sequences hold")
      ->check(CLI::IsMember({"c++11", "c++20"}))
      ->default_val("c++20")
      ->each([&](const std::string& rule) { cxx11 = rule == "c++11"; });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? licit::tool::as_expected : licit::tool::bad_usage;
  }
  if (list) {
    licit::tool::list();
    return licit::tool::as_expected;
  }
  if (litmus->parsed()) {
    if (cxx11) tests.search.sequences = licit::checker::release_sequences::cxx11;
    return licit::tool::litmus(tests);
  }
  if (replay->parsed()) return licit::tool::replay(trace);
  return licit::tool::verify(options);
} catch (const std::exception& e) {
  std::cerr << "licit: " << e.what() << '\n';
  return licit::tool::bad_usage;
}
