#include "trace_file.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include <licit/checker/threads.hpp>
#include <licit/deque/version.hpp>

#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "report.hpp"
#include "suites/structure.hpp"
#include "verify/inspection.hpp"

namespace licit::tool {

namespace {

using checker::event_name;
using checker::step;
using nlohmann::ordered_json;

constexpr std::string_view format = "licit trace 3";
constexpr std::string_view from_the_beginning = "the beginning";

std::string reason() { return std::generic_category().message(errno); }

ordered_json to_json(const step& s) {
  return {{"event", text(s.at)},
          {"action", s.action},
          {"site", s.site},
          {"location", s.location},
          {"order", s.order},
          {"value", s.value},
          {"other", s.other ? text(*s.other) : std::string(from_the_beginning)},
          {"choice", s.choice},
          {"waits", s.waits}};
}

ordered_json to_json(const checker::options& o) {
  ordered_json all{{"release_sequences", o.sequences == checker::release_sequences::cxx20 ? "c++20" : "c++11"},
                   {"max_events", o.max_events},
                   {"ghosts", o.ghosts},
                   {"leaks", o.leaks},
                   {"timeouts", o.timeouts},
                   {"deadlocks", o.deadlocks}};
  if (o.stalled.thread != checker::stall::nobody) {
    all["stalled"] = {{"thread", o.stalled.thread}, {"after", o.stalled.after}};
  }
  return all;
}

/// A value of the file, which knows its place there.
class part {
 public:
  part(const ordered_json& value, std::string place) : value_{value}, place_{std::move(place)} {}

  [[nodiscard]] part operator[](const char* key) const {
    if (!value_.is_object() || !value_.contains(key)) throw wrong(fmt::format("'{}' is missing", key));
    return {value_[key], fmt::format("{}, '{}'", place_, key)};
  }
  [[nodiscard]] bool has(const char* key) const { return value_.is_object() && value_.contains(key); }
  [[nodiscard]] std::string text() const {
    if (!value_.is_string()) throw wrong("is not a text");
    return value_.get<std::string>();
  }
  [[nodiscard]] bool truth() const {
    if (!value_.is_boolean()) throw wrong("is neither true nor false");
    return value_.get<bool>();
  }
  [[nodiscard]] unsigned number(unsigned most) const {
    if (!value_.is_number_unsigned() || value_.get<std::uint64_t>() > most) {
      throw wrong(fmt::format("is not a number from 0 to {}", most));
    }
    return value_.get<unsigned>();
  }
  /// "1.12": event 12 of thread 1.
  [[nodiscard]] event_name event() const {
    const std::string name = text();
    const std::size_t dot = name.find('.');
    const auto digits = [&](std::size_t from, std::size_t to) -> unsigned {
      constexpr std::size_t most_digits = 5;
      if (to == from || to - from > most_digits || name.find_first_not_of("0123456789", from) < to) {
        throw wrong(fmt::format("is '{}', not an event like '1.12'", name));
      }
      return static_cast<unsigned>(std::stoul(name.substr(from, to - from)));
    };
    if (dot == std::string::npos) throw wrong(fmt::format("is '{}', not an event like '1.12'", name));
    const unsigned thread = digits(0, dot);
    const unsigned index = digits(dot + 1, name.size());
    if (thread >= checker::max_threads || index >= checker::most_events) throw wrong("has no such thread or event");
    return {static_cast<std::uint8_t>(thread), static_cast<std::uint16_t>(index)};
  }
  [[nodiscard]] const ordered_json& list() const {
    if (!value_.is_array()) throw wrong("is not a list");
    return value_;
  }
  [[nodiscard]] std::runtime_error wrong(const std::string& what) const {
    return std::runtime_error(fmt::format("{}: {}", place_, what));
  }

 private:
  const ordered_json& value_;
  std::string place_;
};

step step_of(const part& p) {
  step s{.at = p["event"].event(),
         .action = p["action"].text(),
         .site = p["site"].text(),
         .location = p["location"].text(),
         .order = p["order"].text(),
         .value = p["value"].text(),
         .choice = p["choice"].number(UINT8_MAX),
         .waits = p["waits"].truth()};
  if (p["other"].text() != from_the_beginning) s.other = p["other"].event();
  return s;
}

checker::options options_of(const part& p) {
  checker::options o;
  const std::string rule = p["release_sequences"].text();
  if (rule != "c++20" && rule != "c++11") throw p["release_sequences"].wrong("is neither c++20 nor c++11");
  o.sequences = rule == "c++20" ? checker::release_sequences::cxx20 : checker::release_sequences::cxx11;
  o.max_events = p["max_events"].number(checker::most_events);
  o.ghosts = p["ghosts"].truth();
  o.leaks = p["leaks"].truth();
  o.timeouts = p["timeouts"].truth();
  o.deadlocks = p["deadlocks"].truth();
  if (p.has("stalled")) {
    const part stalled = p["stalled"];
    o.stalled = {stalled["thread"].number(checker::max_threads - 1), stalled["after"].number(UINT32_MAX)};
  }
  return o;
}

trace_file trace_of(const ordered_json& json, const std::string& file) {
  const part all(json, file);
  if (all["format"].text() != format) throw all["format"].wrong(fmt::format("is not '{}'", format));
  trace_file t{.version = all["version"].text(),
               .structure = all["structure"].text(),
               .program = all["program"].text(),
               .line = all.has("line") ? all["line"].text() : "",
               .mutant = all.has("mutant") ? all["mutant"].text() : "",
               .found = all["found"].text(),
               .kind = all["kind"].text(),
               .message = all["message"].text(),
               .how = options_of(all["options"]),
               .steps = {}};
  const ordered_json& steps = all["steps"].list();
  for (std::size_t i = 0; i != steps.size(); ++i) {
    t.steps.steps.push_back(step_of(part(steps[i], fmt::format("{}, step {}", file, i))));
  }
  if (const unsigned length = all["length"].number(checker::most_events); length != steps.size()) {
    throw all["steps"].wrong(fmt::format("has {} steps, and there were {}", steps.size(), length));
  }
  t.steps.ended_in = all["ended_in"].number(checker::main_thread);
  return t;
}

}  // namespace

void write(const std::string& file, const trace_file& t) {
  ordered_json all{{"format", format}, {"version", t.version}, {"structure", t.structure}, {"program", t.program}};
  if (!t.line.empty()) all["line"] = t.line;
  if (!t.mutant.empty()) all["mutant"] = t.mutant;
  all["options"] = to_json(t.how);
  all["found"] = t.found;
  all["kind"] = t.kind;
  all["message"] = t.message;
  all["ended_in"] = t.steps.ended_in;
  all["length"] = t.steps.steps.size();
  all["steps"] = ordered_json::array();
  for (const step& s : t.steps.steps) all["steps"].push_back(to_json(s));
  std::ofstream out(file);
  out << all.dump(1) << '\n';
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file + ": " + reason());
}

trace_file read_trace(const std::string& file) {
  std::error_code none;
  if (std::filesystem::is_directory(file, none)) throw std::runtime_error(file + ": cannot read: it is a directory");
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file + ": cannot read: " + reason());
  try {
    return trace_of(ordered_json::parse(in), file);
  } catch (const ordered_json::parse_error& e) {
    throw std::runtime_error(fmt::format("{}: not JSON, at byte {}: {}", file, e.byte, e.what()));
  }
}

namespace {

const suites::structure& structure_of(const trace_file& t, const std::string& file) {
  const auto all = suites::structures();
  const auto found = std::ranges::find(all, t.structure, &suites::structure::name);
  if (found == all.end()) throw std::runtime_error(fmt::format("{}: there is no structure '{}'", file, t.structure));
  return *found;
}

suites::program program_of(const suites::structure& s, const trace_file& t, const std::string& file) {
  if (!t.line.empty()) return own_program(s, t.line);
  for (const auto* all : {&s.programs, &s.broken, &s.longer, &s.sampled}) {
    const auto found = std::ranges::find(*all, t.program, [](const suites::program& p) { return p.about.name; });
    if (found != all->end()) return *found;
  }
  throw std::runtime_error(fmt::format("{}: {} has no program '{}'", file, s.name, t.program));
}

void break_by(const suites::structure& s, const trace_file& t, const std::string& file) {
  if (t.mutant.empty()) return;
  for (const suites::mutant& m : s.mutants) {
    if (m.name == t.mutant) return s.apply(m.what);
  }
  throw std::runtime_error(fmt::format("{}: there is no mutant '{}'", file, t.mutant));
}

}  // namespace

int replay(const std::string& file) {
  const trace_file t = read_trace(file);
  const suites::structure& s = structure_of(t, file);
  const suites::program p = program_of(s, t, file);
  break_by(s, t, file);
  checker::options o = t.how;
  o.how = checker::mode::replay;
  o.sample.steps = &t.steps;
  const checker::verdict v = p.explore(o);
  s.reset();

  fmt::print("{}: {}{}, {} steps, found by: {}\n", t.structure, t.program,
             t.mutant.empty() ? "" : " with '" + t.mutant + "'", t.steps.steps.size(), t.found);
  fmt::print("recorded: {}: {}\n", t.kind, t.message);
  if (v.outcome == checker::outcome::ok) {
    fmt::print("replayed: no violation\n");
    return as_expected;
  }
  if (v.kind == checker::violation::unlike_record) {
    fmt::print(stderr, "{}: {}\n  the file is spoilt, or the program is no longer what was recorded", file, v.message);
    const std::string version(library_version());
    fmt::print(stderr, "{}\n", t.version == version ? "" : fmt::format(" (by {}; this is {})", t.version, version));
    return bad_usage;
  }
  fmt::print("replayed: {}: {}\n\n{}\n  {}\n", name(v.kind), v.message, v.trace, v.message);
  if (v.message != t.message) fmt::print("  which is another violation than was recorded\n");
  return violated;
}

}  // namespace licit::tool
