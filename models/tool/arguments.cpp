#include "arguments.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "audit/command.hpp"
#include "gallery.hpp"
#include "litmus.hpp"
#include "merge.hpp"
#include "replay.hpp"
#include "rows.hpp"
#include "status.hpp"
#include "suites/catalogue.hpp"
#include "verify/command.hpp"

namespace licit::tool {

namespace {

constexpr std::uint64_t most_executions = 1'000'000'000'000;
constexpr unsigned most_processes = 1024;

/// Each name once: structures share some.
std::vector<std::string> each_once(std::vector<std::string> names) {
  std::ranges::sort(names);
  const auto doubles = std::ranges::unique(names);
  names.erase(doubles.begin(), doubles.end());
  return names;
}

std::vector<std::string> structure_names() {
  std::vector<std::string> names;
  for (const auto& s : suites::structures()) names.emplace_back(s.name);
  return names;
}

std::vector<std::string> program_names() {
  std::vector<std::string> names;
  for (const auto& s : suites::structures()) {
    for (const auto* list : {&s.programs, &s.longer, &s.sampled}) {
      for (const auto& p : *list) names.emplace_back(p.about.name);
    }
  }
  return each_once(std::move(names));
}

/// Mutants of the tables' rows; with the broken algorithms, if asked for.
std::vector<std::string> mutant_names(bool broken) {
  std::vector<std::string> names;
  for (const auto& s : suites::structures()) {
    for (const auto& m : s.mutants) names.emplace_back(m.name);
    for (const auto& p : s.broken) {
      if (broken) names.emplace_back(p.about.name);
    }
  }
  return each_once(std::move(names));
}

/// A name of a list. The help does not print the list, which may be long; the error does.
CLI::Validator one_of(std::vector<std::string> names) {
  CLI::Validator check = CLI::IsMember(std::move(names));
  check.description("");
  return check;
}

CLI::Option* add_limit(CLI::App& to, std::uint64_t& limit, const std::string& what) {
  return to.add_option("--limit", limit, "Stop " + what + " after this many executions, and say so (exit status 3)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, most_executions))
      ->capture_default_str();
}

CLI::Option* add_jobs(CLI::App& to, unsigned& jobs, const std::string& what) {
  return to.add_option("--jobs", jobs, what + " (default: one per processor)")
      ->type_name("N")
      ->check(CLI::Range(1U, most_processes));
}

CLI::Option* add_file(CLI::App& to, const char* option, std::string& file, const std::string& what) {
  return to.add_option(option, file, what)->type_name("FILE");
}

void add_choice(CLI::App& verify, verify_options& o) {
  verify.add_option("--structure", o.structures, "Check these structures only; --list names them")
      ->type_name("NAME...")
      ->check(one_of(structure_names()));
  verify.add_option("--program", o.programs, "Check these client programs only, and no mutants; print each row")
      ->type_name("NAME...")
      ->check(one_of(program_names()));
  verify.add_option("--mutant", o.mutants, "Check these mutants only; print each with an execution that fails")
      ->type_name("NAME...")
      ->check(one_of(mutant_names(true)))
      ->excludes("--program");
  verify
      .add_option("--client", o.client,
                  "Check a client of your own, and no mutants. LINE has the calls of each thread, the owner's first: "
                  "'capacity=1: push push pop | steal'. Needs one --structure; --list prints its words")
      ->type_name("LINE")
      ->check(CLI::Validator([](const std::string& line) { return line.empty() ? "the line is empty" : ""; }, ""))
      ->excludes("--program")
      ->excludes("--mutant");
  verify
      .add_option("--break", o.broken_by,
                  "Run the programs with this mutant as if it were the code; what fails gives exit status 1")
      ->type_name("MUTANT")
      ->check(one_of(mutant_names(false)))
      ->excludes("--mutant");
  verify.add_option("--checker", o.checkers, "Use one checker only: exhaustive or relacy (default: both)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"exhaustive", "relacy"}).description(""));
  verify.add_flag("--longer", o.longer, "Also check the programs that take minutes to explore");
}

void add_search(CLI::App& verify, verify_options& o) {
  CLI::Option* mode = verify
                          .add_option("--mode", o.mode,
                                      "Sample executions instead of exploring all: random (each choice equally "
                                      "likely) or pct (random thread priorities)")
                          ->type_name("NAME")
                          ->check(CLI::IsMember({"random", "pct"}).description(""))
                          ->excludes("--checker");
  verify
      .add_option("--iterations", o.iterations,
                  "Executions of each sampled row (default: 100000 with --mode, 2000 under Relacy)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000}));
  verify.add_option("--seed", o.seed, "Seed of --mode: the same seed gives the same executions")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1'000'000'000'000'000'000}))
      ->needs(mode)
      ->capture_default_str();
  verify.add_option("--depth", o.depth, "PCT depth d: finds bugs that need d - 1 priority changes")
      ->type_name("D")
      ->check(CLI::Range(1, 100))
      ->needs(mode)
      ->capture_default_str();
  add_limit(verify, o.limit, "each search");
  verify
      .add_option("--release-sequences", o.rules,
                  "Use one standard's release sequences only: c++11 or c++20 (default: both)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"c++11", "c++20"}).description(""))
      ->excludes(mode);
  verify
      .add_option("--stall", o.stall,
                  "Stop thread N for good at the start, then after its first step, after its second, and so on; the "
                  "other threads must finish each time")
      ->type_name("N...")
      ->check(CLI::Range(0U, checker::max_threads - 1))
      ->excludes(mode)
      ->excludes("--mutant");
  add_jobs(verify, o.jobs,
           "Processes, which share the rows; with few rows, --jobs N lets them share each exhaustive search");
  verify
      .add_option_function<std::string>(
          "--shard",
          [&o](const std::string& text) {
            checker::share which;
            if (std::string wrong = parse_shard(text, which); !wrong.empty())
              throw CLI::ValidationError("--shard", wrong);
            o.shard = which;
          },
          "Explore part I of N of each search, I from 0, for `licit merge`; needs --checker exhaustive")
      ->type_name("I/N")
      ->excludes(mode)
      ->excludes("--mutant")
      ->excludes("--stall");
}

command add_verify(CLI::App& app) {
  const auto o = std::make_shared<verify_options>();
  const auto listed = std::make_shared<bool>(false);
  CLI::App* verify = app.add_subcommand(
      "verify", "Check every structure: its client programs must hold, and its mutants must be caught");
  add_choice(*verify, *o);
  add_search(*verify, *o);
  verify->add_flag("--all", o->all, "Print a row for each program and mutant, not a line for each structure");
  add_file(*verify, "--json", o->json, "Write a row for each program and mutant to FILE, as JSON");
  add_file(*verify, "--trace", o->trace, "Write the first violating execution to FILE, for `licit replay`");
  add_file(*verify, "--dot", o->draw.dot, "Write the first violating execution to FILE, as a graph for Graphviz");
  add_file(*verify, "--svg", o->draw.svg,
           "Draw the first violating execution to FILE with Graphviz, as SVG or in the format of FILE's extension");
  verify->add_flag("--quiet", o->quiet, "Show no progress bar");
  verify->add_flag("--list", *listed, "List structures, programs, mutants and the words of --client; check nothing");
  return {verify, [o, listed] {
            if (!*listed) return tool::verify(*o);
            list();
            return static_cast<int>(as_expected);
          }};
}

command add_replay(CLI::App& app) {
  const auto file = std::make_shared<std::string>();
  CLI::App* replay = app.add_subcommand("replay", "Run a recorded violation again (exit status 1 if it still is one)");
  replay->add_option("file", *file, "A file that `licit verify --trace FILE` wrote")->required();
  return {replay, [file] { return tool::replay(*file); }};
}

command add_merge(CLI::App& app) {
  const auto o = std::make_shared<merge_options>();
  CLI::App* merge = app.add_subcommand("merge", "Add up the shards of a search");
  merge->add_option("files", o->files, "The files that `licit verify --shard I/N --json FILE` wrote, one for each I")
      ->required();
  add_file(*merge, "--json", o->json, "Write the rows to FILE, as JSON");
  return {merge, [o] { return tool::merge(*o); }};
}

command add_audit(CLI::App& app) {
  const auto o = std::make_shared<audit_options>();
  CLI::App* audit =
      app.add_subcommand("audit", "Find out for each ordering whether it is enough, and whether it is needed");
  audit->add_option("--structure", o->structures, "Audit these structures only")
      ->type_name("NAME...")
      ->check(one_of(structure_names()));
  audit->add_option("--site", o->site, "Audit one row of the ordering tables only")->type_name("SITE");
  audit->add_flag("--minima", o->minima, "Also search for the weakest tables that pass");
  add_file(*audit, "--json", o->json, "Write the findings with their executions to FILE, as JSON");
  add_file(*audit, "--html", o->html, "Write the findings with their executions to FILE, as one page of HTML");
  add_file(*audit, "--markdown", o->markdown, "Write the findings to FILE, as tables in Markdown");
  add_file(*audit, "--record", o->record,
           "Write the findings to FILE, a line for each row. Structures that have not changed since FILE was written "
           "are not audited again");
  add_file(*audit, "--from", o->from, "Audit nothing: print the findings in FILE, which --record or --json wrote");
  add_file(*audit, "--library", o->library,
           "Audit nothing: say whether the archive FILE was built from the sources that the recorded audit is of");
  add_file(*audit, "--check", o->check,
           "Say whether the record FILE is of this build's sources, and audit three of its rows again");
  add_jobs(*audit, o->jobs, "Processes");
  audit->add_flag("--fresh", o->fresh, "Use no earlier result: neither the cache nor the file of --record");
  add_limit(*audit, o->limit, "a program");
  audit->add_flag("--quiet", o->quiet, "Show no progress bar");
  return {audit, [o] { return tool::audit(*o); }};
}

command add_litmus(CLI::App& app) {
  const auto o = std::make_shared<litmus_options>();
  CLI::App* litmus = app.add_subcommand("litmus", "Explore litmus tests in herd's C dialect exhaustively");
  litmus->add_option("paths", o->paths, "Files, or folders that are searched for *.litmus")->required();
  add_file(*litmus, "--json", o->json, "Write a row for each test to FILE, as JSON");
  litmus
      ->add_option("--unroll", o->search.unroll,
                   "Most rounds of a loop; an execution that needs more counts as blocked")
      ->type_name("N")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  add_limit(*litmus, o->search.max_executions, "a test");
  litmus
      ->add_option_function<std::string>(
          "--release-sequences",
          [o](const std::string& rule) {
            o->search.sequences =
                rule == "c++11" ? checker::release_sequences::cxx11 : checker::release_sequences::cxx20;
          },
          "The standard whose release sequences hold: c++11 or c++20 (default: c++20)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"c++11", "c++20"}).description(""));
  return {litmus, [o] { return tool::litmus(*o); }};
}

command add_gallery(CLI::App& app) {
  const auto o = std::make_shared<gallery_options>();
  const auto listed = std::make_shared<bool>(false);
  CLI::App* gallery =
      app.add_subcommand("gallery", "Check published deques and queues: which are right, and how others fail");
  gallery->add_option("names", o->names, "Check these exhibits only, and print the execution in which each fails")
      ->check(one_of(gallery_names()));
  add_file(*gallery, "--json", o->json, "Write a row for each program to FILE, as JSON");
  gallery->add_flag("--list", *listed, "List the exhibits with their sources; check nothing");
  return {gallery, [o, listed] {
            if (!*listed) return tool::gallery(*o);
            list_gallery();
            return static_cast<int>(as_expected);
          }};
}

}  // namespace

std::vector<command> add_commands(CLI::App& app) {
  std::vector<command> all{add_verify(app), add_replay(app), add_merge(app),
                           add_audit(app),  add_litmus(app), add_gallery(app)};
  for (const command& c : all) c.parsed->footer(std::string(statuses));
  return all;
}

}  // namespace licit::tool
