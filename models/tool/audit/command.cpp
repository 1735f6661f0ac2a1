#include "audit/command.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

#include <licit/audit_digest.hpp>

#include "audit/archive.hpp"
#include "audit/pages.hpp"
#include "audit_record.hpp"
#include "catalogue.hpp"
#include "status.hpp"

namespace licit::tool {

namespace {

namespace fs = std::filesystem;
using checker::release_sequences;

/// A part of an audit that can be done by itself: in another process, or once and for all.
struct task {
  std::string name;
  std::function<json()> run;
  json result = {};
};

std::string file_name(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '+'; }, '-');
  return name;
}

/// Results of earlier audits of the same digest.
class cache {
 public:
  cache(std::string folder, bool fresh) : folder_{std::move(folder)}, fresh_{fresh} {
    const char* chosen = std::getenv("XDG_CACHE_HOME");  // NOLINT(concurrency-mt-unsafe): there is one thread
    const char* home = std::getenv("HOME");              // NOLINT(concurrency-mt-unsafe)
    if (!folder_.empty()) return;
    if (chosen != nullptr && *chosen != '\0') folder_ = std::string(chosen) + "/licit";
    if (folder_.empty() && home != nullptr) folder_ = std::string(home) + "/.cache/licit";
  }

  bool find(task& t) const {
    if (fresh_ || folder_.empty() || !fs::exists(path(t))) return false;
    try {
      t.result = read_findings(path(t));
      return true;
    } catch (const std::runtime_error&) {
      return false;  // it is made anew
    }
  }

  /// A cache that cannot be written is none.
  void keep(const task& t) const {
    std::error_code error;
    if (folder_.empty()) return;
    fs::create_directories(folder_, error);
    const std::string unfinished = path(t) + "." + std::to_string(::getpid());
    std::ofstream(unfinished) << t.result.dump();
    fs::rename(unfinished, path(t), error);
  }

 private:
  [[nodiscard]] std::string path(const task& t) const {
    return folder_ + "/audit-" + std::string(audit_digest) + "-" + file_name(t.name) + ".json";
  }

  std::string folder_;
  bool fresh_;
};

/// A task in a process of its own: the orders that programs run with are the process's.
class worker {
 public:
  explicit worker(task& t) : task_{&t} {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("cannot make a pipe");
    child_ = ::fork();
    if (child_ < 0) throw std::runtime_error("cannot start a process");
    if (child_ == 0) {
      ::close(ends[0]);
      _exit(write_result(ends[1]));
    }
    ::close(ends[1]);
    from_ = ends[0];
  }

  void finish() {
    std::string text;
    std::array<char, 4096> block{};
    for (ssize_t n = 0; (n = ::read(from_, block.data(), block.size())) > 0;) {
      text.append(block.data(), static_cast<std::size_t>(n));
    }
    ::close(from_);
    int status = 0;
    ::waitpid(child_, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw std::runtime_error(task_->name + ": " + text);
    task_->result = json::parse(text);
  }

 private:
  int write_result(int to) const {
    std::string text;
    int status = 0;
    try {
      text = task_->run().dump();
    } catch (const std::exception& e) {
      text = e.what();
      status = 1;
    }
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t n = ::write(to, text.data() + done, text.size() - done);
      if (n <= 0) return 1;
      done += static_cast<std::size_t>(n);
    }
    return status;
  }

  task* task_;
  pid_t child_ = 0;
  int from_ = 0;
};

void show(const audit_options& o, std::string_view text) {
  if (!o.quiet && ::isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r\x1b[K{}", text);
}

void run_all(std::vector<task>& tasks, const audit_options& o) {
  std::vector<task*> left;
  const cache kept(o.cache, o.fresh);
  for (task& t : tasks) {
    if (!kept.find(t)) left.push_back(&t);
  }
  std::ranges::reverse(left);  // the longest is the last
  for (std::size_t begin = 0; begin < left.size(); begin += o.jobs) {
    std::vector<worker> crew;
    const std::size_t end = std::min<std::size_t>(left.size(), begin + o.jobs);
    for (std::size_t i = begin; i != end; ++i) {
      show(o, fmt::format("{} of {}: {}", i + 1, left.size(), left[i]->name));
      if (o.jobs != 1) crew.emplace_back(*left[i]);
    }
    if (o.jobs == 1) left[begin]->result = left[begin]->run();
    for (worker& w : crew) w.finish();
    for (std::size_t i = begin; i != end; ++i) kept.keep(*left[i]);
  }
  show(o, "");
}

audit::settings settings_of(const audit_options& o, release_sequences rule) {
  return {.rule = rule, .limit = o.limit, .site = o.site};
}

std::vector<audit::subject> chosen(const audit_options& o) {
  std::vector<audit::subject> all;
  for (const models::structure& s : models::structures()) all.push_back(s.audited);
  for (const std::string& name : o.structures) {
    if (std::ranges::none_of(all, [&](const audit::subject& s) { return s.name == name; })) {
      std::string known;
      for (const audit::subject& s : all) known.append(" ").append(s.name);
      throw std::runtime_error("there is no structure " + name + "; there are:" + known);
    }
  }
  std::erase_if(all, [&](const audit::subject& s) {
    return !o.structures.empty() && std::ranges::find(o.structures, s.name) == o.structures.end();
  });
  if (o.site.empty()) return all;
  const auto without = [&](const audit::subject& s) {
    return std::ranges::find(s.rows, o.site, &row::site) == s.rows.end();
  };
  if (std::ranges::all_of(all, without)) throw std::runtime_error("no table has a site " + o.site);
  std::erase_if(all, without);
  return all;
}

json find_out(const audit_options& o) {
  json findings = this_build();
  findings["structures"] = json::array();
  const std::vector<audit::subject> subjects = chosen(o);
  std::vector<task> tasks;
  const std::string only = o.site.empty() ? "" : " " + o.site;
  constexpr std::array rules{std::pair{release_sequences::cxx20, "c++20"},
                             std::pair{release_sequences::cxx11, "c++11"}};
  for (const audit::subject& s : subjects) {
    for (const auto& [rule, rule_name] : rules) {
      tasks.push_back({fmt::format("{} {} {}{}", s.name, rule_name, o.limit, only),
                       [&s, &o, rule = rule] { return to_json(audit::audit(s, settings_of(o, rule))); }});
    }
    if (o.minima) {
      tasks.push_back({s.name + " minima", [&s, &o] {
                         constexpr std::size_t most = 64;
                         return to_json(
                             audit::find_minima(s, s.shipped(), most, settings_of(o, release_sequences::cxx20)), s);
                       }});
    }
  }
  run_all(tasks, o);
  auto next = tasks.begin();
  for (const audit::subject& s : subjects) {
    json one{{"structure", s.name}, {"rules", json::array()}};
    for (std::size_t r = 0; r != rules.size(); ++r) one["rules"].push_back((next++)->result);
    if (o.minima) one["minima"] = (next++)->result;
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
      if (rule["sufficient"] == "violated" || (strict && count(rule, "not needed by these programs") != 0))
        return violated;
      if (rule["sufficient"] == "limit" || (strict && count(rule, "not known") != 0)) status = out_of_limit;
    }
  }
  return status;
}

void write_pages(const audit_options& o, const json& findings) {
  if (!o.json.empty()) write_file(o.json, findings.dump(1) + "\n");
  if (!o.record.empty()) write_file(o.record, without_traces(findings).dump(1) + "\n");
  if (!o.html.empty()) write_file(o.html, html(findings));
  if (o.markdown.empty()) return;
  if (!fs::exists(o.markdown)) return write_file(o.markdown, markdown(findings));
  std::ifstream in(o.markdown);
  const std::string document{std::istreambuf_iterator<char>(in), {}};
  write_file(o.markdown, with_table(document, markdown(findings), o.markdown));
}

std::string orders_in(const json& row) {
  const std::string failure = row["failure"];
  return row["success"].get<std::string>() + (failure == "relaxed" ? "" : "/" + failure);
}

/// Whether an archive is what was audited, and where it differs.
int compare_library(const std::string& file) {
  const archive a = read_archive(file);
  const json record = json::parse(audit_record);
  if (a.digest.empty()) {
    fmt::print("{}: not verified: it carries no digest\n", file);
    return violated;
  }
  if (a.digest == record["digest"].get<std::string>()) {
    fmt::print("{}: verified: it was built from what was audited ({}, by {})\n", file, a.digest,
               record["compiler"].get<std::string>());
    for (const json& s : record["structures"]) {
      fmt::print("  {}: {} rows needed, and enough for {} programs, {} executions\n", s["structure"].get<std::string>(),
                 count(s["rules"][0], "needed"), s["rules"][0]["programs"].size(),
                 s["rules"][0]["executions"].get<std::uint64_t>());
    }
    return as_expected;
  }
  fmt::print("{}: differs: {} is not the audited {}\n", file, a.digest, record["digest"].get<std::string>());
  for (const auto& [name, digest] : record["files"].items()) {
    const auto found = a.files.find(name);
    if (found == a.files.end()) fmt::print("  {}: audited, and not in the library\n", name);
    if (found != a.files.end() && found->second != digest.get<std::string>()) fmt::print("  {}: another\n", name);
  }
  for (const auto& [name, digest] : a.files) {
    if (!record["files"].contains(name)) fmt::print("  {}: in the library, and not audited\n", name);
  }
  for (const json& s : record["structures"]) {
    for (const json& row : s["rules"][0]["rows"]) {
      const auto found = a.rows.find(s["structure"].get<std::string>() + " " + row["site"].get<std::string>());
      if (found != a.rows.end() && found->second != orders_in(row)) {
        fmt::print("  {} {}: {} in the library, {} audited\n", s["structure"].get<std::string>(),
                   row["site"].get<std::string>(), found->second, orders_in(row));
      }
    }
  }
  return violated;
}

/// The rows of a structure in the record, each with its rule.
std::vector<std::pair<json, json>> recorded_rows(const json& structure) {
  std::vector<std::pair<json, json>> rows;
  for (const json& rule : structure["rules"]) {
    for (const json& row : rule["rows"]) rows.emplace_back(rule["release_sequences"], row);
  }
  return rows;
}

/// The record is of this build, and says what an audit says: of some of its rows, chosen at random.
int check_record(const audit_options& o) {
  const json record = read_findings(o.check);
  if (record["digest"].get<std::string>() != audit_digest) {
    fmt::print("{} is stale: it is of {}, this is {}; `make audit` makes it anew\n", o.check,
               record["digest"].get<std::string>(), audit_digest);
    const json now = this_build();
    for (const auto& [name, digest] : now["files"].items()) {
      if (!record["files"].contains(name) || record["files"][name] != digest) fmt::print("  {}\n", name);
    }
    return violated;
  }
  const unsigned seed = std::random_device{}();
  std::mt19937 random(seed);
  fmt::print("{} is of this build; again, {} rows of it (seed {}):\n", o.check, o.sample, seed);
  int status = as_expected;
  for (const json& s : record["structures"]) {
    const auto all = models::structures();
    const auto subject = std::ranges::find(all, s["structure"].get<std::string>(), &models::structure::name);
    if (subject == all.end()) throw std::runtime_error("there is no structure " + s["structure"].get<std::string>());
    std::vector<std::pair<json, json>> rows = recorded_rows(s);
    std::ranges::shuffle(rows, random);
    rows.resize(std::min<std::size_t>(rows.size(), o.sample));
    for (const auto& [rule, row] : rows) {
      audit::settings how = settings_of(o, rule == "c++20" ? release_sequences::cxx20 : release_sequences::cxx11);
      how.site = row["site"];
      json again{{"structures", {{{"rules", {to_json(audit::audit(subject->audited, how))}}}}}};
      again = without_traces(again);
      const bool same = again["structures"][0]["rules"][0]["rows"][0] == row;
      fmt::print("  {} {} ({}): {}\n", s["structure"].get<std::string>(), how.site, rule.get<std::string>(),
                 same ? "the same" : "DIFFERS");
      if (!same) status = violated;
    }
  }
  return status;
}

}  // namespace

int audit(const audit_options& options) {
  if (!options.library.empty()) return compare_library(options.library);
  if (!options.check.empty()) return check_record(options);
  const json findings = options.from.empty() ? find_out(options) : read_findings(options.from);
  fmt::print("{}", terminal_text(findings));
  write_pages(options, findings);
  return status_of(findings);
}

}  // namespace licit::tool
