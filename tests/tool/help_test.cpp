/// The help of every command: what each option does, with its default and range.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "report.hpp"

namespace {

using licit_test::contains;
using licit_test::finished;
using licit_test::licit;

TEST(Help, NamesExitStatuses) {
  for (const char* command : {"verify", "replay", "merge", "trace", "audit", "prove", "litmus", "gallery", "check"}) {
    const finished f = licit(std::string(command) + " --help");
    EXPECT_EQ(f.status, 0) << command;
    EXPECT_TRUE(contains(f.output, "Exit status: 0 everything is as expected")) << f.output;
  }
}

TEST(Help, HasDefaultsAndRanges) {
  const finished f = licit("verify --help");
  for (const char* part : {"--depth D:INT in [1 - 100]=3", "=50000000", "PCT depth d", "one per processor",
                           "(default: both)", "--seed N:"}) {
    EXPECT_TRUE(contains(f.output, part)) << part << "\n" << f.output;
  }
  EXPECT_FALSE(contains(f.output, "growth_two_thieves")) << "a list of every program: " << f.output;
}

TEST(Prove, PrintsTheStepsOfAStructure) {
  const finished f = licit("prove --structure wake-up --steps");
  EXPECT_EQ(f.status, 0);
  for (const char* part :
       {"wake-up: 65 steps, 25 points", "claim.take won > unpark.swap", "behind look.fence, seq_cst"}) {
    EXPECT_TRUE(contains(f.output, part)) << part << "\n" << f.output;
  }
  EXPECT_FALSE(contains(f.output, "steal.claim")) << "only this structure: " << f.output;
  EXPECT_EQ(licit("prove --structure wake-up --mutant nothing").status, 2);
}

TEST(Prove, PrintsTheStepsOfAMutant) {
  const std::string shipped = licit("prove --structure chase-lev --steps").output;
  const finished mutant = licit("prove --structure chase-lev --steps --mutant 'pop.fence removed'");
  EXPECT_EQ(mutant.status, 0);
  EXPECT_TRUE(contains(mutant.output, "chase-lev: ")) << mutant.output;
  EXPECT_NE(mutant.output, shipped);
}

TEST(Prove, RefusesWhatDoesNotGoTogether) {
  for (const char* options : {"--steps --mutants", "--steps --json x.json", "--steps --needs", "--steps --smt x",
                              "--steps --solver z3", "--steps --seed 1", "--needs --mutants", "--needs --mutant x"}) {
    EXPECT_EQ(licit(std::string("prove ") + options).status, 2) << options;
  }
  EXPECT_EQ(licit("prove --needs --solver cvc5").output, "licit: --needs takes the unsat cores of z3, not of cvc5\n");
}

/// What an earlier run has left there would be taken for a question of this one. A script stands for the solver.
TEST(Prove, WritesTheQuestionsOfThisRunOnly) {
  const std::filesystem::path folder = testing::TempDir() + "licit-smt-" + std::to_string(::getpid());
  const auto questions = folder / "run-queue" / "push.publish-relaxed";
  std::filesystem::create_directories(questions);
  for (const char* name : {"999.smt2", "mine.smt2"}) std::ofstream(questions / name) << "(check-sat)\n";
  std::ofstream(folder / "z3") << "#!/bin/sh\nfor file; do :; done\ngrep '^(check-sat)' $file | sed 's/.*/unknown/'\n";
  std::filesystem::permissions(folder / "z3", std::filesystem::perms::owner_all);
  EXPECT_TRUE(
      contains(licit_test::run("PATH=" + folder.string() + ":$PATH " + LICIT_TOOL +
                               " prove --structure run-queue --mutant 'push.publish relaxed' --smt " + folder.string())
                   .output,
               "open: "));
  EXPECT_TRUE(std::filesystem::exists(questions / "000.smt2"));
  EXPECT_FALSE(std::filesystem::exists(questions / "999.smt2"));
  EXPECT_TRUE(std::filesystem::exists(questions / "mine.smt2"));
  std::filesystem::remove_all(folder);
}

TEST(Prove, AMutantThatThereIsNotIsRefusedAtOnce) {
  EXPECT_EQ(licit("prove --mutant nosuch").output, "licit: there is no mutant 'nosuch'\n");
}

TEST(Files, ThatAreNoFilesAreNamedInPlainWords) {
  const std::string folder = testing::TempDir();
  EXPECT_EQ(licit("check " + folder).output, "licit: cannot read " + folder + ": it is a directory\n");
  EXPECT_EQ(licit("prove --structure chase-lev --smt /dev/null/x").output,
            "licit: cannot make the folder /dev/null/x/chase-lev: Not a directory\n");
}

TEST(Files, ThatCannotBeWrittenAreRefusedBeforeTheWork) {
  const std::string folder = testing::TempDir();
  for (const std::string command : {"prove", "verify", "audit", "gallery"}) {
    EXPECT_EQ(licit(command + " --json /nonexistent/a.json").output,
              "licit: cannot write /nonexistent/a.json: No such file or directory\n");
    EXPECT_EQ(licit(command + " --json " + folder).output, "licit: cannot write " + folder + ": Is a directory\n");
    EXPECT_EQ(licit(command + " --json /dev/null/a").output, "licit: cannot write /dev/null/a: Not a directory\n");
  }
}

/// Standard error alone.
finished licit_on_a_full_disk(const std::string& arguments) { return licit(arguments + " 2>&1 >/dev/full #"); }

TEST(Output, ThatCannotBeWrittenIsAnError) {
  const std::string test = testing::TempDir() + "licit-output-" + std::to_string(::getpid()) + ".litmus";
  std::ofstream(test) << "C W\n{}\nP0 (atomic_int* x) { *x = 1; }\nexists (x=1)\n";
  for (const std::string& arguments :
       {std::string("--help"), std::string("--version"), std::string("verify --list"), std::string("gallery --list"),
        std::string("gallery push-store"), std::string("audit --library " LICIT_LIBRARY), "litmus " + test}) {
    const finished f = licit_on_a_full_disk(arguments);
    EXPECT_EQ(f.status, 2) << arguments;
    EXPECT_TRUE(contains(f.output, "licit: cannot write ")) << arguments << ": " << f.output;
  }
  std::filesystem::remove(test);
}

TEST(Help, ACommandThatThereIsNotIsNamed) {
  const finished f = licit("verfy --all");
  EXPECT_EQ(f.status, 2);
  EXPECT_TRUE(contains(f.output, "there is no command 'verfy'; `licit --help` lists the commands")) << f.output;
  EXPECT_EQ(licit("").status, 2);
}

TEST(Help, OfAVersion) { EXPECT_EQ(licit("--version").status, 0); }

TEST(Progress, SaysHowMuchIsLeft) {
  EXPECT_EQ(licit::tool::progress_text(0, 10, 3, "all"), "[........................]   0 %  all");
  EXPECT_EQ(licit::tool::progress_text(5, 10, 30, "parker"), "[############............]  50 %  30 s left  parker");
  EXPECT_EQ(licit::tool::progress_text(1, 10, 60, ""), "[##......................]  10 %  9 min left  ");
  EXPECT_EQ(licit::tool::progress_text(11, 10, 60, "x"), "[########################] 100 %  0 s left  x");
}

/// Every field of every command's JSON stands in models/README.md.

using licit_test::finished;
using licit_test::licit;
using nlohmann::json;
namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The keys of the value and of what is in it, but for objects whose keys are names of programs, sites or variables.
void collect(const json& value, std::set<std::string>& keys) {
  static const std::set<std::string> maps{"programs", "orders", "state", "execution", "minima"};
  if (value.is_array()) {
    for (const json& each : value) collect(each, keys);
  }
  if (!value.is_object()) return;
  for (const auto& [key, inner] : value.items()) {
    keys.insert(key);
    if (!maps.contains(key)) collect(inner, keys);
  }
}

/// Those that the section about JSON of models/README.md does not have in backquotes.
std::set<std::string> unexplained(const json& value) {
  static const std::string text = text_of(std::string(LICIT_SOURCE) + "/models/README.md");
  const std::size_t begin = text.find("### Verdicts of licit verify");
  const std::string section = text.substr(begin, text.find("\n### ", begin + 4) - begin);
  std::set<std::string> keys;
  std::set<std::string> missing;
  collect(value, keys);
  for (const std::string& key : keys) {
    if (section.find("`" + key + "`") == std::string::npos) missing.insert(key);
  }
  return missing;
}

TEST(Names, ThatNobodyExplainsAreFound) {
  EXPECT_EQ(unexplained(json{{"verdict", "ok"}, {"outcome", "ok"}}), std::set<std::string>{"outcome"});
}

TEST(Names, OfEveryCommandAreExplained) {
  const fs::path file = fs::path(testing::TempDir()) / ("licit-names-" + std::to_string(::getpid()) + ".json");
  const fs::path test = fs::path(testing::TempDir()) / ("licit-names-" + std::to_string(::getpid()) + ".litmus");
  std::ofstream(test)
      << "C SB\n{}\nP0 (atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed); }\nexists (x=1)\n";
  for (const std::string& command : {
           std::string("verify --structure chase-lev --checker exhaustive --mutant 'pop.fence removed'"),
           std::string("verify --structure chase-lev --checker relacy --mutant 'pop.reserve relaxed' --iterations 10"),
           std::string("verify --structure chase-lev --checker exhaustive --program refill --shard 0/2"),
           std::string("verify --structure chase-lev --program two_items --break 'pop.fence removed'"),
           std::string("verify --structure chase-lev --every 2"),
           std::string("verify --structure chase-lev --every 2 --kill"),
           std::string("audit --structure lifo-slot --fresh --minima --quiet"),
           std::string("gallery push-store"),
           "litmus " + test.string(),
       }) {
    const finished f = licit(command + " --json " + file.string());
    const json all = json::parse(text_of(file));
    EXPECT_EQ(unexplained(all), std::set<std::string>{}) << command << "\n" << f.output;
    fs::remove(file);
  }
  fs::remove(test);
}

}  // namespace
