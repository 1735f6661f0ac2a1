#include "verify/display.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "rows.hpp"

namespace licit::tool {

namespace {

using nlohmann::ordered_json;

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

bool is_as_expected(const reported& r) { return r.row["verdict"] == r.row["expected"]; }

}  // namespace

std::vector<reported> reports_of(const std::vector<result>& made) {
  std::vector<reported> all;
  all.reserve(made.size());
  for (const result& r : made) all.push_back({to_json(r, this_command()), row_text(r), history_text(r)});
  return all;
}

std::string packed(const std::vector<reported>& all) {
  ordered_json message = ordered_json::array();
  for (const reported& r : all) message.push_back({{"row", r.row}, {"text", r.text}, {"history", r.history}});
  return message.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::vector<reported> unpacked(std::string_view message) {
  std::vector<reported> all;
  for (ordered_json& r : ordered_json::parse(message)) {
    all.push_back({std::move(r["row"]), r["text"].get<std::string>(), r["history"].get<std::string>()});
  }
  return all;
}

namespace {

constexpr std::size_t before_rules = std::string_view("every client").size();

std::string capacities_of(const ordered_json& row) {
  if (!row.contains("capacities")) return {};
  const auto all = row["capacities"].get<std::vector<unsigned>>();
  return fmt::format("{} {}", all.size() == 1 ? "capacity" : "capacities", fmt::join(all, " and "));
}

/// The program, and the alphabet if it is not the core.
std::string generated_name(const ordered_json& row) {
  return row["program"].get<std::string>() + (row["alphabet"] == "full" ? ", full alphabet, an edge" : "");
}

}  // namespace

void generated::add(const reported& r) {
  const std::string rules = r.row["program"].get<std::string>().substr(before_rules);  // ", tags of one bit"
  of = r.row["structure"].get<std::string>() + (rules.empty() ? "" : " with" + rules.substr(1));
  full = r.row["alphabet"] == "full";
  capacities = capacities_of(r.row);
  calls = r.row["calls"].get<unsigned>();
  clients = r.row["clients"].get<std::uint64_t>();
  executions += r.row["executions"].get<std::uint64_t>();
  seconds += r.row["seconds"].get<double>();
  const bool stopped = r.row["verdict"] == "limit";
  right = right && (stopped || is_as_expected(r));
  limited = limited || stopped;
}

void tally::add(const reported& r) {
  const std::string mutant = r.row.value("mutant", "");
  if (r.row.contains("clients")) {
    every[generated_name(r.row)].add(r);
  } else if (mutant.empty()) {
    clients.insert(r.row["program"].get<std::string>());
    executions += r.row["executions"].get<std::uint64_t>();
  } else if (r.row["expected"] != "ok") {  // else it is one that the checker cannot see
    mutants.insert(mutant);
    if (!is_as_expected(r)) missed.insert(mutant);
  }
  if (!r.row.contains("clients")) seconds += r.row["seconds"].get<double>();
  ++rows;
  if (is_as_expected(r)) return;
  (r.row["verdict"] == "limit" ? limits : surprises) += 1;
}

void tally::add(const tally& t) {
  for (const std::string& name : t.clients) clients.insert(name);
  for (const std::string& name : t.mutants) mutants.insert(name);
  for (const std::string& name : t.missed) missed.insert(name);
  executions += t.executions;
  seconds += t.seconds;
  rows += t.rows;
  surprises += t.surprises;
  limits += t.limits;
  every.insert(t.every.begin(), t.every.end());
}

display::display(const verify_options& options, std::vector<part> parts)
    : options_{options},
      parts_{std::move(parts)},
      tallies_(parts_.size()),
      reports_(parts_.size()),
      done_(parts_.size()),
      bar_{[&] {
             double all = 0;
             for (const part& p : parts_) all += p.work;
             return all;
           }(),
           !options.quiet} {
  for (std::size_t i = 0; i != parts_.size(); ++i) reports_[i].resize(parts_[i].pieces);
  if (by_row()) return;
  fmt::print("{:<22} {:>7} {:>14} {:>16} {:>9}  verdict\n", "structure", "clients", "executions", "mutants caught",
             "seconds");
  std::fflush(stdout);
}

/// Who names rows wants to see them.
bool display::by_row() const {
  return options_.all || !options_.programs.empty() || !options_.mutants.empty() || !options_.stall.empty() ||
         !options_.client.empty() || options_.shard.has_value();
}

void display::began(std::size_t part) { running_.insert(part); }

void display::heard(std::size_t part, std::size_t piece, std::vector<reported> rows) {
  began(part);
  bar_.add(parts_[part].work / static_cast<double>(parts_[part].pieces));
  for (const reported& r : rows) {
    tallies_[part].add(r);
    if (!is_as_expected(r)) print_row(part, r);
  }
  reports_[part][piece] = std::move(rows);
  if (++done_[part] == parts_[part].pieces) ended(part);
  idle();
}

void display::print_row(std::size_t part, const reported& r) {
  bar_.clear();
  if (std::exchange(under_, part) != part) fmt::print("{}", heading_text(parts_[part].structure));
  fmt::print("{}", r.text);
  if (!is_as_expected(r) || !options_.mutants.empty()) fmt::print("{}", r.history);
  std::fflush(stdout);
}

void display::ended(std::size_t part) {
  running_.erase(part);
  bar_.clear();
  if (!by_row()) return print_line(part);
  for (const std::vector<reported>& rows : reports_[part]) {
    for (const reported& r : rows) {
      if (is_as_expected(r)) print_row(part, r);
    }
  }
}

void display::print_line(std::size_t part) const {
  const tally& t = tallies_[part];
  const std::string caught =
      t.mutants.empty() ? "-" : fmt::format("{}/{}", t.mutants.size() - t.missed.size(), t.mutants.size());
  fmt::print("{:<22} {:>7} {:>14} {:>16} {:>9.1f}  {}\n", parts_[part].structure, t.clients.size(),
             grouped(t.executions), caught, t.seconds,
             t.surprises != 0 ? "NOT AS EXPECTED"
             : t.limits != 0  ? "limit"
                              : "ok");
  for (const auto& [name, clients] : t.every) print_generated(name, clients);
  std::fflush(stdout);
}

void display::print_generated(const std::string& name, const generated& every) {
  fmt::print("{:<22} {:>7} {:>14} {:>16} {:>9.1f}  {}\n", fmt::format("  all of up to {} calls", every.calls),
             every.clients, grouped(every.executions), "-", every.seconds,
             (!every.right    ? "NOT AS EXPECTED"
              : every.limited ? "limit"
                              : "ok") +
                 name.substr(before_rules));
}

void display::idle() const {
  std::string what;
  for (const std::size_t part : running_) what += (what.empty() ? "" : ", ") + parts_[part].structure;
  bar_.show(what);
}

tally display::sum() const {
  tally all;
  for (std::size_t i = 0; i != parts_.size(); ++i) {
    tally named;  // structures share names
    for (tally t = tallies_[i]; auto* names : {&t.clients, &t.mutants, &t.missed}) {
      auto& to = names == &t.clients ? named.clients : names == &t.mutants ? named.mutants : named.missed;
      for (const std::string& name : *names) to.insert(parts_[i].structure + " " + name);
    }
    const tally& t = tallies_[i];
    named.executions = t.executions;
    named.seconds = t.seconds;
    named.rows = t.rows;
    named.surprises = t.surprises;
    named.limits = t.limits;
    for (const auto& [name, clients] : t.every) named.every.emplace(parts_[i].structure + " " + name, clients);
    all.add(named);
  }
  return all;
}

void display::close() const {
  bar_.clear();
  const tally all = sum();
  if (by_row()) {
    fmt::print("\n{}, {}\n", counted(all.rows, "row"),
               all.surprises != 0 ? fmt::format("{} NOT as expected", all.surprises)
               : all.limits != 0  ? fmt::format("{} not finished", all.limits)
                                  : "all as expected");
  }
  fmt::print("\n{}\n", conclusion(all, parts_.size(), options_));
}

exit_status display::status() const {
  const tally all = sum();
  return all.surprises != 0 ? violated : all.limits != 0 ? undecided : as_expected;
}

ordered_json display::rows() const {
  ordered_json all = ordered_json::array();
  for (const auto& pieces : reports_) {
    for (const std::vector<reported>& rows : pieces) {
      for (const reported& r : rows) all.push_back(r.row);
    }
  }
  return all;
}

namespace {

/// "up to 7 calls of chase-lev (capacities 1 and 2), 4 of …": those over one alphabet, the most calls first.
std::string extent_text(const tally& t, bool full) {
  std::map<std::pair<unsigned, std::string>, std::vector<std::string>, std::greater<>> same;
  for (const auto& [name, every] : t.every) {
    if (every.full == full) same[{every.calls, every.capacities}].push_back(every.of);
  }
  std::string text;
  for (const auto& [extent, structures] : same) {
    const auto& [calls, capacities] = extent;
    text +=
        fmt::format("{}{} of {}", text.empty() ? "up to " : ", ", counted(calls, "call"), fmt::join(structures, ", "));
    if (!capacities.empty()) text += fmt::format(" ({})", capacities);
  }
  return text;
}

/// What is claimed of the generated clients.
std::string generated_text(const tally& t) {
  std::uint64_t clients = 0;
  for (const auto& [name, every] : t.every) clients += every.clients;
  std::string text = fmt::format("{} (every client by up to 3 threads: ", counted(clients, "generated client"));
  const std::string core = extent_text(t, false);
  const std::string full = extent_text(t, true);
  if (!core.empty()) text += "of the core alphabet, without an edge from outside, " + core;
  if (!full.empty()) text += (core.empty() ? "" : "; ") + ("of the full alphabet, with up to one edge, " + full);
  return fmt::format("{}) {} linearizable with respect to happens-before", text, clients == 1 ? "is" : "are");
}

}  // namespace

std::string conclusion(const tally& t, std::size_t structures, const verify_options& options) {
  const std::string rows = counted(t.rows, "row");
  if (t.surprises != 0) {
    return fmt::format("NOT AS EXPECTED: {} of {}; each stands above with its execution.", t.surprises, rows);
  }
  if (t.limits != 0) {
    return fmt::format("Not finished: {} of {} stopped after {} executions (--limit), and say nothing.", t.limits, rows,
                       options.limit);
  }
  if (options.shard) {
    return fmt::format("This is shard {}/{} alone: `licit merge` adds the shards up.", options.shard->index,
                       options.shard->count);
  }
  if (!options.mode.empty() || (options.checkers.size() == 1 && options.checkers[0] == relacy_name)) {
    const std::string caught =
        t.mutants.empty() ? "" : fmt::format(", and {} caught", counted(t.mutants.size(), "mutant"));
    return fmt::format(
        "Shown: no violation in {} executions of {} of {}{}; not shown: that there is none in the executions that were "
        "not tried, or that the sampler's model of memory lacks.",
        grouped(t.executions), counted(t.clients.size(), "client"), counted(structures, "structure"), caught);
  }
  const std::string rules =
      options.rules.size() == 1 ? (options.rules[0] == "c++20" ? "C++20's" : "C++11's") : "both C++20's and C++11's";
  std::string shown;
  if (!t.clients.empty()) {
    shown = fmt::format("{} of {} {} right in every execution of RC11, under {} release sequences",
                        counted(t.clients.size(), "client"), counted(structures, "structure"),
                        t.clients.size() == 1 ? "is" : "are", rules);
  }
  if (!t.every.empty()) shown += (shown.empty() ? "" : "; ") + generated_text(t);
  if (!t.mutants.empty()) {
    shown += fmt::format("{}{} {} caught",
                         shown.empty()      ? ""
                         : !t.every.empty() ? "; and "
                                            : ", and ",
                         counted(t.mutants.size(), "mutant"), t.mutants.size() == 1 ? "is" : "are");
  }
  return fmt::format("Shown: {}; not shown: other clients and sizes, and load buffering beyond what ghost reads cover.",
                     shown);
}

}  // namespace licit::tool
