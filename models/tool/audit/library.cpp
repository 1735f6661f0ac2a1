
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include <licit/digest.hpp>
#include <licit/scheduler/metrics/metrics_orders.hpp>

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

/// Whether the members that an archive's index of symbols names begin within so many bytes. Its numbers are big-endian.
bool index_is_within(std::string_view index, std::size_t size) {
  const auto number = [&](std::size_t i) {
    std::size_t n = 0;
    for (const char c : index.substr(4 * i, 4)) n = (n << 8U) | static_cast<unsigned char>(c);
    return n;
  };
  const std::size_t symbols = number(0);
  if (index.size() / 4 <= symbols) return false;
  for (std::size_t i = 1; i <= symbols; ++i) {
    if (number(i) >= size) return false;
  }
  return true;
}

/// Notes the members' names. Why the bytes are no whole archive of ar's; empty if they are one.
std::string note_members(archive& a, std::string_view bytes) {
  constexpr std::string_view magic = "!<arch>\n";
  constexpr std::size_t header = 60;
  std::string_view long_names;
  for (std::size_t at = magic.size(); at < bytes.size();) {
    if (bytes.size() - at < header || bytes.substr(at + 58, 2) != "`\n") return "it is cut off";
    std::string_view name = bytes.substr(at, 16);
    std::size_t size = 0;
    const char* const digits = bytes.data() + at + 48;
    if (std::from_chars(digits, digits + 10, size).ec != std::errc{}) return "it is cut off";
    at += header;
    if (size > bytes.size() - at) return "it is cut off";
    name = name.substr(0, name.find_last_not_of(' ') + 1);
    if (name == "/" && !index_is_within(bytes.substr(at, size), bytes.size())) return "it is cut off";
    if (name == "//") long_names = bytes.substr(at, size);
    std::size_t offset = 0;
    if (name.starts_with('/') &&
        std::from_chars(name.data() + 1, name.data() + name.size(), offset).ec == std::errc{} &&
        offset < long_names.size()) {
      name = long_names.substr(offset);
    }
    a.members.emplace(name.substr(0, name.find('/')));
    at += size + size % 2;
  }
  return "";
}

/// The number at a place of a file for this machine.
template <class Number>
std::uint64_t number_at(std::string_view bytes, std::size_t place) {
  Number n{};
  if (place <= bytes.size() && sizeof n <= bytes.size() - place) std::memcpy(&n, bytes.data() + place, sizeof n);
  return n;
}

/// Why the bytes, of ELF, are no whole shared library; empty if they are one.
std::string why_not_shared(std::string_view bytes) {
  constexpr std::uint64_t shared = 3;
  constexpr std::uint64_t interpreter = 3;
  if (bytes.size() < 64 || bytes[4] != 2) return "it is no whole file of 64-bit ELF";
  if (number_at<std::uint16_t>(bytes, 16) != shared) return "it is neither an archive nor a shared library";
  const std::uint64_t sections = number_at<std::uint64_t>(bytes, 40);
  const std::uint64_t size = number_at<std::uint16_t>(bytes, 58) * number_at<std::uint16_t>(bytes, 60);
  if (sections > bytes.size() || size > bytes.size() - sections) return "it is cut off";
  const std::uint64_t segments = number_at<std::uint64_t>(bytes, 32);
  for (std::uint64_t i = 0; i != number_at<std::uint16_t>(bytes, 56); ++i) {
    const std::uint64_t segment = segments + i * number_at<std::uint16_t>(bytes, 54);
    if (number_at<std::uint32_t>(bytes, segment) == interpreter) return "it is a program, not a library";
  }
  return "";
}

/// Why the bytes are no library; empty if they are one. Notes an archive's members.
std::string why_no_library(archive& a, std::string_view bytes) {
  if (bytes.starts_with("!<thin>\n")) return "it is a thin archive, which has only the names of its objects";
  if (bytes.starts_with("!<arch>\n")) return note_members(a, bytes);
  if (bytes.starts_with("\177ELF")) return why_not_shared(bytes);
  return "it is neither an archive nor a shared library";
}

void note(archive& a, std::map<std::string, std::string>& in, const std::string& name, const std::string& words) {
  const auto [known, is_new] = in.emplace(name, words);
  if (!is_new && known->second != words)
    a.wrong = fmt::format("it says of {} both {} and {}", name, known->second, words);
}

/// "NAME DIGEST".
void note_file(archive& a, const std::string& words) {
  std::istringstream parts(words);
  std::string name;
  std::string digest;
  parts >> name >> digest;
  note(a, a.files, name, digest);
}

/// "STRUCTURE SITE SUCCESS FAILURE".
void note_row(archive& a, const std::string& words) {
  std::istringstream parts(words);
  std::string structure;
  std::string site;
  std::string success;
  std::string failure;
  parts >> structure >> site >> success >> failure;
  note(a, a.rows, structure + " " + site, orders_text(success, failure));
}

/// What this command was built from.
archive own_archive() {
  archive a{.digests = {std::string(header_digest)}};
  for (const std::string_view line : detail::marked_files) note_file(a, std::string(line.substr(line.find(' ') + 1)));
  const auto note_rows = [&](std::string_view structure, const auto& rows) {
    for (const licit::row& r : rows) {
      a.rows[fmt::format("{} {}", structure, r.site)] =
          orders_text(licit::detail::name(r.success), licit::detail::name(r.failure));
    }
  };
  for (const suites::structure& s : suites::structures()) note_rows(s.name, s.audited.rows);
  note_rows(metrics_orders.structure, metrics_orders.rows);  // of which there is no suite
  return a;
}

/// Prints what is not the same in both, orders with their names; whether everything is.
bool print_differences(const std::map<std::string, std::string>& library, const std::map<std::string, std::string>& own,
                       bool orders) {
  bool same = true;
  const auto differ = [&](const std::string& name, const std::string& how) {
    fmt::print("  {}: {}\n", name, how);
    same = false;
  };
  for (const auto& [name, words] : own) {
    const auto found = library.find(name);
    if (found == library.end()) {
      differ(name, "not in the library");
    } else if (found->second != words) {
      differ(name, orders ? fmt::format("{} in the library, {} here", found->second, words) : "differs");
    }
  }
  for (const auto& [name, words] : library) {
    if (!own.contains(name)) differ(name, "only in the library");
  }
  return same;
}

/// Whether there is no difference.
bool print_differences(const archive& library, const archive& own) {
  bool same = print_differences(library.files, own.files, false);
  same = print_differences(library.rows, own.rows, true) && same;
  for (const auto& [name, digest] : own.files) {
    const std::string file = name.substr(name.rfind('/') + 1);
    if (!file.ends_with(".cpp") || library.members.empty() || library.members.contains(file + ".o")) continue;
    fmt::print("  {}.o: not in the library\n", file);
    same = false;
  }
  return same;
}

/// Of each structure that has a proof, whether it is of these sources: the questions are the recorded ones. Whether all
/// are.
bool print_proofs() {
  bool all = true;
  for (const proof::with_proof& p : proof::structures_with_proof) {
    const proof::transition_system system = proof::shipped(p.structure);
    proof::state variables = proof::state_of(system);
    const proof::invariants file = proof::read_invariants(proof::invariants_of(system), system, variables);
    const bool proved = recorded_as_proved(file, system, proof::questions_of(system, proof::invariants_of(system)));
    fmt::print("  {}: {} for any number of {}threads and operations\n", p.structure, proved ? "proved" : "not proved",
               system.wake_up ? "other " : "");
    all = all && proved;
  }
  return all;
}

}  // namespace

archive read_archive(const std::string& file) {
  std::error_code none;
  if (std::filesystem::exists(file, none) && !std::filesystem::is_regular_file(file, none) &&
      !std::filesystem::is_directory(file, none)) {
    throw std::runtime_error("cannot read " + file + ": it is no regular file");  // it might have no end
  }
  const std::string bytes = read_file(file);
  archive a;
  a.wrong = why_no_library(a, bytes);
  if (!a.wrong.empty()) return a;
  each_marked(bytes, "licit-digest ", [&](const std::string& words) { a.digests.insert(words); });
  each_marked(bytes, "licit-file ", [&](const std::string& words) { note_file(a, words); });
  each_marked(bytes, "licit-row ", [&](const std::string& words) { note_row(a, words); });
  const bool lto = bytes.find(".gnu.lto_") != std::string::npos || bytes.find("BC\xC0\xDE") != std::string::npos;
  if (a.digests.empty())
    a.wrong = lto ? "its objects are for link-time optimisation: they show no digest" : "it carries no digest";
  if (a.digests.size() > 1) a.wrong = "it carries more than one digest";
  return a;
}

bool print_record(const json& record) {
  bool right = true;
  for (const suites::structure& of : suites::structures()) {
    const auto [s, why_none] = whole_audit_of(record, of.audited);
    if (!why_none.empty()) {
      fmt::print("  {}: not audited as it is now ({})\n", of.name, why_none);
      right = false;
      continue;
    }
    const json& rule = s["rules"][0];
    const std::size_t open = count(rule, "not needed by these programs");
    const std::string more = open == 0 ? "" : fmt::format(", {} not needed", open);
    const bool enough = rule["verdict"] == "ok" && s["rules"][1]["verdict"] == "ok";
    fmt::print("  {}: {} rows needed{}, and {} for {} programs, {} executions\n", of.name, count(rule, "needed"), more,
               enough ? "enough" : "not enough", rule["programs"].size(), rule["executions"].get<std::uint64_t>());
    right = right && enough && open == 0;
  }
  return right;
}

int compare_library(const std::string& file) {
  const archive library = read_archive(file);
  const archive own = own_archive();
  if (!library.wrong.empty()) {
    fmt::print("{}: not verified: {}\n", file, library.wrong);
    return violated;
  }
  if (library.digests != own.digests) {
    fmt::print("{}: differs: its digest is {}, this command's {}\n", file, *library.digests.begin(), header_digest);
    print_differences(library, own);
    return violated;
  }
  if (!print_differences(library, own)) {
    fmt::print("{}: not verified: its digest is this command's, but these parts differ\n", file);
    return violated;
  }
  fmt::print("{}: built from the sources of this command ({}); the recorded audit of them:\n", file, header_digest);
  const bool audited = print_record(own_record());
  const bool proved = print_proofs();
  if (!audited || !proved) {
    fmt::print("{}: not verified\n", file);
    return violated;
  }
  fmt::print(
      "{}: verified: it was built from what was audited, the structures above. No audit covers the code around\n"
      "them: handles, the C API, system calls. The sources of that code are this command's.\n",
      file);
  return as_expected;
}

}  // namespace licit::tool
