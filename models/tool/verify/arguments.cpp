#include "arguments.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include <licit/checker/explore.hpp>
#include <licit/checker/threads.hpp>

#include <CLI/CLI.hpp>

#include "report.hpp"
#include "rows.hpp"
#include "suites/structure.hpp"
#include "verify/command.hpp"

namespace licit::tool {

namespace {

constexpr unsigned most_processes = 1024;

/// Each name once: structures share some.
std::vector<std::string> each_once(std::vector<std::string> names) {
  std::ranges::sort(names);
  const auto doubles = std::ranges::unique(names);
  names.erase(doubles.begin(), doubles.end());
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
      ->check(not_empty("line"))
      ->excludes("--program")
      ->excludes("--mutant");
  verify
      .add_option("--break", o.broken_by,
                  "Run the programs with this mutant as if it were the code; a failure gives exit status 1")
      ->type_name("MUTANT")
      ->check(one_of(mutant_names(false)))
      ->excludes("--mutant");
  verify.add_option("--checker", o.checkers, "Use one checker only: exhaustive or relacy (default: both)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"exhaustive", "relacy"}).description(""));
  verify.add_flag("--longer", o.longer,
                  "Also check the programs that take minutes to explore, and give Relacy three preemptions where it "
                  "has two otherwise");
}

void add_every(CLI::App& verify, verify_options& o) {
  CLI::Option* every =
      verify
          .add_option("--every", o.every,
                      "Check all clients of up to N calls, judged by the structure's specification, and nothing else")
          ->type_name("N")
          ->check(CLI::Range(1U, 12U))
          ->excludes("--program")
          ->excludes("--mutant")
          ->excludes("--client")
          ->excludes("--checker")
          ->excludes("--longer");
  verify
      .add_flag("--kill", o.kill,
                "For each mutant, print the smallest client of --every N that finds it, instead of the verdicts")
      ->needs(every)
      ->excludes("--break");
  verify
      .add_option_function<std::string>(
          "--alphabet", [&o](const std::string& name) { o.full = name == "full"; },
          "Calls in the clients of --every: core (push, pop, thefts) or full (every specified call, such as size and "
          "pop_if) (default: core)")
      ->type_name("NAME")
      ->check(CLI::IsMember({"core", "full"}).description(""))
      ->needs(every);
  verify
      .add_option("--edges", o.edges,
                  "Judge the clients of --every also with N happens-before edges added from outside, each from "
                  "a call to a call of another thread; N is 0 or 1")
      ->type_name("N")
      ->check(CLI::IsMember({"0", "1"}).description(""))
      ->needs(every)
      ->capture_default_str();
  verify.add_option("--thieves", o.thieves, "Most thieves in a client of --every")
      ->type_name("T")
      ->check(CLI::Range(0U, 3U))
      ->needs(every)
      ->capture_default_str();
  verify
      .add_option("--capacity", o.capacities,
                  "Initial capacities in the clients of --every (default: 1 and 2; the run queue: 2 and 4)")
      ->type_name("C...")
      ->check(CLI::Range(1U, 8U))
      ->needs(every);
  verify.add_option("--filling", o.filling, "Most items pushed before the threads start in a client of --every")
      ->type_name("N")
      ->check(CLI::Range(0U, 4U))
      ->needs(every)
      ->capture_default_str();
}

void add_estimate(CLI::App& verify, verify_options& o) {
  verify
      .add_flag("--estimate", o.estimate,
                "Explore nothing: estimate, for half a second each, how many executions the programs have, including "
                "programs too large to explore")
      ->excludes("--mutant")
      ->excludes("--every")
      ->excludes("--checker");
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
      ->check(CLI::Range(std::uint64_t{0}, largest_seed))
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
                  "other threads must finish each time. Programs of more than 100,000 executions only with --longer")
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
            if (const std::string wrong = parse_shard(text, which); !wrong.empty())
              throw CLI::ValidationError("--shard", wrong);
            o.shard = which;
          },
          "Explore part I of N of each search, I from 0, for `licit merge`; needs --checker exhaustive")
      ->type_name("I/N")
      ->excludes(mode)
      ->excludes("--mutant")
      ->excludes("--stall");
}

void add_symmetric(CLI::App& verify, verify_options& o) {
  verify
      .add_flag(
          "--symmetric", o.symmetric,
          "Of the executions that differ only in which of several equal thieves did what, explore one; `represented` "
          "in --json says how many it stands for")
      ->excludes("--mode")
      ->excludes("--every");
}

}  // namespace

CLI::Validator not_empty(const std::string& what) {
  return {[what](const std::string& word) { return word.empty() ? "the " + what + " is empty" : std::string(); }, ""};
}

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
  return to.add_option(option, file, what)->type_name("FILE")->check(not_empty());
}

namespace {

/// Looks only: the file is written when there is something to write.
void expect_writable(const std::string& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  std::filesystem::path asked = file;
  if (!std::filesystem::exists(status)) asked = asked.has_parent_path() ? asked.parent_path() : ".";
  int why = 0;
  if (std::filesystem::is_directory(status)) {
    why = EISDIR;
  } else if (::access(asked.c_str(), W_OK) != 0) {
    why = errno;
  } else if (asked != file && !std::filesystem::is_directory(asked, error)) {
    why = ENOTDIR;
  }
  if (why != 0) throw std::runtime_error("cannot write " + file + ": " + std::generic_category().message(why));
}

}  // namespace

CLI::Option* add_output(CLI::App& to, const char* option, std::string& file, const std::string& what) {
  return add_file(to, option, file, what)
      ->check(CLI::Validator(
          [](const std::string& named) {
            expect_writable(named);
            return std::string();
          },
          ""));
}

command when(CLI::App* named, std::function<int()> run) {
  named->footer(std::string(statuses));
  return [named, run = std::move(run)]() -> std::optional<int> {
    return named->parsed() ? std::optional(run()) : std::nullopt;
  };
}

std::vector<std::string> structure_names() {
  std::vector<std::string> names;
  for (const auto& s : suites::structures()) names.emplace_back(s.name);
  return names;
}

command add_verify(CLI::App& app) {
  const auto o = std::make_shared<verify_options>();
  const auto listed = std::make_shared<bool>(false);
  CLI::App* verify = app.add_subcommand(
      "verify", "Check every structure: its client programs must hold, and its mutants must be caught");
  add_choice(*verify, *o);
  add_every(*verify, *o);
  add_estimate(*verify, *o);
  add_search(*verify, *o);
  add_symmetric(*verify, *o);
  verify->add_flag("--all", o->all, "Print a row for each program and mutant, not a line for each structure");
  add_output(*verify, "--json", o->json, "Write a row for each program and mutant to FILE, as JSON");
  add_output(*verify, "--trace", o->trace, "Write the first violating execution to FILE, for `licit replay`");
  add_output(*verify, "--dot", o->draw.dot, "Write the first violating execution to FILE, as a graph for Graphviz");
  add_output(*verify, "--svg", o->draw.svg,
             "Draw the first violating execution to FILE with Graphviz, as SVG or in the format of FILE's extension");
  verify->add_flag("--quiet", o->quiet, "Show no progress bar");
  verify->add_flag("--list", *listed, "List structures, programs, mutants and the words of --client; check nothing");
  return when(verify, [o, listed] {
    if (o->estimate) return estimate(*o);
    if (!*listed) return o->every != 0 ? verify_every(*o) : tool::verify(*o);
    list();
    return static_cast<int>(as_expected);
  });
}

}  // namespace licit::tool
