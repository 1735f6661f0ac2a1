#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <optional>
#include <span>
#include <stdexcept>
#include <system_error>

#include <nlohmann/json.hpp>

#include "checker/show/exit_status.hpp"
#include "machine/binary/client.hpp"
#include "machine/codegen/process.hpp"
#include "machine/codegen/target.hpp"
#include "machine/commands.hpp"

namespace licit::machine {

namespace {

using nlohmann::ordered_json;
using changes = std::vector<codegen::change>;

using enum checker::exit_status;

bool chosen(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

/// What came of all clients on one executable.
struct result {
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  bool complete = true;
  std::string client;     ///< the first that is wrong, or empty
  std::string violation;  ///< how
};

result explore(const binary::executable& on, const binary_options& options) {
  result all;
  for (const binary::client& c : binary::clients()) {
    if (!chosen(options.clients, c.name) || !binary::suits(c, on)) continue;
    const binary::verdict v = binary::run(c, on, {.executions = options.limit});
    all.executions += v.counts.executions;
    all.blocked += v.counts.blocked;
    if (!v.violation.empty()) {
      all.client = c.name;
      all.violation = v.violation;
      return all;
    }
    all.complete = all.complete && v.counts.complete && v.counts.too_long == 0;
  }
  return all;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string shown(const result& r) {
  if (!r.client.empty()) return fmt::format("wrong: {}: {}", r.client, first_line(r.violation));
  return fmt::format("{} {} executions", r.complete ? "right, all" : "nothing wrong in the first", r.executions);
}

/// One structure by one compiler for one target.
class subject {
 public:
  subject(const codegen::structure& s, const codegen::target& t, const codegen::compiler& by,
          const binary_options& options)
      : structure_(s), target_(t), by_(by), options_(options) {}

  /// Whether it is right; incomplete counts as right, and is noted.
  bool as_it_is(ordered_json& into, bool& complete) {
    std::optional<changes> changed;
    for (const std::string& c : options_.changes) {
      if (!changed) changed.emplace();
      changed->push_back(codegen::parse_change(c, structure_));
    }
    const result r = explore(build(changed), options_);
    std::string name;
    for (const std::string& c : options_.changes) name += (name.empty() ? "" : ", ") + c;
    report(name.empty() ? "as it is" : name, shown(r), into, r);
    if (!r.client.empty()) fmt::print("{}\n", r.violation);
    complete = complete && r.complete;
    return r.client.empty();
  }

  void weakened(ordered_json& into) {
    const std::string unchanged = build(changes{}).code();
    for (const codegen::change& c : binary::weakenings(structure_)) {
      const binary::executable on = build(changes{c});
      const std::string name = fmt::format("{} {}", structure_.rows[c.row].site, c.how);
      if (on.code() == unchanged) {
        report(name, "the same code", into, {});
      } else {
        const result r = explore(on, options_);
        report(name, shown(r), into, r);
      }
    }
  }

 private:
  [[nodiscard]] binary::executable build(const std::optional<changes>& changed) const {
    return licit::binary::build(
        structure_, by_, options_.headers.empty() ? codegen::headers_of_this_build() : options_.headers, changed);
  }
  void report(const std::string& what, const std::string& verdict, ordered_json& into, const result& r) const {
    fmt::print("{:<21} {:<13} {:<8} {:<24} {}\n", structure_.name, target_.name, by_.called, what, verdict);
    std::fflush(stdout);
    into.push_back({{"structure", structure_.name},
                    {"target", target_.name},
                    {"compiler", by_.called},
                    {"row", what},
                    {"verdict", verdict},
                    {"executions", r.executions},
                    {"blocked", r.blocked},
                    {"violation", r.violation}});
  }

  const codegen::structure& structure_;
  const codegen::target& target_;
  const codegen::compiler& by_;
  const binary_options& options_;
};

void write(const std::string& file, const ordered_json& what) {
  std::ofstream out(file);
  out << what.dump(1) << '\n';
  out.close();
  if (!out) throw std::runtime_error("cannot write " + file + ": " + std::generic_category().message(errno));
}

}  // namespace

std::vector<std::string> binary_targets() {
  std::vector<std::string> all;
  for (const codegen::target& t : codegen::targets) {
    if (t.instructions == codegen::family::arm) all.emplace_back(t.name);
  }
  return all;
}

std::vector<std::string> binary_clients() {
  std::vector<std::string> all;
  for (const binary::client& c : binary::clients()) all.emplace_back(c.name);
  return all;
}

int run_binary(const binary_options& options) {
  if (!options.changes.empty() && options.structures.size() != 1) {
    throw std::invalid_argument("a change is to a row of one structure: name it by --structure");
  }
  ordered_json results = ordered_json::array();
  bool right = true;
  bool complete = true;
  bool any = false;
  for (const codegen::target& t : codegen::targets) {
    if (t.instructions != codegen::family::arm || !chosen(options.targets, t.name)) continue;
    for (const std::string_view name : codegen::compilers) {
      if (!chosen(options.compilers, name)) continue;
      try {
        const codegen::compiler by = codegen::find_compiler(name, t);
        for (const codegen::structure& s : codegen::structures()) {
          if (!chosen(options.structures, s.name)) continue;
          subject one(s, t, by, options);
          right = one.as_it_is(results, complete) && right;
          if (options.mutants) one.weakened(results);
          any = true;
        }
      } catch (const codegen::missing& m) {
        fmt::print("skipped: {} for {}: {}\n", name, t.name, m.what());
      }
    }
  }
  if (!options.json.empty()) write(options.json, results);
  if (!right) return violated;
  return any && complete ? as_expected : undecided;
}

}  // namespace licit::machine
