// libFuzzer chooses the executions: inputs that reach code that others did not are kept and changed further.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/core.h>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "machine/codegen/process.hpp"
#include "machine/matrix/cell.hpp"

namespace licit::matrix {

namespace {

namespace fs = std::filesystem;

/// What fuzz/matrix_fuzz.cpp says at its end, in a line of its own:
/// "licit-matrix: caught <executions> <program> <complaint>" or "licit-matrix: clean <executions>".
struct said {
  bool caught = false;
  std::uint64_t executions = 0;
  std::string program = {};
  std::string what = {};
};

/// Of a process that ended otherwise: the first line that says why.
std::string complaint(const std::string& output) {
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("terminate called") || line.find("ERROR: ") != std::string::npos) return line;
  }
  return output.substr(0, 300);
}

said parse(const std::string& output) {
  constexpr std::string_view mark = "licit-matrix: ";
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(mark)) continue;
    std::istringstream words(line.substr(mark.size()));
    said s;
    std::string verdict;
    words >> verdict >> s.executions;
    s.caught = verdict == "caught";
    if (s.caught) words >> s.program >> std::ws;
    if (words.fail() || (!s.caught && verdict != "clean")) throw std::runtime_error("licit: the fuzzer said " + line);
    std::getline(words, s.what);
    return s;
  }
  throw std::runtime_error("the fuzzer did not come to an end: " + complaint(output));
}

std::vector<std::string> command(const std::string& fuzzer, const row& r, const budget& b, std::string_view program,
                                 unsigned seed) {
  std::vector<std::string> words{fuzzer,
                                 "--row=" + r.id(),
                                 "-exact_artifact_path=/dev/null",  // the bytes are found again by the seed
                                 fmt::format("-seed={}", seed),
                                 fmt::format("-runs={}", b.fuzz + 1),  // the first is empty, and no execution
                                 "-max_len=256",
                                 "-len_control=20",
                                 "-detect_leaks=0",
                                 "-rss_limit_mb=0",
                                 "-verbosity=0",
                                 "-print_funcs=0"};
  if (!program.empty()) words.push_back(fmt::format("--program={}", program));
  return words;
}

cell judge(const std::string& fuzzer, const row& r, const budget& b, std::string_view program) {
  if (!fs::exists(fuzzer)) {
    return not_run(fmt::format("{} is not built: make build-fuzz (clang only)", fs::path(fuzzer).filename().string()));
  }
  cell c{.found = finding::not_caught, .seeds = b.seeds};
  std::vector<std::uint64_t> until;
  const auto begin = std::chrono::steady_clock::now();
  for (unsigned seed = 1; seed <= b.seeds; ++seed) {
    const said s = parse(codegen::run(command(fuzzer, r, b, program, seed)).output);
    c.executions += s.executions;
    if (!s.caught) continue;
    until.push_back(s.executions);
    if (c.program.empty()) c.program = s.program, c.what = s.what;
  }
  c.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  c.caught_by = static_cast<unsigned>(until.size());
  if (until.empty()) return c;
  c.found = finding::caught;
  c.executions = median(until);
  return c;
}

}  // namespace

column fuzzing_column(const std::string& fuzzer) {
  return {.name = "fuzzing",
          .title = "fuzzing",
          .how =
              "libFuzzer's bytes choose program, schedule and reads of the same model, by coverage of checker and "
              "structure; the median of the seeds that caught it",
          .judge = [fuzzer](const row& r, const budget& b, std::string_view program) {
            return judge(fuzzer, r, b, program);
          }};
}

}  // namespace licit::matrix
