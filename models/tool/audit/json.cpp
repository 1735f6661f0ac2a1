#include "audit/json.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <licit/audit_digest.hpp>
#include <licit/checker/drawing.hpp>
#include <licit/deque/version.hpp>

#include "audit_files.hpp"

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

std::string_view name(audit::finding f) {
  switch (f) {
    case audit::finding::violated: return "violated";
    case audit::finding::passed: return "passed";
    case audit::finding::limit: return "limit";
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
  json j{{"success", licit::name(w.to.success)},
         {"failure", licit::name(w.to.failure)},
         {"found", name(w.result.found)},
         {"executions", w.result.executions}};
  if (w.result.found != audit::finding::passed) j["program"] = w.result.program;
  if (w.result.found == audit::finding::violated) {
    j["kind"] = w.result.kind;
    j["message"] = w.result.message;
    if (w.ghost_only) j["ghost_only"] = true;
    if (!w.result.client.empty()) j["client"] = w.result.client;
    j["trace"] = w.result.trace;
    if (const std::string picture = drawing(w.result.picture); !picture.empty()) j["picture"] = picture;
  }
  return j;
}

json to_json(const audit::audited_row& r) {
  json weaker = json::array();
  for (const audit::weakening& w : r.weaker) weaker.push_back(to_json(w));
  json pairs = json::array();
  for (const std::string_view partner : r.entry.pairs) pairs.push_back(partner);
  return {{"site", r.entry.site},
          {"operation", licit::name(r.entry.kind)},
          {"success", licit::name(r.entry.success)},
          {"failure", licit::name(r.entry.failure)},
          {"pairs", pairs},
          {"reason", r.entry.reason},
          {"verdict", name(r.verdict)},
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
         {"sufficient", name(r.sufficient.found)},
         {"programs", programs},
         {"executions", r.sufficient.executions},
         {"rows", rows}};
  if (r.sufficient.found == audit::finding::violated) {
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
      std::string orders(licit::name(a[i].success));
      if (a[i].failure != order::relaxed) orders += "/" + std::string(licit::name(a[i].failure));
      table[std::string(s.rows[i].site)] = orders;
    }
    tables.push_back({{"shipped", a == s.shipped()}, {"orders", table}});
  }
  return {{"searched", m.searched()}, {"each", m.each},  {"ordered", m.ordered}, {"all", m.all},
          {"examined", m.examined},   {"tables", tables}};
}

json this_build() {
  json files = json::object();
  for (const std::string_view line : audit_files) {  // "licit-audit-file NAME DIGEST"
    const std::size_t name = line.find(' ') + 1;
    const std::size_t digest = line.rfind(' ') + 1;
    files[std::string(line.substr(name, digest - 1 - name))] = line.substr(digest);
  }
  return {{"digest", audit_digest}, {"version", library_version()}, {"compiler", compiler()}, {"files", files}};
}

json without_traces(json findings) {
  for (json& s : findings["structures"]) {
    for (json& rule : s["rules"]) {
      for (json& row : rule["rows"]) {
        for (json& w : row["weaker"]) {
          w.erase("trace");
          w.erase("picture");
        }
      }
    }
  }
  return findings;
}

json read_findings(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file + ": " + std::generic_category().message(errno));
  try {
    return json::parse(in);
  } catch (const json::parse_error& e) {
    throw std::runtime_error(file + " is no JSON, from byte " + std::to_string(e.byte) + " on");
  }
}

void write_file(const std::string& file, std::string_view text) {
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file + ": " + std::generic_category().message(errno));
}

std::size_t count(const json& rule, std::string_view verdict) {
  std::size_t n = 0;
  for (const json& row : rule["rows"]) n += row["verdict"] == verdict ? 1U : 0U;
  return n;
}

}  // namespace licit::tool
