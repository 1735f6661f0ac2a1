#include "audit/findings.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <initializer_list>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace licit::tool {

namespace {

/// A value of the file, which knows its place there.
class value {
 public:
  value(const json& at, std::string place) : at_{at}, place_{std::move(place)} {}

  [[noreturn]] void refuse(std::string_view what) const {
    throw std::runtime_error(fmt::format("{} {}", place_, what));
  }
  [[nodiscard]] bool has(const char* key) const { return at_.is_object() && at_.contains(key); }
  [[nodiscard]] bool is(const char* key, std::string_view text) const { return at_[key] == text; }

  [[nodiscard]] value operator[](const char* key) const {
    if (!has(key)) refuse(fmt::format("has no '{}'", key));
    return {at_[key], fmt::format("{}, '{}'", place_, key)};
  }
  void texts(std::initializer_list<const char*> keys) const {
    for (const char* key : keys) (*this)[key].text();
  }
  void counts(std::initializer_list<const char*> keys) const {
    for (const char* key : keys) (*this)[key].count();
  }
  void truths(std::initializer_list<const char*> keys) const {
    for (const char* key : keys) {
      if (const value v = (*this)[key]; !v.at_.is_boolean()) v.refuse("is neither true nor false");
    }
  }
  void text_if_there(std::initializer_list<const char*> keys) const {
    for (const char* key : keys) {
      if (has(key)) (*this)[key].text();
    }
  }
  void verdict() const {
    text();
    if (!outcome_named(at_.get<std::string>())) refuse(fmt::format("is '{}'", at_.get<std::string>()));
  }
  void text() const {
    if (!at_.is_string()) refuse("is not a text");
  }
  void count() const {
    if (!at_.is_number_unsigned()) refuse("is not a whole number");
  }
  /// Each of a list's, or of an object's.
  void each(const char* key, bool named, const std::function<void(const value&)>& expect) const {
    const value all = (*this)[key];
    if (named ? !all.at_.is_object() : !all.at_.is_array()) all.refuse(named ? "is not an object" : "is not a list");
    std::size_t number = 0;
    for (const json& one : all.at_) expect({one, fmt::format("{}, number {}", all.place_, ++number)});
  }
  [[nodiscard]] const json& json_there() const { return at_; }

 private:
  const json& at_;
  std::string place_;
};

void expect_weaker(const value& w) {
  w.texts({"success", "failure"});
  w["verdict"].verdict();
  if (w.is("verdict", "ok")) return w.counts({"executions"});
  w.texts({"program"});
  if (!w.is("verdict", "limit")) w.texts({"kind"});
  if (w.has("message")) {
    w.texts({"message"});
    w.counts({"executions"});
  }
  w.text_if_there({"client", "drawing", "trace"});
}

void expect_row(const value& row) {
  row.texts({"site", "operation", "success", "failure", "need", "reason"});
  row.each("pairs", false, [](const value& partner) { partner.text(); });
  row.each("weaker", false, expect_weaker);
  const std::string_view need = need_of(row["weaker"].json_there());
  if (!row.is("need", need)) row.refuse(fmt::format("has not the 'need' that its weaker orders show: {}", need));
}

void expect_rule(const value& rule) {
  rule.texts({"release_sequences"});
  rule["verdict"].verdict();
  rule.counts({"executions"});
  rule.text_if_there({"message", "trace"});
  rule.each("programs", true, [](const value& executions) { executions.count(); });
  rule.each("rows", false, expect_row);
}

/// A record has what both rules of release sequences say side by side.
void expect_alike(const value& rules) {
  const json& all = rules.json_there();
  if (all.size() != 2 || all[0]["release_sequences"] != "c++20" || all[1]["release_sequences"] != "c++11") {
    rules.refuse("is not of two rules of release sequences, c++20 and c++11");
  }
  const auto names = [](const json& rule) {
    std::vector<std::string> of;
    for (const auto& [program, executions] : rule["programs"].items()) of.push_back(program);
    of.emplace_back();
    for (const json& row : rule["rows"]) of.push_back(row["site"].get<std::string>());
    return of;
  };
  if (names(all[0]) != names(all[1])) rules.refuse("differs in its programs or its rows from rule to rule");
}

void expect_minima_of(const value& minima) {
  minima.truths({"searched", "all"});
  minima.counts({"each", "ordered", "examined"});
  minima.each("tables", false, [](const value& table) {
    table.truths({"shipped"});
    table.each("orders", true, [](const value& order) { order.text(); });
  });
}

/// Whether the findings are the row's: of its orders, and of every weaker order of it.
bool is_of(const json& found, const licit::row& r) {
  const auto are = [](const json& orders, const audit::level& l) {
    return orders["success"] == licit::detail::name(l.success) && orders["failure"] == licit::detail::name(l.failure);
  };
  const audit::level shipped{r.success, r.failure};
  return found["site"] == r.site && found["operation"] == licit::detail::name(r.kind) && are(found, shipped) &&
         std::ranges::equal(found["weaker"], audit::weaker_than(r, shipped), are);
}

/// Why the findings, of the structure's name, are no whole audit of it; empty if they are.
std::string why_not_whole(const json& findings, const audit::subject& of) {
  if (findings["digest"] != digest_of(of.name)) {
    return fmt::format("audited on {}, from other sources", findings["date"].get<std::string>());
  }
  for (const json& rule : findings["rules"]) {
    if (rule["verdict"] != "limit" && count(rule, "not known") == 0) continue;
    return rule["release_sequences"].get<std::string>() + ": a search ended at its limit";
  }
  return why_not_of(findings["rules"], of, "");
}

}  // namespace

void expect_findings(const json& findings, const std::string& file) {
  const value all(findings, file + ":");
  all.texts({"version"});
  all.each("structures", false, [](const value& s) {
    s.texts({"structure", "digest", "date", "compiler"});
    s.each("rules", false, expect_rule);
    expect_alike(s["rules"]);
    if (s.has("minima")) expect_minima_of(s["minima"]);
  });
}

void expect_rules(const json& rules, const std::string& file) {
  const json whole{{"rules", rules}};
  const value all(whole, file + ":");
  all.each("rules", false, expect_rule);
  expect_alike(all["rules"]);
}

void expect_minima(const json& minima, const std::string& file) { expect_minima_of(value(minima, file + ":")); }

std::string why_not_of(const json& rules, const audit::subject& of, const std::string& site) {
  std::set<std::string> programs;
  for (const audit::program& p : of.programs) programs.insert(p.name);
  std::vector<licit::row> rows = of.rows;
  std::erase_if(rows, [&](const licit::row& r) { return !site.empty() && r.site != site; });
  for (const json& rule : rules) {
    const std::string name = rule["release_sequences"].get<std::string>();
    std::set<std::string> found;
    std::uint64_t executions = 0;
    for (const auto& [program, count] : rule["programs"].items()) {
      found.insert(program);
      executions += count.get<std::uint64_t>();
    }
    if (!std::ranges::equal(rule["rows"], rows, is_of)) return name + ": its rows are not the table's";
    if (found != programs) return name + ": its programs are not the suite's";
    if (executions == 0 || executions != rule["executions"]) {
      return name + ": the executions of its programs do not add up";
    }
  }
  return "";
}

whole_audit whole_audit_of(const json& record, const audit::subject& of) {
  whole_audit found{.findings = nullptr, .why_none = "there is none"};
  for (const json& s : record["structures"]) {
    if (s["structure"] != of.name) continue;
    found.why_none = why_not_whole(s, of);
    if (!found.why_none.empty()) continue;
    found.findings = s;
    break;
  }
  return found;
}

}  // namespace licit::tool
