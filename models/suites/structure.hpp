/// A structure of the suites, as data: its ordering table, its client programs and its mutants.
///
/// A structure's file (chase_lev.hpp, …) describes it by a type:
///
///     struct lifo_slot_suite {
///       static constexpr const auto& orders = lifo_slot_orders;
///       static constexpr const auto& mutants = lifo_slot_mutants;
///       template <class List> static void programs(List& to) {
///         to.template lines<lifo_slot_client>(lifo_slot_lines);   // client class, and its lines
///         to.template add<displaced>();                           // a program in code
///       }
///       // Over a broken algorithm, where each must be found wrong: to.template lines_under<client, rules{…}>(lines),
///       // by rules of altered.hpp.
///       template <class List> static void broken(List& to);
///       template <class List> static void longer(List& to);       // too long for every change
///       template <class List> static void sampled(List& to);      // too large to explore
///       template <class List> static void every(List& to) {       // judged by a specification (suites/every)
///         to.template specified<every_lifo_slot>();
///       }
///       static constexpr std::array unreached{…};                 // mutants that no generated client finds, and why
///     };
///
/// The last five may be absent.
///
/// `suites/CMakeLists.txt` has the list of structures; each becomes an entry of the catalogue, in a translation unit of
/// its own.
#ifndef LICIT_SUITES_STRUCTURE_HPP
#define LICIT_SUITES_STRUCTURE_HPP

#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <licit/audit/subject.hpp>
#include <licit/checker/explore.hpp>
#include <licit/checker/run.hpp>
#include <licit/checker/site_rules.hpp>

#include "relacy/run.hpp"
#include "suites/altered.hpp"
#include "suites/every/clients.hpp"
#include "suites/program.hpp"

namespace licit::suites {

struct program {
  program_info about;
  std::string_view line;                          ///< its text; empty for a program in code
  checker::explorer explore;                      ///< by the exhaustive checker, in any of its modes
  std::vector<std::vector<unsigned>> equal = {};  ///< its equal threads, for checker::options::equal
  std::string_view unequal = {};                  ///< why it has none
  std::function<checker::verdict(const models::relacy::settings&)> under_relacy = {};  ///< empty: Relacy cannot run it
};

/// What generated clients call, and how such a client, a line, is judged by the structure's specification. A structure
/// has one of these for each of its client classes that have a specification: also over rules that bring near what is
/// rare.
struct specified_structure {
  std::string_view name = {};  ///< of the rules; empty: the structure as it is
  alphabet core = {};
  alphabet full = {};
  bool alike = true;                          ///< its thieves
  std::span<const unsigned> capacities = {};  ///< initial ones; none: it has no capacity
  beginnings before = {};
  unsigned calls = 0;       ///< of the core's clients in every verification, at most
  unsigned full_calls = 0;  ///< of the full alphabet's; 0: every verification has none
  std::function<program(std::string_view text)> made = {};
};

struct structure {
  std::string_view name;  ///< the table's
  std::vector<program> programs = {};
  std::span<const mutant> mutants;    ///< one row of the table made wrong, under the programs
  std::vector<program> broken = {};   ///< programs over a broken algorithm: each must be found wrong, exhaustively
  std::vector<program> longer = {};   ///< right too, but too long to explore for every change
  std::vector<program> sampled = {};  ///< too large to explore: samples only
  audit::subject audited;
  void (*apply)(const mutation&);  ///< to the orders that the programs run with from now on
  void (*reset)();
  std::string_view no_relacy = {};  ///< why Relacy runs none of it; empty: it does
  vocabulary words = {};            ///< what a line for `own` may say
  /// A line of the user's, for the structure's first client class. Throws line_error.
  std::function<program(std::string_view text)> own = {};
  std::vector<specified_structure> every = {};  ///< empty: nobody has specified it
  std::span<const suites::unreached> unreached = {};
};

namespace detail {

/// Throws line_error for a line that the client cannot run, by its own word.
template <class Client>
void expect_allowed(std::string_view text, const line& l) {
  if constexpr (requires { Client::refuses(l); }) {
    if (const char* why = Client::refuses(l)) throw line_error(text, 1, why);
  }
  if constexpr (requires(const call& c) { Client::refuses(l, 0U, c); }) {
    const auto expect = [&](unsigned thread, const calls& all) {
      for (const call& c : all) {
        if (c.what != call::kind::word) continue;
        if (const char* why = Client::refuses(l, thread, c)) throw line_error(text, c.column, why);
      }
    };
    expect(0, l.before);
    for (unsigned t = 0; t != l.threads; ++t) expect(t, l.thread[t]);
  }
}

/// Which threads of a line are equal: they have the same calls, and touch no object of their own.
template <class Client>
std::vector<std::vector<unsigned>> equal_threads(const line& l) {
  std::vector<std::vector<unsigned>> groups;
  if constexpr (requires(const call& c) { Client::interchangeable(l, 0U, c); }) {
    const auto is_any = [&](unsigned t) {
      return l.thread[t].size() != 0 && std::ranges::all_of(l.thread[t], [&](const call& c) {
               return c.what != call::kind::word || Client::interchangeable(l, t, c);
             });
    };
    for (unsigned t = 0; t != l.threads; ++t) {
      if (!is_any(t)) continue;
      const auto of = std::ranges::find_if(groups, [&](const auto& g) { return same_calls(l, g.front(), t); });
      of == groups.end() ? groups.push_back({t}) : of->push_back(t);
    }
    std::erase_if(groups, [](const auto& g) { return g.size() < 2; });
  }
  return groups;
}

/// The exhaustive checker's programs of a list.
class program_list {
 public:
  explicit program_list(std::vector<program>& to) : to_{to} {}

  template <template <class> class Client>
  void lines(std::span<const client_line> all) const {
    for (const client_line& one : all) to_.push_back(made<Client>(one));
  }
  template <template <class> class Client, auto Rules>
  void lines_under(std::span<const client_line> all) const {
    for (const client_line& one : all) {
      program p = made<Client>(one);
      p.explore = [usual = std::move(p.explore)](const checker::options& o) {
        const choice_of now(Rules);
        return usual(o);
      };
      to_.push_back(std::move(p));
    }
  }
  template <template <class> class Program>
  void add() const {
    to_.push_back({.about = Program<checker::model>::about,
                   .line = {},
                   .explore = &checker::run<Program>,
                   .unequal = "a program in code: which of its threads are equal is not known"});
  }

  template <template <class> class Client>
  static program made(const client_line& one) {
    const line parsed = parse(one.text, vocabulary_of<Client<checker::model>>());
    expect_allowed<Client<checker::model>>(one.text, parsed);
    return {.about = {one.name, one.property, parsed.threads, one.relacy, one.waits, one.goes_round},
            .line = one.text,
            .explore =
                [parsed](const checker::options& o) {
                  return checker::run_program_with<line_program<Client, checker::model>>(parsed, parsed.threads, o);
                },
            .equal = equal_threads<Client<checker::model>>(parsed),
            .unequal = have_same_calls(parsed) ? "threads with the same calls have an object each of their own"
                                               : "no two threads have the same calls"};
  }

 private:
  std::vector<program>& to_;
};

/// The first client class of a list, for lines of the user's.
struct first_client {
  structure& to;

  template <template <class> class Client>
  void lines(std::span<const client_line> /*all*/) {
    if (to.own) return;
    to.words = vocabulary_of<Client<checker::model>>();
    to.own = [](std::string_view text) {
      return program_list::made<Client>({.name = "own", .text = text, .property = "what the structure promises"});
    };
  }
  template <template <class> class Program>
  void add() {}
};

/// Of clients whose calls may wait for ever where their specification says so: an execution in which nothing goes on is
/// judged too, and counts.
template <class Client>
checker::explorer judging_waits(checker::explorer usual) {
  return [usual = std::move(usual)](const checker::options& o) {
    std::string wrong;
    checker::options judged = o;
    judged.deadlocks = false;
    judged.observe = [&](const auto& graph) {
      if (o.observe) o.observe(graph);
      if (wrong.empty()) wrong = Client::why_wrong();
    };
    checker::verdict v = usual(judged);
    v.executions += v.deadlocked;
    if (wrong.empty() || v.outcome == checker::outcome::violation) return v;
    v.outcome = checker::outcome::violation;
    v.kind = checker::violation::deadlock;
    v.message = wrong;
    return v;
  };
}

/// A generated client.
template <template <class> class Client>
program specified_program(std::string_view text) {
  program p = program_list::made<Client>({.name = "every", .text = text, .property = "its specification"});
  if constexpr (requires { Client<checker::model>::why_wrong(); }) {
    p.explore = judging_waits<Client<checker::model>>(std::move(p.explore));
  }
  return p;
}

/// The client classes of generated clients.
struct specified_client_of {
  structure& to;

  template <template <class> class Client>
  void specified() const {
    using promise = typename Client<checker::model>::promise;
    specified_structure s{.core = {promise::owner, promise::thief},
                          .full = {promise::all_of_owner, promise::all_of_thief},
                          .before = promise::before,
                          .calls = promise::calls,
                          .made = &specified_program<Client>};
    if constexpr (requires { promise::name; }) s.name = promise::name;
    if constexpr (requires { promise::capacities; }) s.capacities = promise::capacities;
    if constexpr (requires { promise::alike; }) s.alike = promise::alike;
    if constexpr (requires { promise::full_calls; }) s.full_calls = promise::full_calls;
    to.every.push_back(std::move(s));
  }
};

}  // namespace detail

/// The entry of a structure, without Relacy. Throws std::logic_error if the table has no site rules.
template <class Structure>
structure structure_of() {
  if (!checker::site_rules<Structure::orders>::known()) {
    throw std::logic_error("licit: nobody has stated the site rules of " + std::string(Structure::orders.structure) +
                           ": its ghosts would not be checked");
  }
  structure s{.name = Structure::orders.structure,
              .mutants = Structure::mutants,
              .audited = audit::subject_of<Structure::orders>(),
              .apply = &checker::live_orders<Structure::orders>::apply,
              .reset = &checker::live_orders<Structure::orders>::reset};
  if constexpr (requires { Structure::no_relacy; }) s.no_relacy = Structure::no_relacy;
  const detail::program_list all{s.programs};
  Structure::programs(all);
  const detail::program_list broken{s.broken};
  const detail::program_list longer{s.longer};
  const detail::program_list sampled{s.sampled};
  if constexpr (requires { Structure::broken(broken); }) Structure::broken(broken);
  if constexpr (requires { Structure::longer(longer); }) Structure::longer(longer);
  if constexpr (requires { Structure::sampled(sampled); }) Structure::sampled(sampled);
  detail::first_client first{s};
  Structure::programs(first);
  const detail::specified_client_of specified{s};
  if constexpr (requires { Structure::every(specified); }) Structure::every(specified);
  if constexpr (requires { Structure::unreached; }) s.unreached = Structure::unreached;
  for (const program& p : s.programs) {
    s.audited.programs.push_back({std::string(p.about.name), p.about.threads, p.explore});
  }
  return s;
}

/// All of them, in the order of suites/CMakeLists.txt. Made once.
std::span<const structure> structures();

}  // namespace licit::suites

#endif
