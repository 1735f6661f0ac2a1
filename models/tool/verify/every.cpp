
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <licit/checker/explore.hpp>
#include <licit/checker/process_pool.hpp>

#include "audit/findings.hpp"
#include "rows.hpp"
#include "suites/every/clients.hpp"
#include "verify/inspection.hpp"

namespace licit::tool {

namespace {

using clock = std::chrono::steady_clock;
using suites::specified_structure;
using suites::structure;

/// A bounded queue's clients do not begin with more items than it holds.
bool has_room(const client_shape& shape, unsigned filling, unsigned capacity) {
  return shape.words.owner.empty() || shape.words.owner[0] != std::string_view("try") || filling <= capacity;
}

suites::client_size size_of(const client_shape& shape, unsigned calls) {
  return {shape.words.owner, shape.words.thief, shape.thieves, calls, shape.alike};
}

/// What was found in all clients of one number of calls, or in a share of them.
struct found {
  std::uint64_t clients = 0;
  std::uint64_t executions = 0;
  std::uint64_t wrong_at = ~std::uint64_t{0};  ///< the number of the first client that fails; else none
  std::string wrong = {};                      ///< its line
  std::string kind = {};
  std::string message = {};
  std::string trace = {};
  bool limit = false;  ///< a client has more executions than --limit, and is not judged

  [[nodiscard]] bool failed() const { return !wrong.empty(); }

  void add(const found& share) {
    const std::uint64_t all = clients + share.clients;
    const std::uint64_t in_all = executions + share.executions;
    const bool limited = limit || share.limit;
    if (share.wrong_at < wrong_at) *this = share;
    clients = all;
    executions = in_all;
    limit = limited;
  }
};

std::string packed(const found& f) {
  return json{{"clients", f.clients}, {"executions", f.executions}, {"wrong_at", f.wrong_at}, {"wrong", f.wrong},
              {"kind", f.kind},       {"message", f.message},       {"trace", f.trace},       {"limit", f.limit}}
      .dump();
}
found unpacked_share(const std::string& text) {
  const json j = json::parse(text);
  return {j["clients"], j["executions"], j["wrong_at"], j["wrong"], j["kind"], j["message"], j["trace"], j["limit"]};
}

/// The clients whose number modulo `of` is `share`. Ends at the first that fails.
found explore_share(const specified_structure& s, const verify_options& o, unsigned calls, unsigned share,
                    unsigned of) {
  found all;
  std::uint64_t number = 0;
  for_each_client(shape_of(s, o), calls, [&](const std::string& line) {
    if (number++ % of != share) return true;
    const checker::verdict v = s.made(line).explore({.max_executions = o.limit});
    ++all.clients;
    all.executions += v.executions;
    if (v.outcome == checker::outcome::limit) all.limit = true;
    if (v.outcome != checker::outcome::violation) return true;
    all.wrong_at = number - 1;
    all.wrong = line;
    all.kind = name(v.kind);
    all.message = v.message;
    all.trace = v.trace;
    return false;
  });
  return all;
}

found explore_all(const specified_structure& s, const verify_options& o, unsigned calls, unsigned jobs) {
  if (jobs == 1) return explore_share(s, o, calls, 0, 1);
  std::vector<checker::process_pool::task> tasks;
  for (unsigned share = 0; share != jobs; ++share) {
    tasks.emplace_back([&, share] { return packed(explore_share(s, o, calls, share, jobs)); });
  }
  found all;
  checker::run_all(tasks, jobs, [&](const checker::process_pool::ended& e) {
    if (!e.failure.empty()) throw std::runtime_error("every client: a process " + e.failure);
    all.add(unpacked_share(e.output));
  });
  return all;
}

/// What the claim is about, and what it is not.
std::string claim(const structure& s, const specified_structure& every, const verify_options& o) {
  return fmt::format(
      "{}: every client of up to {} calls, {}, up to {} {} before: linearizable with respect to happens-before, as "
      "specified\nnot covered: other calls and sizes, {}, real time",
      s.name, o.every, text_of(shape_of(every, o)), shape_of(every, o).filling,
      shape_of(every, o).filling == 1 ? "item" : "items",
      o.edges ? "more than one edge from outside" : "synchronisation from outside between two calls");
}

result row_of(const structure& s, const specified_structure& every, const verify_options& o, unsigned calls,
              const found& f, double seconds) {
  result r{.structure = std::string(s.name),
           .program = every.name.empty() ? "every client" : fmt::format("every client, {}", every.name),
           .checker = std::string(exhaustive_name),
           .line = f.wrong,
           .broken_by = o.broken_by,
           .calls = calls,
           .clients = f.clients,
           .full = o.full,
           .edges = o.edges};
  if (!every.capacities.empty()) r.capacities = shape_of(every, o).capacities;
  r.got.outcome = f.failed() ? checker::outcome::violation : f.limit ? checker::outcome::limit : checker::outcome::ok;
  r.got.message = f.message;
  r.got.executions = f.executions;
  r.got.seconds = seconds;
  r.got.exhaustive = true;
  r.got.bound = "none, c++20";
  r.got.trace = f.trace;
  return r;
}

/// A line for each number of calls, up to the first at which a client fails.
exit_status check(const structure& s, const specified_structure& every, const verify_options& o, unsigned jobs,
                  std::vector<json>& rows) {
  fmt::print("{}: {}\n", s.name, text_of(shape_of(every, o)));
  fmt::print("{:>6} {:>12} {:>16} {:>9}\n", "calls", "clients", "executions", "seconds");
  bool limit = false;
  for (unsigned calls = 1; calls <= o.every; ++calls) {
    const auto start = clock::now();
    const found f = explore_all(every, o, calls, jobs);
    const double seconds = std::chrono::duration<double>(clock::now() - start).count();
    fmt::print("{:>6} {:>12} {:>16} {:>9.1f}\n", calls, f.clients, f.executions, seconds);
    std::fflush(stdout);
    rows.push_back(to_json(row_of(s, every, o, calls, f, seconds), this_command()));
    limit = limit || f.limit;
    if (!f.failed()) {
      const std::uint64_t all = count_of(shape_of(every, o), calls);
      if (f.clients != all) throw std::logic_error(fmt::format("{} clients are explored of {}", f.clients, all));
      continue;
    }
    rows.back()["kind"] = f.kind;
    fmt::print("violation: {}\n{}: {}\n{}\n", f.wrong, f.kind, f.message, f.trace);
    return violated;
  }
  if (limit) {
    fmt::print("limit: a client has more executions than --limit\n");
    return undecided;
  }
  fmt::print("ok: {}\n", claim(s, every, o));
  return as_expected;
}

/// Two rows of one search, by both rules: equal, and one of them is dropped, where no client's differ.
struct by_both_rules {
  found cxx20 = {};
  found cxx11 = {};
  bool differ = false;

  /// False: it fails.
  bool add(const std::string& line, const std::vector<checker::verdict>& made) {
    for (found* of : {&cxx20, &cxx11}) {
      const checker::verdict& v = of == &cxx20 ? made.front() : made.back();
      ++of->clients;
      of->executions += v.executions;
      if (v.outcome == checker::outcome::limit) of->limit = true;
      if (v.outcome != checker::outcome::violation || of->failed()) continue;
      of->wrong = line;
      of->message = line + ": " + v.message;
      of->trace = v.trace;
      of->kind = name(v.kind);
    }
    differ = differ || made.size() > 1;
    return !cxx20.failed() && !cxx11.failed();
  }
};

void refuse_other_options(const verify_options& o) {
  if (o.wants_execution() || o.shard || !o.mode.empty() || !o.stall.empty() || !o.rules.empty() || o.iterations) {
    throw std::runtime_error(
        "--every has none of --trace, --dot, --svg, --shard, --mode, --iterations, --stall and --release-sequences");
  }
}

/// A capacity that the structure refuses would make each client, and each mutant, a violation.
void refuse_capacities(const structure& s, const verify_options& o) {
  for (const specified_structure& every : s.every) {
    if (every.capacities.empty()) continue;
    for (const unsigned capacity : o.capacities) {
      client_shape shape = shape_of(every, o);
      shape.capacities = {capacity};
      shape.filling = 0;
      for_each_client(shape, 1, [&](const std::string& line) {
        const checker::verdict v = every.made(line).explore({.max_executions = 1});
        if (v.kind == checker::violation::exception) {
          throw std::runtime_error(fmt::format("--capacity {} for {}: {}", capacity, s.name, v.message));
        }
        return false;
      });
    }
  }
}

bool is_concerned(const structure& s, const verify_options& o) {
  return chosen(o.structures, s.name) && !s.every.empty() && has_mutant(s, o.broken_by);
}

}  // namespace

client_shape shape_of(const specified_structure& s, const verify_options& o) {
  client_shape shape{.rules = s.name,
                     .words = o.full ? s.full : s.core,
                     .thieves = o.thieves,
                     .alike = s.alike,
                     .filling = o.filling,
                     .capacities = o.capacities,
                     .before = s.before,
                     .edges = o.edges};
  if (shape.words.owner.empty()) {
    shape.thieves = std::min(o.thieves + 1, 3U);  // one more, who stands for the owner
    shape.filling = 0;
  }
  if (s.capacities.empty()) {
    shape.filling = 0;
    shape.capacities = {0};
  } else if (shape.capacities.empty()) {
    shape.capacities.assign(s.capacities.begin(), s.capacities.end());
  }
  std::ranges::sort(shape.capacities);
  const auto twice = std::ranges::unique(shape.capacities);
  shape.capacities.erase(twice.begin(), twice.end());
  return shape;
}

std::string text_of(const client_shape& shape) {
  std::string text = fmt::format("{}{}", shape.rules, shape.rules.empty() ? "" : ", ");
  const std::string words = fmt::format("{}", fmt::join(shape.words.thief, ", "));
  if (shape.words.owner.empty()) {
    text += fmt::format("up to {} {} ({})", shape.thieves, shape.thieves == 1 ? "thread" : "threads", words);
  } else {
    text += fmt::format("an owner ({}) and up to {} {} ({})", fmt::join(shape.words.owner, ", "), shape.thieves,
                        shape.thieves == 1 ? "thief" : "thieves", words);
  }
  if (shape.capacities != std::vector{0U}) {
    text += fmt::format(", {} {}", shape.capacities.size() == 1 ? "capacity" : "capacities",
                        fmt::join(shape.capacities, " and "));
  }
  return text + fmt::format(", {} from outside", shape.edges ? "up to one edge" : "no edge");
}

void for_each_client(const client_shape& shape, unsigned calls, const std::function<bool(const std::string&)>& each) {
  bool more = true;
  const auto with = [&](const std::string& before) {
    suites::client_generator(size_of(shape, calls), [&](const std::string& calls_of_threads) {
      return more = each(before + ":" + calls_of_threads);
    }).run();
  };
  for (unsigned filling = 0; filling <= shape.filling; ++filling) {
    for (const unsigned capacity : shape.capacities) {
      if (!has_room(shape, filling, capacity)) continue;
      for (const char* const begun : shape.before) {
        std::string before = capacity == 0 ? "" : fmt::format("capacity={}", capacity);
        before += shape.edges ? " edges=1" : "";
        before += begun;
        if (capacity == 0 && before.starts_with(' ')) before.erase(0, 1);
        for (unsigned i = 0; i != filling; ++i) before += fmt::format(" {}", shape.words.owner[0]);
        if (more) with(before);
      }
    }
  }
}

std::uint64_t count_of(const client_shape& shape, unsigned calls) {
  std::uint64_t beginnings = 0;
  for (unsigned filling = 0; filling <= shape.filling; ++filling) {
    for (const unsigned capacity : shape.capacities) {
      beginnings += has_room(shape, filling, capacity) ? shape.before.size() : 0;
    }
  }
  return beginnings * suites::count_of(size_of(shape, calls));
}

std::vector<result> check_clients(const structure& s, const specified_structure& every, bool full,
                                  std::uint64_t limit) {
  verify_options as_usual;
  as_usual.limit = limit;
  as_usual.full = as_usual.edges = full;
  const unsigned calls = full ? every.full_calls : every.calls;
  by_both_rules all;
  const auto start = clock::now();
  bool right = true;
  for (unsigned n = 1; n <= calls && right; ++n) {
    for_each_client(shape_of(every, as_usual), n, [&](const std::string& line) {
      const suites::program client = every.made(line);
      right = all.add(line, checker::explore_by_both_rules(client.explore, {.options = {.max_executions = limit}}));
      return right;
    });
  }
  const double seconds = std::chrono::duration<double>(clock::now() - start).count();
  std::vector<result> rows{row_of(s, every, as_usual, calls, all.cxx20, seconds)};
  if (!all.differ) {
    rows[0].got.bound = "none, both";
    return rows;
  }
  rows.push_back(row_of(s, every, as_usual, calls, all.cxx11, 0));
  rows[1].got.bound = "none, c++11";
  return rows;
}

int verify_every(const verify_options& options) {
  refuse_other_options(options);
  const unsigned jobs = processes(options.jobs);
  bool any = false;
  int worst = as_expected;
  std::vector<json> rows;
  for (const structure& s : suites::structures()) {
    if (!is_concerned(s, options)) continue;
    any = true;
    refuse_capacities(s, options);
    break_by(s, options.broken_by);
    const auto note = [&](exit_status status) {
      if (worst != violated && status != as_expected) worst = status;
    };
    if (options.kill) {
      note(print_kills(s, options, jobs, rows));
    } else {
      for (const specified_structure& every : s.every) note(check(s, every, options, jobs, rows));
    }
    s.reset();
  }
  if (!any) {
    throw std::runtime_error("nothing to check: no chosen structure has a specification" +
                             (options.broken_by.empty() ? "" : " and the mutant \"" + options.broken_by + "\""));
  }
  if (!options.json.empty()) write_json(options.json, json(rows));
  return worst;
}

}  // namespace licit::tool
