// licit_stress_rows: writes rows.txt, from the catalogue and the exhaustive checker.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include <CLI/CLI.hpp>

#include "machine/matrix/cell.hpp"
#include "machine/matrix/rows.hpp"
#include "suites/structure.hpp"

namespace licit::stress {

namespace {

// Which programs are run on real threads for a row of the kill matrix: those in which the exhaustive checker finds it
// soonest.

struct witnesses {
  matrix::row row;
  bool shown = false;  ///< the checker finds the row in each of the programs
  std::vector<std::string> programs = {};
};

struct effort {
  std::uint64_t executions = 4'000;  ///< of each row and program
  std::size_t programs = 4;          ///< of a row
  std::size_t controls = 6;          ///< the same, of a control with another table
};

using checker::violation;

/// Whether a thread of the machine's could tell: steps are not counted there.
bool native_too(violation kind) { return kind != violation::steps && kind != violation::retries; }

struct sight {
  bool native;
  bool by_language;  ///< by rules of C++20 alone that no machine has: ghosts, release sequences that end
  std::uint64_t executions;
  std::string program;
};

checker::verdict explore(const suites::program& p, const effort& e, bool language) {
  checker::options o;
  o.max_executions = e.executions;
  o.ghosts = language;
  if (!language) o.sequences = checker::release_sequences::cxx11;
  return p.explore(o);
}

std::optional<sight> look(const suites::program& p, const effort& e) {
  const checker::verdict v = explore(p, e, true);
  if (v.outcome != checker::outcome::violation) return std::nullopt;
  const bool by_language = explore(p, e, false).outcome != checker::outcome::violation;
  return sight{native_too(v.kind), by_language, v.executions, std::string(p.about.name)};
}

/// Where the row is seen: as a machine could see it first, of these the soonest.
std::vector<sight> sights_of(const matrix::row& r, const effort& e) {
  const matrix::applied now(r);
  std::vector<sight> all;
  for (const suites::program* p : matrix::programs_of(r)) {
    if (auto seen = look(*p, e)) all.push_back(*seen);
  }
  std::ranges::stable_sort(all, {}, [](const sight& s) { return std::tuple(!s.native, s.by_language, s.executions); });
  return all;
}

/// Whether the checker finds the row in the program within so many executions.
bool shows(const matrix::row& r, const std::string& program, const effort& e) {
  const matrix::applied now(r);
  for (const suites::program* p : matrix::programs_of(r)) {
    if (p->about.name == program) return look(*p, e).has_value();
  }
  return false;
}

/// Little effort finds most; the rest is given all, and so is what no machine could see in what was found.
witnesses find(const matrix::row& r, const effort& e) {
  witnesses w{.row = r};
  if (r.what == matrix::kind::broken) {
    w.programs = {r.program};
    w.shown = shows(r, r.program, e);
    return w;
  }
  if (r.is_control()) return w;
  for (const std::uint64_t executions : {e.executions / 20, e.executions}) {
    w.programs.clear();
    const std::vector<sight> all = sights_of(r, {.executions = executions});
    for (const sight& s : all) w.programs.push_back(s.program);
    if (!all.empty() && all.front().native && !all.front().by_language) break;
  }
  w.shown = !w.programs.empty();
  return w;
}

/// The programs of some row, those of most rows first.
std::vector<std::string> most_used(const std::vector<witnesses>& all, const suites::structure& s) {
  std::map<std::string, std::size_t> uses;
  for (const witnesses& w : all) {
    if (w.row.what == matrix::kind::broken) continue;
    for (const std::string& p : w.programs) ++uses[p];
  }
  std::vector<std::string> names;
  names.reserve(uses.size());
  for (const auto& [name, count] : uses) names.push_back(name);
  if (names.empty()) names.emplace_back(s.programs.front().about.name);
  std::ranges::stable_sort(names, std::greater<>(), [&](const std::string& n) { return uses[n]; });
  return names;
}

bool at_least(order a, order b) {
  const auto acquires = [](order o) { return o == order::acquire || o == order::acq_rel || o == order::seq_cst; };
  const auto releases = [](order o) { return o == order::release || o == order::acq_rel || o == order::seq_cst; };
  return (a == order::seq_cst || b != order::seq_cst) && (acquires(a) || !acquires(b)) && (releases(a) || !releases(b));
}

/// Whether what the first makes wrong the second makes wrong as well, being a weaker order at the same site.
bool milder(const matrix::row& a, const matrix::row& b) {
  const auto weakens = [](const matrix::row& r) {
    return !r.is_control() && r.changes.size() == 1 && r.changes.front().how == suites::change::weaken;
  };
  if (a.name == b.name || !weakens(a) || !weakens(b)) return false;
  const suites::mutation& one = a.changes.front();
  const suites::mutation& other = b.changes.front();
  return one.site == other.site && at_least(one.success, other.success) && at_least(one.failure, other.failure);
}

/// Of the programs of all milder rows and its own the first, then the second, and so on: what shows a milder row needs
/// less luck for this one, where what the checker sees soonest may be rare on a machine.
std::vector<std::string> with_milder(const witnesses& w, const std::vector<witnesses>& all, const effort& e) {
  std::vector<const std::vector<std::string>*> lists;
  for (const witnesses& other : all) {
    if (milder(other.row, w.row)) lists.push_back(&other.programs);
  }
  lists.push_back(&w.programs);
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (names.size() == e.programs || std::ranges::count(names, name) != 0) return;
    if (std::ranges::count(w.programs, name) != 0 || shows(w.row, name, e)) names.push_back(name);
  };
  for (std::size_t place = 0; place != e.programs; ++place) {
    for (const auto* const list : lists) {
      if (place < list->size()) add((*list)[place]);
    }
  }
  return names;
}

/// In the order of the rows. Broken algorithms are their own program; a row that is found nowhere within the effort has
/// the programs that show most others; the correct code has every program of some row, other controls the first few.
/// A function of these: the same again, on any machine. Some seconds for all structures.
std::vector<witnesses> witnesses_of(const suites::structure& s, const effort& e) {
  std::vector<witnesses> all;
  for (const matrix::row& r : matrix::rows_of(s)) all.push_back(find(r, e));
  std::vector<std::vector<std::string>> wider;
  wider.reserve(all.size());
  for (const witnesses& w : all) wider.push_back(w.shown ? with_milder(w, all, e) : w.programs);
  for (std::size_t i = 0; i != all.size(); ++i) all[i].programs = std::move(wider[i]);
  const std::vector<std::string> used = most_used(all, s);
  for (witnesses& w : all) {
    if (!w.programs.empty()) continue;
    const bool correct = w.row.is_control() && w.row.changes.empty();
    const std::size_t most = correct ? used.size() : w.row.is_control() ? e.controls : e.programs;
    w.programs.assign(used.begin(), used.begin() + static_cast<std::ptrdiff_t>(std::min(used.size(), most)));
  }
  return all;
}

// As text.

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
