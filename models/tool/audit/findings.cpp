#include "audit/findings.hpp"

#include <fmt/format.h>
#include <functional>
#include <initializer_list>
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
  w.texts({"success", "failure", "verdict"});
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
}

void expect_rule(const value& rule) {
  rule.texts({"release_sequences", "verdict"});
  rule.counts({"executions"});
  rule.text_if_there({"message", "trace"});
  rule.each("programs", true, [](const value& executions) { executions.count(); });
  rule.each("rows", false, expect_row);
}

/// A record has what both rules of release sequences say side by side.
void expect_alike(const value& rules) {
  const json& all = rules.json_there();
  if (all.size() != 2) rules.refuse("is not of two rules of release sequences");
  const auto names = [](const json& rule) {
    std::vector<std::string> of;
    for (const auto& [program, executions] : rule["programs"].items()) of.push_back(program);
    of.emplace_back();
    for (const json& row : rule["rows"]) of.push_back(row["site"].get<std::string>());
    return of;
  };
  if (names(all[0]) != names(all[1])) rules.refuse("differs in its programs or its rows from rule to rule");
}

void expect_minima(const value& minima) {
  minima.truths({"searched", "all"});
  minima.counts({"each", "ordered", "examined"});
  minima.each("tables", false, [](const value& table) {
    table.truths({"shipped"});
    table.each("orders", true, [](const value& order) { order.text(); });
  });
}

}  // namespace

void expect_findings(const json& findings, const std::string& file) {
  const value all(findings, file + ":");
  all.texts({"version"});
  all.each("structures", false, [](const value& s) {
    s.texts({"structure", "digest", "date", "compiler"});
    s.each("rules", false, expect_rule);
    expect_alike(s["rules"]);
    if (s.has("minima")) expect_minima(s["minima"]);
  });
}

}  // namespace licit::tool
