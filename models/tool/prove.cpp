// `licit prove`: a proof for any number of threads and operations (models/proof/README.md).
#include "proof/prove.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "arguments.hpp"
#include "proof/structures.hpp"
#include "report.hpp"
#include "rows.hpp"
#include "suites/structure.hpp"

namespace licit::tool {

namespace {

struct attempt {
  bool recorded = false;  ///< that these questions were proved
  proof::invariants file;
  std::vector<proof::verdict> verdicts;
  double seconds = 0;

  [[nodiscard]] std::vector<proof::verdict> open() const {
    std::vector<proof::verdict> out;
    std::ranges::copy_if(verdicts, std::back_inserter(out),
                         [](const auto& v) { return v.what != proof::answer::proved; });
    return out;
  }
};

bool is_question(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  return file.extension() == ".smt2" && !stem.empty() &&
         std::ranges::all_of(stem, [](char c) { return c >= '0' && c <= '9'; });
}

/// Instead of what an earlier run has left there.
void write(const std::filesystem::path& folder, const std::vector<proof::question>& questions) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw std::runtime_error(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  std::vector<std::filesystem::path> old;
  for (const auto& each : std::filesystem::directory_iterator(folder)) {
    if (is_question(each.path())) old.push_back(each.path());
  }
  for (const auto& each : old) std::filesystem::remove(each);
  std::size_t number = 0;
  for (const proof::question& q : questions) {
    const auto path = folder / fmt::format("{:03}.smt2", number++);
    std::ofstream out(path);
    out << proof::smt_lib(q);
    if (!out.flush()) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
  }
}

/// A name without what a path gives a meaning to.
std::string folder_of(std::string name) {
  std::ranges::replace_if(name, [](char c) { return c == '/' || c == ' '; }, '-');
  return name;
}

/// `mutant`: its name; empty: the structure as it is. `step`: the one of which something is asked; empty: all.
attempt tried(const proof::transition_system& system, const prove_options& o, const std::string& mutant = {},
              const std::string& step = {}) {
  attempt a;
  proof::state variables = proof::state_of(system);
  a.file = proof::read_invariants(proof::invariants_of(system), system, variables);
  auto questions = proof::questions_of(system, proof::invariants_of(system));
  a.recorded = proof::recorded_as_proved(a.file, system, questions);
  if (!o.smt.empty()) {
    const auto folder = std::filesystem::path(o.smt) / system.structure;
    write(mutant.empty() ? folder : folder / folder_of(mutant), questions);
  }
  if (!step.empty()) std::erase_if(questions, [&](const proof::question& q) { return q.step != step; });
  const auto begun = std::chrono::steady_clock::now();
  const unsigned jobs = processes(o.jobs);
  a.verdicts = proof::ask(questions, {.name = o.solver, .seed = o.seed, .cores = o.needs}, jobs);
  a.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return a;
}

/// The steps at which the invariant had to be proved, and at how many of them it was not.
void print_invariants(const attempt& a) {
  std::map<std::string, std::pair<int, int>> of;
  for (const auto& v : a.verdicts) {
    auto& [all, open] = of[v.goal];
    ++all;
    if (v.what != proof::answer::proved) ++open;
  }
  for (const auto& i : a.file.all) {
    const auto [all, open] = of[i.name];
    fmt::print("{:>4}  {}  {}\n", i.name,
               open == 0 ? fmt::format("proved at {:2} steps", all) : fmt::format("OPEN at {} of {}", open, all),
               i.prose);
  }
  for (const auto& [goal, name] :
       {std::pair("once", "No item is taken twice."), std::pair("item", "What is taken was pushed."),
        std::pair("overwrite", "A thread that took an item has read its slot before the slot is written again."),
        std::pair("counter", "Each claim adds to top what it takes."),
        std::pair("pushed", "A push has stored its item and published it, or handed it over, once."),
        std::pair("reserved", "An overflow hands over no more than what memory was reserved for."),
        std::pair("room", "A thief of half has room for each item that it brings home."),
        std::pair("moved", "A theft of half says how many items it has brought home."),
        std::pair("posted", "A post puts its item into the inbox, once."),
        std::pair("batch", "A batch is published from the old tail on."),
        std::pair("copied", "All that is published was copied to its place."),
        std::pair("ring", "Each growth publishes the next ring."),
        std::pair("race", "A thief that looks into a ring knows how it was made."), std::pair("I1", "README's I1."),
        std::pair("I2", "README's I2."), std::pair("I10", "README's I10."),
        std::pair("I53", "I53 of the idle set's page: a worker parks only when its bit is clear."),
        std::pair("I54", "I54: a worker that ends a search, or parks as a searcher, is counted as one.")}) {
    const auto [all, open] = of[goal];
    if (all == 0) continue;
    fmt::print("      {}  {}\n",
               open == 0 ? fmt::format("proved at {:2} steps", all) : fmt::format("OPEN at {} of {}", open, all), name);
  }
  for (const auto& m : a.file.musts) {
    const auto [all, open] = of[m.prose];
    fmt::print("      {}  {}\n", open == 0 && all != 0 ? "proved at its step " : "OPEN               ", m.prose);
  }
  for (const auto& each : a.file.always) {
    fmt::print("      {}  {}\n", of[each.prose].second == 0 ? "follows            " : "OPEN               ",
               each.prose);
  }
}

void print_open(const attempt& a) {
  for (const auto& v : a.open()) {
    fmt::print("  open: {} / {}{}\n", v.step, v.goal, v.what == proof::answer::refuted ? " (refuted)" : "");
  }
}

/// For each invariant the sites at whose steps another condition needs it.
void print_needs(const attempt& a) {
  for (const auto& i : a.file.all) {
    std::set<std::string> sites;
    for (const auto& v : a.verdicts) {
      if (v.goal != i.name && v.uses.contains(i.name)) sites.insert(v.step.substr(0, v.step.find(" > ")));
    }
    fmt::print("| {} | {} |\n", i.name, fmt::join(sites, ", "));
  }
}

/// A row for each condition. `mutant` as in `tried`.
void add_rows(nlohmann::ordered_json& rows, const std::string& structure, const attempt& a, const prove_options& o,
              const std::string& mutant = {}) {
  for (const auto& v : a.verdicts) {
    const char* verdict = v.what == proof::answer::proved    ? "proved"
                          : v.what == proof::answer::refuted ? "refuted"
                                                             : "unknown";
    nlohmann::ordered_json row{{"structure", structure}, {"solver", o.solver},  {"seed", o.seed},
                               {"step", v.step},         {"condition", v.goal}, {"verdict", verdict}};
    if (!mutant.empty()) row["mutant"] = mutant;
    if (o.needs) row["needs"] = v.uses;
    rows.push_back(std::move(row));
  }
}

/// Throws std::runtime_error if the file asks less than it seems to.
void require_no_gaps(const proof::transition_system& system) {
  const auto gaps = proof::gaps_of(system, proof::invariants_of(system));
  if (!gaps.empty()) throw std::runtime_error(fmt::format("{}", fmt::join(gaps, "\n")));
}

int prove_one(const proof::with_proof& p, const prove_options& o, nlohmann::ordered_json& rows) {
  const proof::transition_system system = proof::shipped(p.structure);
  require_no_gaps(system);
  const attempt a = tried(system, o);
  add_rows(rows, p.structure, a, o);
  if (o.needs) {
    print_needs(a);
    return a.open().empty() ? as_expected : violated;
  }
  if (!o.structure.empty()) print_invariants(a);
  print_open(a);
  const bool proved = a.open().empty();
  fmt::print("{}: {} of {} conditions proved by {} in {:.1f} s{}\n", p.structure, a.verdicts.size() - a.open().size(),
             a.verdicts.size(), o.solver, a.seconds, a.recorded ? "" : "; other conditions than the recorded ones");
  if (proved && !a.recorded) fmt::print("The words of this theorem were written for other conditions:\n");
  if (proved) fmt::print("{}\n", p.theorem);
  return proved ? as_expected : violated;
}

/// What the file of invariants has of the mutant, or nothing.
std::optional<proof::invariants::record> record_of(const proof::transition_system& system, const std::string& mutant) {
  proof::state variables = proof::state_of(system);
  const proof::invariants file = proof::read_invariants(proof::invariants_of(system), system, variables);
  const auto found = std::ranges::find(file.mutants, mutant, &proof::invariants::record::mutant);
  if (found == file.mutants.end()) return std::nullopt;
  return *found;
}

/// Whether it comes out as recorded. Of several mutants, only the recorded step is asked about.
bool mutant_as_recorded(const std::string& name, const proof::transition_system& system, const prove_options& o,
                        const std::string& right_system, nlohmann::ordered_json& rows) {
  if (text(system) == right_system) {
    fmt::print("{:<28} CHANGES NOTHING in the system\n", name);
    return false;
  }
  const auto record = record_of(system, name);
  const attempt a = tried(system, o, name, o.mutants && record ? record->step : "");
  add_rows(rows, system.structure, a, o, name);
  const auto open = a.open();
  if (!record) {
    fmt::print("{:<28} NOT RECORDED: {} conditions open\n", name, open.size());
    if (!o.mutant.empty()) print_open(a);
    return false;
  }
  const bool wanted =
      record->right.empty()
          ? std::ranges::any_of(open, [&](const auto& v) { return v.step == record->step && v.goal == record->goal; })
          : open.empty();
  if (!record->right.empty()) {
    fmt::print("{:<28} {}: {}\n", name, wanted ? "proves" : "FAILS, recorded as right", record->right);
  } else {
    fmt::print("{:<28} {} open{}, {}recorded: {} / {}\n", name, open.size(), o.mutants ? " there" : "",
               wanted ? "" : "NOT THE ", record->step, record->goal);
  }
  if (!o.mutant.empty()) print_open(a);
  if (!record->right.empty()) require_no_gaps(system);  // it proves what the shipped one does
  return wanted;
}

/// The systems of a structure's mutants. Those of the wake-up protocol are of several tables and of rules.
std::vector<proof::altered_system> mutants_of(const std::string& structure) {
  if (structure == "wake-up") return proof::wake_up_mutants();
  const auto all = suites::structures();
  const auto found = std::ranges::find(all, structure, &suites::structure::name);
  if (found == all.end()) throw std::runtime_error(fmt::format("there is no structure '{}'", structure));
  std::vector<proof::altered_system> out;
  for (const suites::mutant& m : found->mutants) {
    out.push_back({std::string(m.name), [s = *found, m] {
                     s.apply(m.what);
                     proof::transition_system made = proof::shipped(std::string(s.name));
                     s.reset();
                     return made;
                   }});
  }
  return out;
}

/// Before anything is proved.
void expect_mutant(const prove_options& o) {
  for (const std::string& structure : proved_names()) {
    if (!o.structure.empty() && o.structure != structure) continue;
    if (std::ranges::any_of(mutants_of(structure), [&](const auto& m) { return m.name == o.mutant; })) return;
  }
  throw std::runtime_error(fmt::format("there is no mutant '{}'", o.mutant));
}

/// Whether all that are asked for come out as recorded.
int prove_mutants(const std::string& structure, const prove_options& o, nlohmann::ordered_json& rows) {
  const proof::transition_system shipped = proof::shipped(structure);
  require_no_gaps(shipped);
  const std::string right = text(shipped);
  bool good = true;
  for (const proof::altered_system& m : mutants_of(structure)) {
    if (!o.mutant.empty() && m.name != o.mutant) continue;
    good = mutant_as_recorded(m.name, m.system(), o, right, rows) && good;
  }
  return good ? as_expected : violated;
}

/// Those with the mutant that is asked for, or the structure as it is.
void print_steps(const std::string& structure, const prove_options& o) {
  if (o.mutant.empty()) return fmt::print("{}", text(proof::shipped(structure)));
  for (const proof::altered_system& m : mutants_of(structure)) {
    if (m.name == o.mutant) fmt::print("{}", text(m.system()));
  }
}

}  // namespace

std::vector<std::string> proved_names() {
  std::vector<std::string> names;
  names.reserve(std::size(proof::structures_with_proof));
  for (const proof::with_proof& each : proof::structures_with_proof) names.emplace_back(each.structure);
  return names;
}

int prove(const prove_options& o) {
  if (o.needs && o.solver != "z3") throw std::runtime_error("--needs takes the unsat cores of z3, not of " + o.solver);
  bool good = true;
  if (!o.mutant.empty()) expect_mutant(o);
  auto rows = nlohmann::ordered_json::array();
  for (const proof::with_proof& p : proof::structures_with_proof) {
    if (!o.structure.empty() && o.structure != p.structure) continue;
    if (o.steps) {
      print_steps(p.structure, o);
    } else if (!o.mutant.empty() || o.mutants) {
      fmt::print("{}\n", p.structure);
      good = prove_mutants(p.structure, o, rows) == as_expected && good;
    } else {
      good = prove_one(p, o, rows) == as_expected && good;
    }
  }
  if (!o.json.empty()) write_json(o.json, rows);
  if (!o.steps && !o.needs) fmt::print("Trusted, and not covered: models/proof/README.md\n");
  return good ? as_expected : violated;
}

}  // namespace licit::tool
