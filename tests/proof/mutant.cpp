// Proves a structure of which mutants.py has altered a header, up to the first condition that is open.
//
// usage: proof_mutant STRUCTURE SHIPPED [write]
//
// SHIPPED is a file of the conditions that the shipped source has, as hashes; these are not asked again. `write` proves
// them all and writes that file. Prints what is wrong, or "proved". Exit status: 0 if it has printed that.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "proof/prove.hpp"
#include "proof/structures.hpp"

namespace {

using namespace licit::proof;

std::size_t hash_of(const question& q) { return std::hash<std::string>()(smt_lib(q)); }

/// What keeps the structure from being proved, or nothing.
std::string fault_of(const std::string& structure, const std::set<std::size_t>& shipped_questions, unsigned jobs) {
  const transition_system system = shipped(structure);
  for (const std::string& gap : gaps_of(system, invariants_of(system))) return "a gap: " + gap;
  std::vector<question> questions = questions_of(system, invariants_of(system));
  std::erase_if(questions, [&](const question& q) { return shipped_questions.contains(hash_of(q)); });
  while (!questions.empty()) {
    const std::size_t some = std::min<std::size_t>(jobs, questions.size());
    const std::vector<question> next(questions.begin(), questions.begin() + static_cast<std::ptrdiff_t>(some));
    for (const verdict& v : ask(next, {}, jobs)) {
      if (v.what != answer::proved) return "an open condition: " + v.step + " / " + v.goal;
    }
    questions.erase(questions.begin(), questions.begin() + static_cast<std::ptrdiff_t>(some));
  }
  return "";
}

void write_hashes(const std::string& structure, const std::string& path) {
  const transition_system system = shipped(structure);
  std::ofstream out(path);
  for (const question& q : questions_of(system, invariants_of(system))) out << hash_of(q) << '\n';
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const std::string structure = arguments[1];
  const std::string path = arguments[2];
  const bool first = count == 4 && std::string_view(arguments[3]) == "write";
  try {
    std::set<std::size_t> known;
    if (!first) {
      std::ifstream in(path);
      for (std::size_t each = 0; in >> each;) known.insert(each);
    }
    const std::string fault = fault_of(structure, known, first ? 2 : 1);
    if (first && fault.empty()) write_hashes(structure, path);
    std::puts(fault.empty() ? "proved" : fault.c_str());
  } catch (const std::logic_error& refused) {  // by what runs the source
    std::printf("refused: %s\n", refused.what());
  } catch (const std::exception& e) {
    std::printf("no verdict: %s\n", e.what());
    return 1;
  }
}
