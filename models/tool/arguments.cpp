#include "arguments.hpp"

#include <cmath>
#include <cstdlib>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <memory>
#include <stdexcept>
#include <string>

#include <CLI/CLI.hpp>

#include "machine/commands.hpp"
#include "report.hpp"

namespace licit::tool {

namespace {

command add_replay(CLI::App& app) {
  const auto file = std::make_shared<std::string>();
  const auto gdb = std::make_shared<bool>(false);
  CLI::App* replay = app.add_subcommand("replay", "Run a recorded violation again (exit status 1 if it still is one)");
  replay->add_option("file", *file, "A file that `licit verify --trace FILE` or `licit check` wrote")->required();
  replay->add_flag("--gdb", *gdb,
                   "Run it under gdb, which stops where the violation is found; only for files of `licit check`");
  return when(replay, [file, gdb] {
    if (is_of_checked_program(*file)) return replay_program(*file, *gdb);
    if (*gdb) throw std::runtime_error("--gdb: " + *file + " is no file of `licit check`");
    return tool::replay(*file);
  });
}

command add_trace(CLI::App& app) {
  const auto o = std::make_shared<trace_options>();
  CLI::App* trace = app.add_subcommand(
      "trace",
      "Make an HTML page from a scheduler's trace: what each worker ran and stole, and when it slept and woke");
  trace->add_option("file", o->file, "A trace in Chrome's format, as `scheduler::write_trace` writes it")->required();
  add_output(*trace, "-o,--html", o->html, "Write the page to FILE (default: the trace's name, with .html)");
  return when(trace, [o] { return tool::trace(*o); });
}

command add_merge(CLI::App& app) {
  const auto o = std::make_shared<merge_options>();
  CLI::App* merge = app.add_subcommand("merge", "Combine the shards of a search into the rows of the whole search");
  merge->add_option("files", o->files, "The files that `licit verify --shard I/N --json FILE` wrote, one for each I")
      ->required();
  add_output(*merge, "--json", o->json, "Write the rows to FILE, as JSON");
  return when(merge, [o] { return tool::merge(*o); });
}

command add_audit(CLI::App& app) {
  const auto o = std::make_shared<audit_options>();
  CLI::App* audit =
      app.add_subcommand("audit", "Check whether each ordering is strong enough, and whether it is needed");
  audit->add_option("--structure", o->structures, "Audit these structures only")
      ->type_name("NAME...")
      ->check(one_of(structure_names()));
  audit->add_option("--site", o->site, "Audit one row of the ordering tables only")
      ->type_name("SITE")
      ->check(not_empty());
  audit->add_flag("--minima", o->minima, "Also search for the weakest tables that pass");
  add_output(*audit, "--json", o->json, "Write the findings with their executions to FILE, as JSON");
  add_output(*audit, "--html", o->html, "Write the findings with their executions to FILE, as one page of HTML");
  add_output(*audit, "--markdown", o->markdown, "Write the findings to FILE, as tables in Markdown");
  add_output(
      *audit, "--record", o->record,
      "Write the findings to FILE, with a line for each row. Structures that have not changed since FILE was written "
      "are not audited again");
  add_file(*audit, "--from", o->from, "Audit nothing: print the findings in FILE, which --record or --json wrote");
  add_file(
      *audit, "--library", o->library,
      "Audit nothing: say whether FILE, an archive or a shared library, was built from the sources that the recorded "
      "audit covers");
  add_file(*audit, "--check", o->check,
           "Say whether the record FILE was made from this build's sources, and audit three of its rows again");
  audit->add_flag("--each", o->each,
                  "With --check: audit a row of each structure again, with the executions of all its programs");
  add_jobs(*audit, o->jobs, "Processes");
  audit->add_flag("--fresh", o->fresh, "Use no earlier result: neither the cache nor the file of --record");
  add_limit(*audit, o->limit, "a program");
  audit->add_flag("--quiet", o->quiet, "Show no progress bar");
  return when(audit, [o] { return tool::audit(*o); });
}

command add_prove(CLI::App& app) {
  const auto o = std::make_shared<prove_options>();
  CLI::App* prove = app.add_subcommand(
      "prove", "Prove a structure correct for any number of threads and operations, with an SMT solver");
  prove
      ->add_option("--structure", o->structure,
                   fmt::format("The structure: {} (default: all)", fmt::join(proved_names(), ", ")))
      ->type_name("NAME")
      ->check(CLI::IsMember(proved_names()).description(""));
  auto* steps =
      prove->add_flag("--steps", o->steps, "Print the transition system that the source gives; prove nothing");
  auto* needs = prove
                    ->add_flag("--needs", o->needs,
                               "Print for each invariant the steps whose proofs need it, from z3's unsat cores")
                    ->excludes(steps);
  auto* one = prove->add_option("--mutant", o->mutant, "Prove the structure with this mutation, and list what fails")
                  ->type_name("NAME")
                  ->check(not_empty());
  needs->excludes(one);
  prove->add_flag("--mutants", o->mutants, "With each mutation, try to prove the step that the record says it breaks")
      ->excludes(one)
      ->excludes(steps)
      ->excludes(needs);
  prove->add_option("--solver", o->solver, "The solver, a program in PATH: z3 or cvc5 (default: z3)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"z3", "cvc5"}).description(""))
      ->excludes(steps);
  prove->add_option("--seed", o->seed, "The solver's seed")->type_name("N")->capture_default_str()->excludes(steps);
  prove->add_option("--smt", o->smt, "Write the questions to the folder DIR, as SMT-LIB for any solver")
      ->type_name("DIR")
      ->check(not_empty())
      ->excludes(steps);
  add_output(*prove, "--json", o->json, "Write a row for each condition to FILE, as JSON")->excludes(steps);
  add_jobs(*prove, o->jobs, "Solver processes");
  return when(prove, [o] { return tool::prove(*o); });
}

command add_litmus(CLI::App& app) {
  const auto o = std::make_shared<litmus_options>();
  CLI::App* litmus = app.add_subcommand("litmus", "Explore litmus tests in herd's C dialect exhaustively");
  litmus->add_option("paths", o->paths, "Files, or folders that are searched for *.litmus")->required();
  add_output(*litmus, "--json", o->json, "Write a row for each test to FILE, as JSON");
  litmus
      ->add_option("--unroll", o->search.unroll,
                   "Explore at most N rounds of a loop; an execution that needs more counts as blocked")
      ->type_name("N")
      ->check(CLI::Range(0, 1000))
      ->capture_default_str();
  add_limit(*litmus, o->search.max_executions, "a test");
  litmus
      ->add_option_function<std::string>(
          "--release-sequences",
          [&search = o->search](const std::string& rule) {
            search.sequences = rule == "c++11" ? checker::release_sequences::cxx11 : checker::release_sequences::cxx20;
          },
          "The standard that defines release sequences: c++11 or c++20 (default: c++20)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"c++11", "c++20"}).description(""));
  return when(litmus, [o] { return tool::litmus(*o); });
}

/// CLI::Range lets it through: it is neither below nor above.
std::string nan_refused(const std::string& number) {
  return std::isnan(std::strtod(number.c_str(), nullptr)) ? number + " is no number" : "";
}

/// What is explored, and when it ends.
void add_exploration(CLI::App& check, check_options& o) {
  CLI::Option* mode =
      check
          .add_option("--mode", o.mode,
                      "exhaustive: every execution; random: a sample by random choices; pct: a sample by random thread "
                      "priorities; estimate: none, but estimate how many there are")
          ->type_name("NAME")
          ->check(CLI::IsMember({"exhaustive", "random", "pct", "estimate"}).description(""))
          ->capture_default_str();
  check.add_flag_callback("--estimate", [&o] { o.mode = "estimate"; }, "The same as --mode estimate")->excludes(mode);
  check.add_option("--executions", o.executions, "Stop after N executions (default: none; 100000 for a sample)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, most_executions));
  check.add_option("--seconds", o.seconds, "Stop after S seconds (default: 60; 0.5 for an estimate)")
      ->type_name("S")
      ->check(CLI::Range(0.0, 1e9).description(""))
      ->check(CLI::Validator(&nan_refused, ""));
  check.add_option("--seed", o.seed, "Seed of --mode random, pct or estimate (default: 1)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{0}, largest_seed));
  check
      .add_option("--depth", o.depth, "Depth d of --mode pct: finds bugs that need d - 1 priority changes (default: 3)")
      ->type_name("D")
      ->check(CLI::Range(1, 100));
  check.add_option("--events", o.events, "Report an execution with more than N events as an endless loop")
      ->type_name("N")
      ->check(CLI::Range(1, 60'000))
      ->capture_default_str();
}

/// The files of a violation, and the progress line.
void add_outputs(CLI::App& check, check_options& o) {
  add_output(check, "--trace", o.trace,
             "Write a violation to FILE, for `licit replay` (default: the program's name with .trace)");
  add_output(check, "--dot", o.draw.dot, "Write a violation to FILE, as a graph for Graphviz");
  add_output(check, "--svg", o.draw.svg,
             "Draw a violation to FILE with Graphviz, as SVG or in the format of FILE's extension");
  check.add_flag("--quiet", o.quiet, "Show no progress line");
}

command add_check(CLI::App& app, const std::vector<std::string>& behind) {
  const auto o = std::make_shared<check_options>();
  CLI::App* check = app.add_subcommand(
      "check", "Explore every execution of an unmodified C++ program, compiled as models/unmodified/README.md says");
  check->add_option("command", o->command, "The program, and its arguments. Put arguments that begin with - after --");
  add_exploration(*check, *o);
  check->add_flag(
      "--audit", o->audit,
      "Also weaken each atomic operation of the program's own code in turn, and say whether its order is needed");
  check->add_flag("--no-leaks", o->without_leaks, "Do not report memory that nothing points to at the end");
  check->add_flag("--no-timeouts", o->without_timeouts, "Assume that timed waits never time out");
  check->add_flag("--distinct", o->distinct,
                  "Also count the distinct executions: those that differ only in rounds of waiting loops count once");
  check->add_flag(
      "--spurious", o->spurious,
      "Also explore spurious wake-ups from futexes and condition variables, and spurious failures of try_lock");
  check
      ->add_option("--release-sequences", o->release_sequences,
                   "The standard that defines release sequences: c++11 or c++20")
      ->type_name("NAME")
      ->check(CLI::IsMember({"c++11", "c++20"}).description(""))
      ->capture_default_str();
  check->add_option("--jobs", o->jobs, "Number of processes that share an exhaustive search")
      ->type_name("N")
      ->check(CLI::Range(1U, 1024U))
      ->capture_default_str();
  check->add_option("--shard", o->shard, "Explore part I of N of the search, I from 0")
      ->type_name("I/N")
      ->check(not_empty());
  check
      ->add_option("--stall", o->stall,
                   "Stop thread N for good before each of its steps in turn; the other threads must still finish")
      ->type_name("N")
      ->check(CLI::Range(0U, checker::max_threads - 1));
  check
      ->add_option(
          "--accept", o->accepted,
          "Run this function, or the functions of this file, although they are not instrumented or contain inline "
          "assembly; their memory accesses are not checked (may be given more than once)")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->check(not_empty());
  add_outputs(*check, *o);
  return when(check, [o, behind] {
    o->command.insert(o->command.end(), behind.begin(), behind.end());
    return tool::check(*o);
  });
}

command add_gallery(CLI::App& app) {
  const auto o = std::make_shared<gallery_options>();
  const auto listed = std::make_shared<bool>(false);
  CLI::App* gallery =
      app.add_subcommand("gallery", "Check published deques and queues: which ones are right, and how the others fail");
  gallery->add_option("names", o->names, "Check these exhibits only, and print the execution in which each fails")
      ->check(one_of(gallery_names()));
  add_output(*gallery, "--json", o->json, "Write a row for each program to FILE, as JSON");
  gallery->add_flag("--list", *listed, "List the exhibits with their sources; check nothing");
  return when(gallery, [o, listed] {
    if (!*listed) return tool::gallery(*o);
    list_gallery();
    return static_cast<int>(as_expected);
  });
}

}  // namespace

std::vector<command> add_commands(CLI::App& app, const std::vector<std::string>& behind) {
  std::vector<command> all{add_verify(app), add_replay(app), add_merge(app),   add_trace(app),        add_audit(app),
                           add_prove(app),  add_litmus(app), add_gallery(app), add_check(app, behind)};
  all.emplace_back([machine = std::make_shared<machine::commands>(app)] { return machine->run(); });
  return all;
}

}  // namespace licit::tool
