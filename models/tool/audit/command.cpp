#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <random>
#include <set>
#include <stdexcept>
#include <string_view>
#include <unistd.h>
#include <utility>

#include <licit/checker/process_pool.hpp>
#include <licit/deque/version.hpp>

#include "arguments.hpp"
#include "audit/findings.hpp"
#include "report.hpp"
#include "suites/structure.hpp"

namespace licit::tool {

namespace {

namespace fs = std::filesystem;
using checker::release_sequences;

constexpr std::array rules{std::pair{release_sequences::cxx20, "c++20"}, std::pair{release_sequences::cxx11, "c++11"}};

/// A part of an audit that can be done by itself: in another process, or once and for all.
struct piece {
  std::string structure;
  std::string name;
  std::function<json()> run;
  std::function<void(const json&)> expect;  ///< throws if the result cannot be of this piece
  json result = {};
};

std::string file_name(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '+'; }, '-');
  return name;
}

/// Results of earlier audits of the same sources, in the user's cache.
class cache {
 public:
  explicit cache(bool fresh) : fresh_{fresh} {
    const char* chosen = std::getenv("XDG_CACHE_HOME");  // NOLINT(concurrency-mt-unsafe): there is one thread
    const char* home = std::getenv("HOME");              // NOLINT(concurrency-mt-unsafe)
    if (chosen != nullptr && *chosen != '\0') folder_ = std::string(chosen) + "/licit";
    if (folder_.empty() && home != nullptr) folder_ = std::string(home) + "/.cache/licit";
  }

  /// A result that is not the piece's is named, and made anew.
  bool find(piece& p) const {
    if (fresh_ || folder_.empty() || !fs::exists(path(p))) return false;
    std::string why;
    try {
      json kept = json::parse(read_file(path(p)));
      if (kept.at("digest") != digest_of(p.structure)) throw std::runtime_error("it is of other sources");
      if (kept.at("piece") != p.name) throw std::runtime_error("it is of another audit");
      p.expect(kept.at("result"));
      p.result = std::move(kept["result"]);
      return true;
    } catch (const json::exception&) {
      why = "it is no whole result of an audit";
    } catch (const std::exception& e) {
      why = e.what();
    }
    fmt::print(stderr, "licit: {} is not used: {}\n", path(p), why);
    return false;
  }

  /// A cache that cannot be written is none.
  void store(const piece& p) const {
    std::error_code error;
    if (folder_.empty()) return;
    fs::create_directories(folder_, error);
    const std::string unfinished = path(p) + "." + std::to_string(::getpid());
    std::ofstream(unfinished) << json{{"digest", digest_of(p.structure)}, {"piece", p.name}, {"result", p.result}};
    fs::rename(unfinished, path(p), error);
  }

 private:
  [[nodiscard]] std::string path(const piece& p) const {
    constexpr int format = 3;  // of what is kept
    return fmt::format("{}/audit-{}-{}-{}-{}.json", folder_, library_version(), format, digest_of(p.structure),
                       file_name(p.name));
  }

  std::string folder_;
  bool fresh_;
};

void run_all(std::vector<piece>& pieces, const audit_options& o) {
  std::vector<piece*> left;
  const cache earlier(o.fresh);
  for (piece& p : pieces) {
    if (!earlier.find(p)) left.push_back(&p);
  }
  std::ranges::reverse(left);  // the longest is the last
  const unsigned jobs = processes(o.jobs);
  checker::process_pool pool(jobs);
  progress bar(static_cast<double>(left.size()), !o.quiet);
  std::string running;
  for (std::size_t next = 0; next != left.size() || !pool.idle();) {
    if (next != left.size() && !pool.full()) {
      const piece& p = *left[next++];
      running = p.name;
      pool.start([&p] { return p.run().dump(); });
      continue;
    }
    const auto ended = pool.wait(std::chrono::milliseconds(200));
    bar.show(running);
    if (!ended) continue;
    piece& p = *left[ended->number];
    if (!ended->failure.empty()) throw std::runtime_error(p.name + ": its process " + ended->failure);
    p.result = json::parse(ended->output);
    earlier.store(p);
    bar.add(1);
  }
}

audit::settings settings_of(const audit_options& o, release_sequences rule) {
  return {.rule = rule, .limit = o.limit, .site = o.site};
}

std::vector<audit::subject> chosen(const audit_options& o) {
  std::vector<audit::subject> all;
  for (const suites::structure& s : suites::structures()) all.push_back(s.audited);
  for (const std::string& name : o.structures) {
    if (std::ranges::none_of(all, [&](const audit::subject& s) { return s.name == name; })) {
      std::string known;
      for (const audit::subject& s : all) known.append(" ").append(s.name);
      throw std::runtime_error(fmt::format("there is no structure {}; there are:{}", name, known));
    }
  }
  std::erase_if(all, [&](const audit::subject& s) {
    return !o.structures.empty() && std::ranges::find(o.structures, s.name) == o.structures.end();
  });
  if (o.site.empty()) return all;
  const auto without = [&](const audit::subject& s) {
    return std::ranges::find(s.rows, o.site, &licit::row::site) == s.rows.end();
  };
  if (std::ranges::all_of(all, without)) throw std::runtime_error("no table has a site " + o.site);
  std::erase_if(all, without);
  return all;
}

/// Throws std::runtime_error unless they are findings of the subject by both rules, or of its one site.
void expect_audit_of(const audit::subject& s, const std::string& site, const json& rules) {
  expect_rules(rules, "the findings");
  if (const std::string why = why_not_of(rules, s, site); !why.empty()) throw std::runtime_error(why);
}

std::vector<piece> pieces_of(const audit::subject& s, const audit_options& o) {
  std::vector<piece> all;
  const std::string only = o.site.empty() ? "" : " " + o.site;
  all.push_back({s.name, fmt::format("{} {}{}", s.name, o.limit, only),
                 [&s, &o] {
                   json by_rule = json::array();
                   for (const auto& report : audit::audit_by_both_rules(s, settings_of(o, {}))) {
                     by_rule.push_back(to_json(report));
                   }
                   return by_rule;
                 },
                 [&s, &o](const json& kept) { expect_audit_of(s, o.site, kept); }});
  if (!o.minima) return all;
  all.push_back({s.name, fmt::format("{} minima {}", s.name, o.limit),
                 [&s, &o] {
                   constexpr std::size_t most = 64;
                   return to_json(audit::find_minima(s, s.shipped(), most, settings_of(o, release_sequences::cxx20)),
                                  s);
                 },
                 [](const json& kept) { expect_minima(kept, "the minima"); }});
  return all;
}

/// What the record has of the structure as it is now, with all that is asked for; null if nothing.
json recorded(const json& record, const audit::subject& of, const audit_options& o) {
  const json findings = whole_audit_of(record, of).findings;
  return findings.is_null() || !o.minima || findings.contains("minima") ? findings : json();
}

json find_out(const audit_options& o) {
  json record{{"structures", json::array()}};
  if (!o.record.empty() && !o.fresh && fs::exists(o.record)) record = read_findings(o.record);
  const std::vector<audit::subject> subjects = chosen(o);
  std::vector<piece> pieces;
  for (const audit::subject& s : subjects) {
    if (!recorded(record, s, o).is_null()) continue;
    for (piece& p : pieces_of(s, o)) pieces.push_back(std::move(p));
  }
  run_all(pieces, o);
  json findings{{"version", library_version()}, {"structures", json::array()}};
  auto next = pieces.begin();
  for (const audit::subject& s : subjects) {
    json one = recorded(record, s, o);
    if (one.is_null()) {
      one = origin_of(s.name);
      one["rules"] = (next++)->result;
      if (o.minima) one["minima"] = (next++)->result;
    }
    findings["structures"].push_back(std::move(one));
  }
  return findings;
}

/// Under C++20 every row must be needed; what C++11 does not need it says.
int status_of(const json& findings) {
  int status = as_expected;
  for (const json& s : findings["structures"]) {
    for (const json& rule : s["rules"]) {
      const bool strict = rule["release_sequences"] == "c++20";
      if (rule["verdict"] == "violation" || (strict && count(rule, "not needed by these programs") != 0))
        return violated;
      if (rule["verdict"] == "limit" || (strict && count(rule, "not known") != 0)) status = undecided;
    }
  }
  return status;
}

void write_pages(const audit_options& o, const json& findings) {
  if (!o.json.empty()) write_file(o.json, findings.dump(1) + "\n");
  if (!o.record.empty()) write_file(o.record, record_text(findings));
  if (!o.html.empty()) write_file(o.html, html(findings));
  if (!o.markdown.empty()) write_file(o.markdown, markdown(findings));
}

/// A row of the record, and what it says again.
struct sampled_row {
  const suites::structure* of;
  release_sequences rule;
  json before;    ///< of a record with this row alone
  json programs;  ///< and their executions
};

/// Those of the structures that are what they were when they were audited.
std::vector<sampled_row> rows_of(const json& record) {
  std::vector<sampled_row> rows;
  for (const suites::structure& of : suites::structures()) {
    for (const json& s : record["structures"]) {
      if (s["structure"] != of.name || s["digest"] != digest_of(of.name)) continue;
      for (std::size_t r = 0; r != rules.size(); ++r) {
        const json& rule = s["rules"][r];
        for (const json& row : rule["rows"]) rows.push_back({&of, rules[r].first, row, rule["programs"]});
      }
    }
  }
  return rows;
}

/// What the record keeps of a row.
json kept(json row) {
  for (json& w : row["weaker"]) {
    for (const char* key : {"message", "client", "trace", "drawing"}) w.erase(key);
    if (w["verdict"] != "ok") w.erase("executions");
  }
  return row;
}

/// Prints of which structures the record has no whole audit as they are now; false if there are any.
bool is_current(const json& record, const std::string& file) {
  bool current = true;
  for (const suites::structure& s : suites::structures()) {
    const std::string why = whole_audit_of(record, s.audited).why_none;
    if (why.empty()) continue;
    fmt::print("{} is stale: it has no audit of {} as it is now ({}); `make audit` makes it\n", file, s.name, why);
    current = false;
  }
  return current;
}

/// Audits the row again: whether it and the programs are as the record says.
bool is_the_same(const sampled_row& row, const audit::subject& subject, const audit::settings& how) {
  const json again = to_json(audit::audit(subject, how));
  return again["rows"].size() == 1 && kept(again["rows"][0]) == row.before && again["programs"] == row.programs;
}

/// Leaves the first row of each structure.
void keep_one_of_each(std::vector<sampled_row>& rows) {
  std::set<std::string_view> seen;
  std::erase_if(rows, [&](const sampled_row& row) { return !seen.insert(row.of->name).second; });
}

/// Whether the record is of this build, and says what an audit says: of some of its rows, chosen at random.
int check_record(const audit_options& o) {
  constexpr std::size_t sample = 3;
  const json record = read_findings(o.check);
  int status = is_current(record, o.check) ? as_expected : violated;
  std::vector<sampled_row> rows = rows_of(record);
  const unsigned seed = std::random_device{}();
  std::ranges::shuffle(rows, std::mt19937(seed));
  if (o.each) {
    keep_one_of_each(rows);
  } else {
    rows.resize(std::min(rows.size(), sample));
  }
  fmt::print("{}: again, {} of its rows (seed {}):\n", o.check, rows.size(), seed);
  for (const sampled_row& row : rows) {
    audit::settings how = settings_of(o, row.rule);
    how.site = row.before["site"];
    const bool same = is_the_same(row, row.of->audited, how);
    fmt::print("  {} {} ({}): {}\n", row.of->name, how.site, row.rule == release_sequences::cxx20 ? "c++20" : "c++11",
               same ? "the same" : "DIFFERS");
    if (!same) status = violated;
  }
  return status;
}

/// Throws std::runtime_error for options of which one would be ignored beside another.
void expect_compatible(const audit_options& o) {
  const auto refuse = [](bool one, bool other, const char* what) {
    if (one && other) throw std::runtime_error(what);
  };
  const bool pages = !o.json.empty() || !o.html.empty() || !o.markdown.empty() || !o.record.empty();
  const bool chosen = !o.structures.empty() || !o.site.empty() || o.minima || o.fresh;
  refuse(!o.site.empty(), !o.record.empty(), "--site and --record: a record has all rows of a structure");
  refuse(!o.library.empty(), !o.check.empty() || !o.from.empty(),
         "--library reads no other file: not with --check, --from");
  refuse(o.check.empty(), o.each, "--each chooses rows for --check");
  refuse(!o.check.empty(), !o.from.empty(), "--check reads no other file: not with --from");
  refuse(!o.library.empty() || !o.check.empty(), pages, "--library and --check write no file");
  refuse(!o.library.empty() || !o.check.empty() || !o.from.empty(), chosen,
         "--library, --check and --from audit nothing anew: not with --structure, --site, --minima, --fresh");
}

}  // namespace

int audit(const audit_options& options) {
  expect_compatible(options);
  if (!options.library.empty()) return compare_library(options.library);
  if (!options.check.empty()) return check_record(options);
  const json findings = options.from.empty() ? find_out(options) : read_findings(options.from);
  fmt::print("{}", terminal_text(findings));
  write_pages(options, findings);
  return status_of(findings);
}

}  // namespace licit::tool
