#include "audit/library.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <sstream>
#include <string_view>

#include <licit/digest.hpp>

#include "audit/findings.hpp"
#include "marked_files.hpp"
#include "proof/prove.hpp"
#include "proof/structures.hpp"
#include "report.hpp"
#include "suites/structure.hpp"

namespace licit::tool {

namespace {

/// Calls `each` with the words after every occurrence of the mark, up to a character that is not printed.
template <class Each>
void each_marked(std::string_view bytes, std::string_view mark, Each each) {
  for (std::size_t at = bytes.find(mark); at != std::string_view::npos; at = bytes.find(mark, at)) {
    at += mark.size();
    std::size_t end = at;
    while (end != bytes.size() && bytes[end] >= ' ') ++end;
    each(std::string(bytes.substr(at, end - at)));
  }
}

/// "NAME DIGEST".
void note_file(archive& a, const std::string& words) {
  std::istringstream parts(words);
  std::string name;
  std::string digest;
  parts >> name >> digest;
  a.files[name] = digest;
}

/// What this command was built from.
archive own_archive() {
  archive a{.digest = std::string(header_digest)};
  for (const std::string_view line : detail::marked_files) note_file(a, std::string(line.substr(line.find(' ') + 1)));
  for (const suites::structure& s : suites::structures()) {
    for (const row& r : s.audited.rows) {
      a.rows[s.audited.name + " " + std::string(r.site)] =
          orders_text(licit::detail::name(r.success), licit::detail::name(r.failure));
    }
  }
  return a;
}

void print_differences(const archive& library, const archive& own) {
  for (const auto& [name, digest] : own.files) {
    const auto found = library.files.find(name);
    if (found == library.files.end()) fmt::print("  {}: not in the library\n", name);
    if (found != library.files.end() && found->second != digest) fmt::print("  {}: differs\n", name);
  }
  for (const auto& [name, digest] : library.files) {
    if (!own.files.contains(name)) fmt::print("  {}: only in the library\n", name);
  }
  for (const auto& [site, orders] : own.rows) {
    const auto found = library.rows.find(site);
    if (found != library.rows.end() && found->second != orders) {
      fmt::print("  {}: {} in the library, {} here\n", site, found->second, orders);
    }
  }
}

/// What the record's audit under C++20 says of a structure, as words, if that is all that it should say; empty
/// otherwise.
std::string audited(const json& entry) {
  const json& rule = entry["rules"][0];
  if (!is_complete(entry) || rule["verdict"] != "ok" || count(rule, "not needed by these programs") != 0) return {};
  return fmt::format("{} rows needed, and enough for {} programs, {} executions", count(rule, "needed"),
                     rule["programs"].size(), rule["executions"].get<std::uint64_t>());
}

/// What the recorded audit says of each structure; whether it is complete, of each as it is now, and whether every row
/// is needed and enough.
bool print_record() {
  const json record = own_record();
  bool current = true;
  for (const suites::structure& s : suites::structures()) {
    const auto same = [&](const json& entry) { return entry["structure"] == s.name; };
    const auto entry = std::ranges::find_if(record["structures"], same);
    std::string says = "not audited";
    bool good = false;
    if (entry != record["structures"].end()) {
      says = fmt::format("not audited as it is now (audited on {})", (*entry)["date"].get<std::string>());
      if ((*entry)["digest"] == digest_of(s.name)) {
        const std::string words = audited(*entry);
        good = !words.empty();
        says = good ? words : "audited, with rows that are not needed or not known";
      }
    }
    current = current && good;
    fmt::print("  {}: {}\n", s.name, says);
  }
  return current;
}

/// Of each structure that has a proof, whether it is of these sources: the questions are the recorded ones.
void print_proofs() {
  for (const proof::with_proof& p : proof::structures_with_proof) {
    const proof::transition_system system = proof::shipped(p.structure);
    proof::state variables = proof::state_of(system);
    const proof::invariants file = proof::read_invariants(proof::invariants_of(system), system, variables);
    const bool proved = recorded_as_proved(file, system, proof::questions_of(system, proof::invariants_of(system)));
    fmt::print("  {}: {} for any number of {}threads and operations\n", p.structure, proved ? "proved" : "not proved",
               system.wake_up ? "other " : "");
  }
}

}  // namespace

bool is_complete(const json& structure) {
  const auto all = suites::structures();
  const auto of = std::ranges::find(all, structure["structure"], &suites::structure::name);
  if (of == all.end() || structure["rules"].size() != 2) return false;  // both rules of release sequences
  return std::ranges::all_of(structure["rules"], [&](const json& rule) {
    return rule["rows"].size() == of->audited.rows.size() && !rule["programs"].empty() && rule["verdict"] != "limit" &&
           count(rule, "not known") == 0;
  });
}

archive read_archive(const std::string& file) {
  const std::string bytes = read_file(file);
  archive a;
  each_marked(bytes, "licit-digest ", [&](const std::string& words) { a.digest = words; });
  each_marked(bytes, "licit-file ", [&](const std::string& words) { note_file(a, words); });
  each_marked(bytes, "licit-row ", [&](const std::string& words) {
    std::istringstream parts(words);
    std::string structure;
    std::string site;
    std::string success;
    std::string failure;
    parts >> structure >> site >> success >> failure;
    a.rows[structure + " " + site] = orders_text(success, failure);
  });
  return a;
}

int compare_library(const std::string& file) {
  const archive library = read_archive(file);
  const archive own = own_archive();
  if (library.digest.empty()) {
    fmt::print("{}: not verified: it carries no digest\n", file);
    return violated;
  }
  if (library.digest != own.digest) {
    fmt::print("{}: differs: its digest is {}, this command's {}\n", file, library.digest, own.digest);
    print_differences(library, own);
    return violated;
  }
  fmt::print("{}: built from the sources of this command ({}); the recorded audit of them:\n", file, own.digest);
  const bool current = print_record();
  print_proofs();
  fmt::print("{}: {}\n", file, current ? "verified: it was built from what was audited" : "not verified");
  return current ? as_expected : violated;
}

}  // namespace licit::tool
