#include "verify/inspection.hpp"

#include <algorithm>
#include <exception>
#include <fmt/core.h>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace licit::tool {

namespace {

using checker::verdict;
using models::relacy::search;
using suites::mutant;
using suites::program;

bool is_relacy(way w) { return w >= way::relacy_full; }
bool is_bounded(way w) { return w >= way::relacy_bound_1 && w <= way::relacy_bound; }
bool is_part(way w) { return w < way::exhaustive; }

std::string checker_of(way w) {
  if (w == way::sampled) return std::string(walk_name);
  return std::string(is_relacy(w) ? relacy_name : exhaustive_name);
}

constexpr std::uint64_t glimpsed_executions = 100;
constexpr std::uint64_t begun_executions = 2'000;
constexpr std::uint64_t sampled_executions = 100'000;
constexpr std::uint64_t walked_executions = 1'000;
constexpr std::uint64_t relacy_executions = 2'000;
constexpr std::uint64_t relacy_bounded_executions = 100'000;
/// A program with more is explored with a thread stopped only if programs that take minutes are asked for.
constexpr std::uint64_t stopped_executions = 100'000;

/// The result, or an exception that names the program.
auto named(const program& p, const auto& made) try { return made(); } catch (const std::exception& e) {
  throw std::runtime_error(fmt::format("{}: {}", p.about.name, e.what()));
}

/// Relacy knows not every program, and some are too large for its bounded search.
bool explores(way w, const program& p) {
  if (is_relacy(w) && !p.under_relacy) return false;
  return !is_bounded(w) || p.about.relacy != suites::reach::sampled;
}

}  // namespace

bool has_mutant(const suites::structure& s, std::string_view name) {
  return name.empty() || std::ranges::find(s.mutants, name, &mutant::name) != s.mutants.end();
}

void break_by(const suites::structure& s, std::string_view name) {
  const auto m = std::ranges::find(s.mutants, name, &mutant::name);
  if (m != s.mutants.end()) s.apply(m->what);
}

bool chosen(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

inspection::inspection(const suites::structure& s, const verify_options& options, unsigned jobs, program_sizes sizes)
    : of_{s}, options_{options}, jobs_{jobs}, sizes_{std::move(sizes)} {
  if (!options.client.empty()) {
    programs_.push_back(own_program(s, options.client));
    return;
  }
  if (!options.mutants.empty()) return;
  const auto add = [&](const std::vector<program>& all, bool only_named) {
    for (const program& p : all) {
      if (only_named ? !options.programs.empty() && chosen(options.programs, p.about.name)
                     : chosen(options.programs, p.about.name)) {
        programs_.push_back(p);
      }
    }
  };
  add(s.programs, false);
  add(s.longer, !options.longer);
  if (!options.mode.empty()) add(s.sampled, false);
}

/// The exhaustive checker under both rules of release sequences; and of Relacy everything where it can finish, else a
/// bound and a random sample.
std::vector<way> inspection::ways(const program& p) const {
  if (!options_.mode.empty()) return {way::sampled};
  std::vector<way> all;
  if (chosen(options_.checkers, exhaustive_name)) {
    if (options_.rules.empty() && !options_.shard) {
      all.push_back(way::exhaustive_both_rules);
    } else {
      if (chosen(options_.rules, "c++20")) all.push_back(way::exhaustive);
      if (chosen(options_.rules, "c++11")) all.push_back(way::exhaustive_cxx11);
    }
  }
  if (!chosen(options_.checkers, relacy_name) || !p.under_relacy) return all;
  const suites::reach reach = p.about.relacy;
  if (reach == suites::reach::full) all.push_back(way::relacy_full);
  if (reach == suites::reach::bounded) all.push_back(way::relacy_bound);
  if (reach != suites::reach::full) all.push_back(way::relacy_random);
  return all;
}

std::vector<std::optional<unsigned>> inspection::stops(const program& p, way w) const {
  if (options_.stall.empty()) return {std::nullopt};
  std::vector<std::optional<unsigned>> all;
  if (is_left_out(p)) return all;
  for (const unsigned thread : options_.stall) {
    if (thread < p.about.threads && !is_relacy(w) && !p.about.waits) all.emplace_back(thread);
  }
  return all;
}

bool inspection::is_left_out(const program& p) const {
  if (options_.stall.empty() || options_.longer || !options_.programs.empty() || p.about.waits) return false;
  const auto known = sizes_.find(p.about.name);
  return known != sizes_.end() && known->second > stopped_executions;
}

std::size_t inspection::left_out() const {
  return static_cast<std::size_t>(std::ranges::count_if(programs_, [&](const program& p) { return is_left_out(p); }));
}

std::vector<std::vector<way>> inspection::hunts(const mutant& m) const {
  if (!options_.mode.empty()) return {{way::sampled}};
  std::vector<std::vector<way>> all;
  if (chosen(options_.checkers, exhaustive_name)) all.push_back(ways_to_find());
  if (!chosen(options_.checkers, relacy_name) || !of_.no_relacy.empty()) return all;
  if (m.relacy_blind.empty()) {
    all.push_back({way::relacy_bound_1, way::relacy_bound_2, way::relacy_random, way::relacy_bound});
  } else {
    all.push_back({way::relacy_glance});
  }
  return all;
}

bool inspection::has_broken() const { return !options_.mode.empty() || chosen(options_.checkers, exhaustive_name); }

bool inspection::has_generated() const {
  return has_mutants() && options_.mutants.empty() && options_.mode.empty() && options_.rules.empty() &&
         !of_.every.empty() && chosen(options_.checkers, exhaustive_name);
}

std::vector<inspection::row> inspection::rows() const {
  std::vector<row> all;
  for (const program& p : programs_) {
    for (const way w : ways(p)) {
      for (const auto& stall : stops(p, w))
        all.emplace_back([this, &p, w, stall] { return check_program(p, w, stall); });
    }
  }
  for (const suites::specified_structure& every : of_.every) {
    if (!has_generated()) break;
    all.emplace_back([this, &every] { return check_clients(of_, every, false, options_.limit); });
    if (every.full_calls == 0) continue;
    all.emplace_back([this, &every] { return check_clients(of_, every, true, options_.limit); });
  }
  if (!has_mutants()) return all;
  for (const mutant& m : of_.mutants) {
    if (!chosen(options_.mutants, m.name)) continue;
    for (const std::vector<way>& by : hunts(m)) all.emplace_back([this, &m, by] { return std::vector{hunt(m, by)}; });
  }
  for (const program& p : of_.broken) {
    if (has_broken() && chosen(options_.mutants, p.about.name)) {
      all.emplace_back([this, &p] { return std::vector{check_broken(p)}; });
    }
  }
  return all;
}

std::vector<result> inspection::check_program(const program& p, way w, std::optional<unsigned> stall) const {
  for (const mutant& m : of_.mutants) {
    if (m.name == options_.broken_by) of_.apply(m.what);
  }
  std::vector<result> rows;
  for (verdict& v : check_all(p, w, stall)) {
    rows.push_back({.structure = std::string(of_.name),
                    .program = std::string(p.about.name),
                    .checker = checker_of(w),
                    .note = std::string(options_.symmetric && !is_relacy(w) && p.equal.empty() ? p.unequal : ""),
                    .got = std::move(v),
                    .line = options_.client,
                    .broken_by = options_.broken_by,
                    .limit = options_.limit});
  }
  of_.reset();
  for (result& r : rows) {
    if (!r.line.empty()) judge_own(r);
  }
  return rows;
}

result inspection::check_broken(const program& p) const {
  const std::vector<way> by = options_.mode.empty() ? ways_to_find() : std::vector{way::sampled};
  result r{.structure = std::string(of_.name),
           .program = std::string(p.about.name),
           .checker = checker_of(by.front()),
           .mutant = std::string(p.about.name),
           .expected = checker::outcome::violation,
           .limit = options_.limit};
  std::uint64_t executions = 0;
  double seconds = 0;
  for (const way w : by) {
    r.got = check(p, w, {}, shows_mutants());
    executions += r.got.executions;
    seconds += r.got.seconds;
    if (r.got.outcome == checker::outcome::violation) break;
  }
  r.got.executions = executions;
  r.got.seconds = seconds;
  return r;
}

/// Who looks at a mutant's execution gets the one that the search comes to first, in the first program of the list.
std::vector<way> inspection::ways_to_find() const {
  if (shows_mutants() || options_.wants_execution()) return {way::begun, way::exhaustive};
  return {way::glimpsed, way::begun, way::walked, way::exhaustive};
}

result inspection::hunt(const mutant& m, const std::vector<way>& by) const {
  const bool blind = by.front() == way::relacy_glance;
  result r{.structure = std::string(of_.name),
           .program = "every program",
           .checker = checker_of(by.front()),
           .mutant = std::string(m.name),
           .note = blind ? "Relacy does not see it: " + std::string(m.relacy_blind) : "",
           .expected = blind ? checker::outcome::ok : checker::outcome::violation,
           .limit = options_.limit};
  std::uint64_t executions = 0;
  double seconds = 0;
  std::vector<const program*> left = cheapest_first();
  const auto finds = [&](const program* p, way w) {
    if (!explores(w, *p)) return false;
    r.got = check(*p, w, {}, shows_mutants());
    executions += r.got.executions;
    seconds += r.got.seconds;
    if (is_part(w) && r.got.outcome != checker::outcome::violation) {
      if (r.got.outcome == checker::outcome::ok && !r.got.sampled) std::erase(left, p);
      return false;
    }
    if (r.got.outcome != checker::outcome::ok) r.program = p->about.name;
    return r.got.outcome != checker::outcome::ok;
  };
  bool found = false;
  of_.apply(m.what);
  for (const way w : by) {
    found = found || std::ranges::any_of(std::vector(left), [&](const program* p) { return finds(p, w); });
  }
  of_.reset();
  r.got.executions = executions;
  r.got.seconds = seconds;
  if (!found && by.back() == way::relacy_bound) r.got.bound = "random, then 3";
  return r;
}

std::vector<const program*> inspection::cheapest_first() const {
  std::vector<const program*> all;
  all.reserve(of_.programs.size());
  for (const program& p : of_.programs) all.push_back(&p);
  std::ranges::sort(all, {}, [&](const program* p) {
    const auto known = shows_mutants() || options_.wants_execution() ? sizes_.end() : sizes_.find(p->about.name);
    const std::uint64_t size = known == sizes_.end() ? std::numeric_limits<std::uint64_t>::max() : known->second;
    return std::tuple{size, p->about.threads, p};
  });
  return all;
}

bool inspection::shows_mutants() const { return !options_.mutants.empty() || options_.draw.wanted(); }

std::vector<verdict> inspection::check_all(const program& p, way w, std::optional<unsigned> stall) const {
  if (w == way::relacy_bound) return {bounded(p)};
  if (w != way::exhaustive_both_rules) return {check(p, w, stall, true)};
  return named(p, [&] { return checker::explore_by_both_rules(p.explore, settings_of(p, w, stall, true)); });
}

verdict inspection::check(const program& p, way w, std::optional<unsigned> stall, bool shows) const {
  if (w == way::sampled) return sampled(p);
  if (w == way::walked) {
    return checker::explore(p.explore,
                            {.options = {.max_executions = options_.limit,
                                         .how = checker::mode::random,
                                         .sample = {.executions = walked_executions, .seed = options_.seed}}});
  }
  if (is_relacy(w)) return under_relacy(p, w);
  return named(p, [&] { return checker::explore(p.explore, settings_of(p, w, stall, shows)); });
}

verdict inspection::sampled(const program& p) const {
  return checker::explore(p.explore,
                          {.options = {.max_executions = options_.limit,
                                       .how = options_.mode == "random" ? checker::mode::random : checker::mode::pct,
                                       .sample = {.executions = options_.iterations.value_or(sampled_executions),
                                                  .seed = options_.seed,
                                                  .depth = options_.depth}}});
}

checker::settings inspection::settings_of(const program& p, way w, std::optional<unsigned> stall, bool shows) const {
  using enum checker::release_sequences;
  const std::uint64_t most = w == way::glimpsed ? glimpsed_executions
                             : w == way::begun  ? begun_executions
                                                : options_.limit;
  return {.options = {.sequences = w == way::exhaustive_cxx11 ? cxx11 : cxx20,
                      .max_executions = std::min(options_.limit, most),
                      .equal = options_.symmetric ? p.equal : decltype(p.equal){}},
          .stall = stall,
          .share = options_.shard.value_or(checker::share{}),
          .jobs = jobs_,
          .shrink = shows};
}

verdict inspection::bounded(const program& p) const {
  if (options_.longer || options_.limit <= relacy_bounded_executions) return under_relacy(p, way::relacy_bound);
  const verdict v = under_relacy(p, way::relacy_bound, relacy_bounded_executions);
  return v.outcome == checker::outcome::limit ? under_relacy(p, way::relacy_bound_2, options_.limit) : v;
}

verdict inspection::under_relacy(const program& p, way w) const { return under_relacy(p, w, options_.limit); }

verdict inspection::under_relacy(const program& p, way w, std::uint64_t limit) const {
  models::relacy::settings s;
  s.how = w == way::relacy_full ? search::full : is_bounded(w) ? search::bound : search::random;
  if (w == way::relacy_bound_1) s.preemptions = 1;
  if (w == way::relacy_bound_2) s.preemptions = 2;
  const std::uint64_t executions = options_.iterations.value_or(relacy_executions);
  s.executions = w == way::relacy_glance ? std::max<std::uint64_t>(executions / 10, 1) : executions;
  s.limit = limit;
  return p.under_relacy(s);
}

}  // namespace licit::tool
