#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fmt/chrono.h>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <vector>

#include <licit/audit_digest.hpp>
#include <licit/checker/drawing.hpp>
#include <licit/deque/version.hpp>

#include "audit/findings.hpp"

namespace licit::tool {

std::string_view name(audit::need n) {
  switch (n) {
    case audit::need::relaxed: return "relaxed";
    case audit::need::needed: return "needed";
    case audit::need::not_needed: return "not needed by these programs";
    case audit::need::unknown: return "not known";
  }
  return "";
}

namespace {

std::string_view rule_name(checker::release_sequences r) {
  return r == checker::release_sequences::cxx20 ? "c++20" : "c++11";
}

/// As an element of a page: without what stands before it in a file. Nothing where there is no Graphviz.
std::string drawing(const checker::execution& e) {
  try {
    const std::string file = checker::svg(e);
    return file.substr(std::min(file.find("<svg"), file.size()));
  } catch (const std::runtime_error&) {
    return {};
  }
}

json to_json(const audit::weakening& w) {
  json j{{"success", licit::detail::name(w.to.success)},
         {"failure", licit::detail::name(w.to.failure)},
         {"verdict", name(w.result.outcome)},
         {"executions", w.result.executions}};
  if (w.result.outcome != checker::outcome::ok) j["program"] = w.result.program;
  if (w.result.outcome == checker::outcome::violation) {
    j["kind"] = w.result.kind;
    j["message"] = w.result.message;
    if (w.ghost_only) j["ghost_only"] = true;
    if (!w.result.client.empty()) j["client"] = w.result.client;
    j["trace"] = w.result.trace;
    if (const std::string picture = drawing(w.result.picture); !picture.empty()) j["drawing"] = picture;
  }
  return j;
}

json to_json(const audit::audited_row& r) {
  json weaker = json::array();
  for (const audit::weakening& w : r.weaker) weaker.push_back(to_json(w));
  json pairs = json::array();
  for (const std::string_view partner : r.entry.pairs) pairs.push_back(partner);
  return {{"site", r.entry.site},
          {"operation", licit::detail::name(r.entry.kind)},
          {"success", licit::detail::name(r.entry.success)},
          {"failure", licit::detail::name(r.entry.failure)},
          {"pairs", pairs},
          {"reason", r.entry.reason},
          {"need", name(r.verdict)},
          {"weaker", weaker}};
}

std::string compiler() {
#if defined(__clang__)
  return "clang++ " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__);
#else
  return "g++ " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__);
#endif
}

}  // namespace

json to_json(const audit::report& r) {
  json rows = json::array();
  for (const audit::audited_row& row : r.rows) rows.push_back(to_json(row));
  json programs = json::object();
  for (const auto& [program, executions] : r.programs) programs[program] = executions;
  json j{{"release_sequences", rule_name(r.rule)},
         {"verdict", name(r.sufficient.outcome)},
         {"programs", programs},
         {"executions", r.sufficient.executions},
         {"rows", rows}};
  if (r.sufficient.outcome == checker::outcome::violation) {
    j["message"] = r.sufficient.program + ": " + r.sufficient.message;
    j["trace"] = r.sufficient.trace;
  }
  return j;
}

json to_json(const audit::minima& m, const audit::subject& s) {
  json tables = json::array();
  for (const audit::assignment& a : m.found) {
    json table = json::object();
    for (std::size_t i = 0; i != a.size(); ++i) {
      if (a[i] == audit::level{order::relaxed, order::relaxed}) continue;
      table[std::string(s.rows[i].site)] =
          orders_text(licit::detail::name(a[i].success), licit::detail::name(a[i].failure));
    }
    tables.push_back({{"shipped", a == s.shipped()}, {"orders", table}});
  }
  return {{"searched", m.searched()}, {"each", m.each},  {"ordered", m.ordered}, {"all", m.all},
          {"examined", m.examined},   {"tables", tables}};
}

std::string_view digest_of(std::string_view structure) {
  for (const auto& [of, digest] : audit::structure_digests) {
    if (of == structure) return digest;
  }
  return audit::digest;  // a suite whose type has another name: of everything, then
}

std::optional<checker::outcome> outcome_named(std::string_view verdict) {
  for (const auto o : {checker::outcome::ok, checker::outcome::violation, checker::outcome::limit}) {
    if (checker::name(o) == verdict) return o;
  }
  return std::nullopt;
}

std::string_view need_of(const json& weaker) {
  std::vector<checker::outcome> outcomes;
  for (const json& w : weaker) outcomes.push_back(outcome_named(w["verdict"].get<std::string>()).value());
  return name(audit::need_of(outcomes));
}

json origin_of(std::string_view structure) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return {{"structure", structure},
          {"digest", digest_of(structure)},
          {"date", fmt::format("{:%Y-%m-%d}", fmt::gmtime(now))},
          {"compiler", compiler()}};
}

std::string orders_text(std::string_view success, std::string_view failure) {
  return failure == "relaxed" ? std::string(success) : std::string(success) + "/" + std::string(failure);
}

std::string read_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::error_code none;
  if (std::filesystem::is_directory(file, none))
    throw std::runtime_error("cannot read " + file + ": it is a directory");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw std::runtime_error("cannot read " + file + ": " + std::generic_category().message(errno));
  return text;
}

void write_file(const std::string& file, std::string_view text) {
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file + ": " + std::generic_category().message(errno));
}

std::size_t count(const json& rule, std::string_view need) {
  std::size_t n = 0;
  for (const json& row : rule["rows"]) n += row["need"] == need ? 1U : 0U;
  return n;
}

}  // namespace licit::tool
