// The licit command.
#include <algorithm>
#include <exception>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <licit/deque/version.hpp>

#include <CLI/CLI.hpp>

#include "audit/command.hpp"
#include "catalogue.hpp"
#include "gallery.hpp"
#include "litmus.hpp"
#include "machine/commands.hpp"
#include "merge.hpp"
#include "replay.hpp"
#include "shard.hpp"
#include "verify.hpp"

namespace {

std::vector<std::string> structure_names() {
  std::vector<std::string> names;
  for (const auto& s : licit::models::structures()) names.emplace_back(s.name);
  return names;
}

/// Structures share names: each once.
std::vector<std::string> without_doubles(std::vector<std::string> names) {
  std::ranges::sort(names);
  const auto doubles = std::ranges::unique(names);
  names.erase(doubles.begin(), doubles.end());
  return names;
}

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const auto& s : licit::models::structures()) {
    for (const auto& p : s.programs) names.emplace_back(p.about.name);
  }
  return without_doubles(std::move(names));
}

/// Those of the tables' rows; with the broken algorithms, if asked for.
std::vector<std::string> mutant_names(bool broken) {
  std::vector<std::string> names;
  for (const auto& s : licit::models::structures()) {
    for (const auto& m : s.mutants) names.emplace_back(m.name);
    for (const auto& p : s.broken) {
      if (broken) names.emplace_back(p.about.name);
    }
  }
  return without_doubles(std::move(names));
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
  verify->add_option("--structure", options.structures, "These structures only")
      ->check(CLI::IsMember(structure_names()));
  verify->add_option("--program", options.programs, "These programs only, and no mutants")
      ->check(CLI::IsMember(program_names()));
  verify->add_option("--mutant", options.mutants, "These mutants only, each with the history that kills it")
      ->check(CLI::IsMember(mutant_names(true)))
      ->excludes("--program");
  verify
      ->add_option("--break", options.broken_by, "Run the programs with this mutant as if it were the code (status 1)")
      ->check(CLI::IsMember(mutant_names(false)))
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
  verify->add_option("--release-sequences", options.rules, "The exhaustive checker under this standard's rule only")
      ->check(CLI::IsMember({"c++11", "c++20"}))
      ->excludes(mode);
  verify->add_option("--jobs", options.jobs, "Processes that share an exhaustive search")
      ->check(CLI::Range(1, 1024))
      ->excludes(mode)
      ->capture_default_str();
  const auto read_shard = [&](const std::string& text) {
    licit::checker::share which;
    std::string wrong = licit::tool::parse_shard(text, which);
    if (wrong.empty()) options.shard = which;
    return wrong;
  };
  std::string shard;
  verify->add_option("--shard", shard, "Explore shard i of n (i from 0) of the programs, for `licit merge` to add up")
      ->type_name("i/n")
      ->check(read_shard)
      ->excludes(mode)
      ->excludes("--mutant");
  verify
      ->add_option("--stall", options.stall,
                   "Exhaustively, with this thread stopped for good after each of its steps; the others must get on")
      ->check(CLI::Range(0U, licit::checker::max_threads - 1))
      ->excludes("--shard")
      ->excludes(mode)
      ->excludes("--mutant");
  verify->add_option("--json", options.json, "Write the verdicts to this file");
  verify->add_option("--dot", options.draw.dot, "Draw the first violation, for Graphviz, to this file");
  verify->add_option("--svg", options.draw.svg, "Draw the first violation as SVG (needs Graphviz), or PNG if FILE.png")
      ->type_name("FILE");
  verify->add_flag("--quiet", options.quiet, "No progress line, on a terminal either");
  verify->add_flag("--list", list, "List programs and mutants, and run nothing");

  std::string trace;
  CLI::App* replay = app.add_subcommand("replay", "Run a violating execution again (status 1 if it still is one)");
  replay->add_option("file", trace, "What `licit verify --trace FILE` wrote")->required();

  licit::tool::merge_options parts;
  CLI::App* merge = app.add_subcommand("merge", "Add up the results of all shards of a search");
  merge->add_option("files", parts.files, "What `licit verify --shard i/n --json FILE` wrote, a file a shard")
      ->required();
  merge->add_option("--json", parts.json, "Write the verdicts to this file");

  licit::tool::audit_options audited;
  CLI::App* audit = app.add_subcommand("audit", "Is every ordering enough, and is each needed?");
  audit->add_option("--structure", audited.structures, "These structures only");
  audit->add_option("--site", audited.site, "This row only");
  audit->add_flag("--minima", audited.minima, "Look for every weakest table, too");
  audit->add_option("--json", audited.json, "Write the findings to this file");
  audit->add_option("--html", audited.html, "Write a page of HTML that needs nothing else");
  audit->add_option("--markdown", audited.markdown,
                    "Write the table to this file, or between its lines <!-- audit --> and <!-- end of audit -->");
  audit->add_option("--record", audited.record, "Write the findings without the executions");
  audit->add_option("--from", audited.from, "Run nothing: make the pages of what --json wrote");
  audit->add_option("--library", audited.library, "Compare an archive with the recorded audit");
  audit->add_option("--check", audited.check, "Compare a record with this build, and run some of its rows again");
  audit->add_option("--sample", audited.sample, "So many of its rows")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  audit->add_option("--jobs", audited.jobs, "Processes")->check(CLI::Range(1, 1024))->capture_default_str();
  audit->add_option("--cache", audited.cache, "Folder for results (default: licit in the user's cache)");
  audit->add_flag("--fresh", audited.fresh, "Look at no earlier result");
  audit->add_option("--limit", audited.limit, "Executions of one program after which it is given up (exit status 3)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}))
      ->capture_default_str();
  audit->add_flag("--quiet", audited.quiet, "No progress line, on a terminal either");

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

  licit::tool::gallery_options shown;
  bool list_exhibits = false;
  CLI::App* gallery = app.add_subcommand("gallery", "Check published deques: who is right, and how the others fail");
  gallery->add_option("names", shown.names, "These exhibits only, each with the execution in which it fails")
      ->check(CLI::IsMember(licit::tool::gallery_names()));
  gallery->add_option("--json", shown.json, "Write the verdicts to this file");
  gallery->add_option("--limit", shown.limit, "Executions after which a program is given up (exit status 3)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}))
      ->capture_default_str();
  gallery->add_flag("--list", list_exhibits, "List the exhibits, and run nothing");
  const licit::machine::commands machine(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? licit::tool::as_expected : licit::tool::bad_usage;
  }
  if (list) {
    licit::tool::list();
    return licit::tool::as_expected;
  }
  if (const auto status = machine.run()) return *status;
  if (audit->parsed()) return licit::tool::audit(audited);
  if (list_exhibits) {
    licit::tool::list_gallery();
    return licit::tool::as_expected;
  }
  if (gallery->parsed()) return licit::tool::gallery(shown);
  if (litmus->parsed()) {
    if (cxx11) tests.search.sequences = licit::checker::release_sequences::cxx11;
    return licit::tool::litmus(tests);
  }
  if (replay->parsed()) return licit::tool::replay(trace);
  if (merge->parsed()) return licit::tool::merge(parts);
  return licit::tool::verify(options);
} catch (const std::exception& e) {
  std::cerr << "licit: " << e.what() << '\n';
  return licit::tool::bad_usage;
}
