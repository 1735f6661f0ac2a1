#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <stdexcept>
#include <vector>

#include <licit/deque/version.hpp>

#include "audit/findings.hpp"
#include "audit_record.hpp"
#include "suites/structure.hpp"

namespace licit::tool {

namespace {

constexpr std::string_view head =
    "# The recorded audit of the memory orderings, made by `make audit`; deque/audit.md shows it as tables.\n"
    "# The execution behind a line is made again by: licit audit --structure STRUCTURE --site SITE --html FILE\n"
    "licit audit record 1\n";
constexpr std::array<const char*, 2> rule_names{"c++20", "c++11"};

std::string weaker_text(const json& w) {
  const std::string to = orders_text(w["success"].get<std::string>(), w["failure"].get<std::string>());
  if (w["verdict"] == "ok") return fmt::format("{}: ok in {}", to, w["executions"].get<std::uint64_t>());
  if (w["verdict"] == "limit") return fmt::format("{}: limit in {}", to, w["program"].get<std::string>());
  return fmt::format("{}: {} in {}{}", to, w["kind"].get<std::string>(), w["program"].get<std::string>(),
                     w.contains("ghost_only") ? " by a ghost" : "");
}

/// What a rule finds of a row.
std::string finding_text(const json& row) {
  std::string text = row["need"].get<std::string>();
  std::string separator = " | ";
  for (const json& w : row["weaker"]) {
    text += separator + weaker_text(w);
    separator = "; ";
  }
  return text;
}

std::string programs_text(const json& rules) {
  std::string text;
  for (const auto& [program, executions] : rules[0]["programs"].items()) {
    text += fmt::format("program {} | {} | {}\n", program, executions.get<std::uint64_t>(),
                        rules[1]["programs"][program].get<std::uint64_t>());
  }
  return text;
}

std::string rows_text(const json& rules) {
  std::string text;
  for (std::size_t i = 0; i != rules[0]["rows"].size(); ++i) {
    const json& row = rules[0]["rows"][i];
    const json& other = rules[1]["rows"][i];
    const std::string site = row["site"].get<std::string>();
    text += fmt::format("row {} | {} | {} | {}\n", site, row["operation"].get<std::string>(),
                        orders_text(row["success"].get<std::string>(), row["failure"].get<std::string>()),
                        finding_text(row));
    if (finding_text(other) != finding_text(row)) text += fmt::format("c++11 row {} | {}\n", site, finding_text(other));
  }
  return text;
}

/// Where a table differs from the one in use.
std::string minimum_text(const json& table, const json& rows) {
  std::string text;
  for (const json& row : rows) {
    const std::string site = row["site"].get<std::string>();
    const std::string now = orders_text(row["success"].get<std::string>(), row["failure"].get<std::string>());
    const std::string then = table["orders"].contains(site) ? table["orders"][site].get<std::string>() : "relaxed";
    if (now != then) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", site, then);
  }
  return text.empty() ? "as in use" : text;
}

std::string minima_text(const json& minima, const json& rows) {
  std::string text =
      fmt::format("minima | {} | {} | {} | {}\n",
                  minima["searched"].get<bool>() ? (minima["all"].get<bool>() ? "all" : "some") : "not searched",
                  minima["each"].get<std::uint64_t>(), minima["ordered"].get<std::uint64_t>(),
                  minima["examined"].get<std::uint64_t>());
  for (const json& table : minima["tables"]) text += "minimum | " + minimum_text(table, rows) + "\n";
  return text;
}

/// Reads a record line by line.
class reader {
 public:
  reader(std::string_view text, const std::string& file) : text_{text}, file_{file} {}

  json read() {
    json findings{{"version", library_version()}, {"structures", json::array()}};
    structures_ = &findings["structures"];
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      std::string_view one = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++number_;
      if (!one.empty() && one[0] != '#') take(one);
    }
    if (!begun_) fail("is no audit record");
    return findings;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("{}: line {} {}", file_, number_, what));
  }

  static std::vector<std::string> split(std::string_view text, std::string_view by) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at != std::string_view::npos;) {
      const std::size_t end = text.find(by, at);
      parts.emplace_back(text.substr(at, end - at));
      at = end == std::string_view::npos ? end : end + by.size();
    }
    return parts;
  }
  static bool take_prefix(std::string& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.erase(0, prefix.size());
    return true;
  }
  [[nodiscard]] std::uint64_t number(std::string_view text) const {
    std::uint64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc{} || end != text.data() + text.size()) fail(fmt::format("has '{}' for a number", text));
    return n;
  }
  [[nodiscard]] std::pair<std::string, std::string> orders(const std::string& text) const {
    const std::vector<std::string> parts = split(text, "/");
    constexpr std::array known{"relaxed", "acquire", "release", "acq_rel", "seq_cst"};
    for (const std::string& part : parts) {
      if (parts.size() > 2 || std::ranges::find(known, part) == known.end()) fail("has the order '" + text + "'");
    }
    return {parts[0], parts.size() == 2 ? parts[1] : "relaxed"};
  }

  void take(std::string_view text) {
    std::vector<std::string> parts = split(text, " | ");
    if (!begun_) {
      if (text != "licit audit record 1") fail("should be 'licit audit record 1'");
      begun_ = true;
      return;
    }
    std::string& first = parts[0];
    if (take_prefix(first, "structure ")) return take_structure(parts);
    if (structures_->empty()) fail("stands before the first structure");
    json& s = structures_->back();
    if (first == "c++20" || first == "c++11") return take_rule(parts);
    if (s["rules"].size() != rule_names.size()) fail("stands before the rules of its structure");
    if (take_prefix(first, "program ")) return take_program(parts);
    if (take_prefix(first, "row ")) return take_row(parts);
    if (take_prefix(first, "c++11 row ")) return take_cxx11_row(parts);
    if (first == "minima") return take_minima(parts);
    if (first == "minimum") return take_minimum(parts);
    fail(fmt::format("begins with '{}'", first));
  }
  void need(const std::vector<std::string>& parts, std::size_t least, std::size_t most) const {
    if (parts.size() < least || parts.size() > most) fail(fmt::format("has {} parts", parts.size()));
  }

  void take_structure(const std::vector<std::string>& parts) {
    need(parts, 4, 4);
    structures_->push_back({{"structure", parts[0]},
                            {"digest", parts[1]},
                            {"date", parts[2]},
                            {"compiler", parts[3]},
                            {"rules", json::array()}});
  }
  void take_rule(const std::vector<std::string>& parts) {
    need(parts, 3, 4);
    json& rules = structures_->back()["rules"];
    if (rules.size() == rule_names.size() || parts[0] != rule_names[rules.size()]) fail("is not of the next rule");
    if (!outcome_named(parts[1])) fail("has the verdict '" + parts[1] + "'");
    rules.push_back({{"release_sequences", parts[0]},
                     {"verdict", parts[1]},
                     {"programs", json::object()},
                     {"executions", number(parts[2])},
                     {"rows", json::array()}});
    if (parts.size() == 4) rules.back()["message"] = parts[3];
  }
  void take_program(const std::vector<std::string>& parts) {
    need(parts, 3, 3);
    for (std::size_t r = 0; r != rule_names.size(); ++r) {
      structures_->back()["rules"][r]["programs"][parts[0]] = number(parts[r + 1]);
    }
  }
  [[nodiscard]] json weaker(const std::string& text) const {
    const std::size_t colon = text.find(": ");
    const std::size_t in = text.rfind(" in ");
    if (colon == std::string::npos || in == std::string::npos || in < colon) fail("has the finding '" + text + "'");
    const auto [success, failure] = orders(text.substr(0, colon));
    const std::string what = in > colon + 2 ? text.substr(colon + 2, in - colon - 2) : "";
    std::string where = text.substr(in + 4);
    json w{{"success", success}, {"failure", failure}};
    if (what == "ok") {
      w["verdict"] = what;
      w["executions"] = number(where);
      return w;
    }
    w["verdict"] = what == "limit" ? "limit" : "violation";
    constexpr std::string_view ghost = " by a ghost";
    const bool by_ghost = where.ends_with(ghost);
    if (by_ghost) where.resize(where.size() - ghost.size());
    w["program"] = where;
    if (what != "limit") w["kind"] = what;
    if (by_ghost) w["ghost_only"] = true;
    return w;
  }
  void take_finding(json& row, const std::vector<std::string>& parts, std::size_t at) const {
    row["need"] = parts[at];
    row["weaker"] = json::array();
    if (parts.size() > at + 1) {
      for (const std::string& one : split(parts[at + 1], "; ")) row["weaker"].push_back(weaker(one));
    }
    if (const auto need = need_of(row["weaker"]); parts[at] != need) {
      fail(fmt::format("says '{}', and its weaker orders '{}'", parts[at], need));
    }
  }
  void take_row(const std::vector<std::string>& parts) {
    need(parts, 4, 5);
    const auto [success, failure] = orders(parts[2]);
    json row{{"site", parts[0]},   {"operation", parts[1]},  {"success", success},
             {"failure", failure}, {"pairs", json::array()}, {"reason", ""}};
    complete(row);
    take_finding(row, parts, 3);
    for (json& rule : structures_->back()["rules"]) rule["rows"].push_back(row);
  }
  void take_cxx11_row(const std::vector<std::string>& parts) {
    need(parts, 2, 3);
    json& rows = structures_->back()["rules"][1]["rows"];
    if (rows.empty() || rows.back()["site"] != parts[0]) fail("is not of the row before it");
    take_finding(rows.back(), parts, 1);
  }
  /// What the table of this build says beside the orders.
  void complete(json& row) const {
    for (const suites::structure& s : suites::structures()) {
      if (s.name != structures_->back()["structure"].get<std::string>()) continue;
      for (const licit::row& r : s.audited.rows) {
        if (r.site != row["site"].get<std::string>()) continue;
        for (const std::string_view partner : r.pairs) row["pairs"].push_back(partner);
        row["reason"] = r.reason;
      }
    }
  }
  void take_minima(const std::vector<std::string>& parts) {
    need(parts, 5, 5);
    structures_->back()["minima"] = {{"searched", parts[1] != "not searched"},
                                     {"each", number(parts[2])},
                                     {"ordered", number(parts[3])},
                                     {"all", parts[1] == "all"},
                                     {"examined", number(parts[4])},
                                     {"tables", json::array()}};
  }
  void take_minimum(const std::vector<std::string>& parts) {
    need(parts, 2, 2);
    json& s = structures_->back();
    if (!s.contains("minima")) fail("stands before the line 'minima'");
    json changed = json::object();
    const bool shipped = parts[1] == "as in use";
    for (const std::string& one : shipped ? std::vector<std::string>{} : split(parts[1], ", ")) {
      const std::size_t space = one.find(' ');
      if (space == std::string::npos) fail("has the order '" + one + "'");
      changed[one.substr(0, space)] = one.substr(space + 1);
    }
    json all = json::object();
    for (const json& row : s["rules"][0]["rows"]) {
      const std::string site = row["site"].get<std::string>();
      const std::string now = orders_text(row["success"].get<std::string>(), row["failure"].get<std::string>());
      const std::string then = changed.value(site, now);
      if (then != "relaxed") all[site] = then;
    }
    s["minima"]["tables"].push_back({{"shipped", shipped}, {"orders", all}});
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t number_ = 0;
  bool begun_ = false;
  json* structures_ = nullptr;
};

}  // namespace

std::string record_text(const json& findings) {
  std::string text(head);
  for (const json& s : findings["structures"]) {
    text += fmt::format("\nstructure {} | {} | {} | {}\n", s["structure"].get<std::string>(),
                        s["digest"].get<std::string>(), s["date"].get<std::string>(), s["compiler"].get<std::string>());
    for (const json& rule : s["rules"]) {
      text += fmt::format("{} | {} | {}{}\n", rule["release_sequences"].get<std::string>(),
                          rule["verdict"].get<std::string>(), rule["executions"].get<std::uint64_t>(),
                          rule.contains("message") ? " | " + rule["message"].get<std::string>() : "");
    }
    text += programs_text(s["rules"]) + rows_text(s["rules"]);
    if (s.contains("minima")) text += minima_text(s["minima"], s["rules"][0]["rows"]);
  }
  return text;
}

json parse_record(std::string_view text, const std::string& file) { return reader(text, file).read(); }

json own_record() { return parse_record(audit_record, "the record of this command"); }

json read_findings(const std::string& file) {
  const std::string text = read_file(file);
  if (!text.starts_with('{')) return parse_record(text, file);
  try {
    json findings = json::parse(text);
    expect_findings(findings, file);
    return findings;
  } catch (const json::parse_error& e) {
    throw std::runtime_error(file + " is no JSON, from byte " + std::to_string(e.byte) + " on");
  }
}

}  // namespace licit::tool
