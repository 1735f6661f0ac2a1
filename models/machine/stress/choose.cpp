// licit_stress_rows: writes rows.txt, from the catalogue and the exhaustive checker.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <CLI/CLI.hpp>

#include "machine/stress/witnesses.hpp"

namespace licit::stress {

namespace {

std::string_view name(suites::change how) {
  switch (how) {
    case suites::change::weaken: return "weaken";
    case suites::change::drop: return "drop";
    case suites::change::drop_first: return "drop_first";
    case suites::change::blind_store: return "blind_store";
    case suites::change::symmetric: return "symmetric";
  }
  return "";
}

std::string text(const suites::mutation& m) {
  return fmt::format("{} {} {} {}", m.site, name(m.how), licit::detail::name(m.success),
                     licit::detail::name(m.failure));
}

std::string text(const witnesses& w) {
  std::vector<std::string> changes;
  changes.reserve(w.row.changes.size());
  for (const suites::mutation& m : w.row.changes) changes.push_back(text(m));
  if (changes.empty()) changes.emplace_back("-");
  return fmt::format("{} | {} | {} | {} | {}\n", w.row.structure, w.row.name, w.shown ? "shown" : "hidden",
                     fmt::join(changes, ", "), fmt::join(w.programs, " "));
}

constexpr std::string_view heading =
    "# Rows of the kill matrix as stress executables compile them, and the client programs that each is run with.\n"
    "# Written by `licit_stress_rows --file models/machine/stress/rows.txt`. In a line: structure, row, whether the "
    "exhaustive\n"
    "# checker finds the row in each of the programs (shown, hidden), what is changed (site, change, orders on success "
    "and\n"
    "# failure), programs.\n";

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The lines of the structure in the text.
std::string lines_of(const std::string& text, const std::string& structure) {
  std::string all;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size() - 1) + 1;
    const std::string line = text.substr(from, end - from);
    if (line.starts_with(structure + " | ")) all += line;
    from = end;
  }
  return all;
}

int run(int count, char** words) {
  CLI::App app{"Writes which client programs show each row of the kill matrix"};
  std::vector<std::string> named;
  std::string file;
  effort e;
  bool check = false;
  app.add_option("structures", named, "Only compare these structures' rows (with --check)");
  app.add_flag("--check", check, "Write nothing; exit status 2 if a row is not what it would be");
  app.add_option("--file", file, "models/machine/stress/rows.txt")->required();
  app.add_option("--executions", e.executions, "Executions of each row and program, at most");
  CLI11_PARSE(app, count, words);
  const std::string before = text_of(file);
  std::string after(heading);
  for (const suites::structure& s : suites::structures()) {
    if (!named.empty() && std::ranges::count(named, s.name) == 0) continue;
    std::string made;
    for (const witnesses& w : witnesses_of(s, e)) made += text(w);
    if (check && lines_of(before, std::string(s.name)) != made) {
      throw std::runtime_error(fmt::format("{}: the rows of {} are not what licit_stress_rows makes", file, s.name));
    }
    after += made;
  }
  if (check) return 0;
  std::ofstream out(file);
  out << after;
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
  return 0;
}

}  // namespace

}  // namespace licit::stress

int main(int count, char** words) {
  try {
    return licit::stress::run(count, words);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "licit_stress_rows: %s\n", e.what());
    return 2;
  }
}
