/// The rows of one structure: each program under each checker, each mutant under the programs, and generated clients.
#ifndef LICIT_MODELS_TOOL_VERIFY_INSPECTION_HPP
#define LICIT_MODELS_TOOL_VERIFY_INSPECTION_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <licit/checker/explore.hpp>

#include <nlohmann/json.hpp>

#include "report.hpp"
#include "suites/structure.hpp"
#include "verify/command.hpp"

namespace licit::tool {

/// A way to check a program.
enum class way {
  glimpsed,          ///< the first few executions: a mutant is looked for in those of every program first
  begun,             ///< then in more of them
  walked,            ///< then in a sample at random, which finds some that the search comes to late
  exhaustive,        ///< under C++20's release sequences
  exhaustive_cxx11,  ///< under C++11's
  exhaustive_both_rules,
  sampled,
  relacy_full,
  relacy_bound_1,  ///< one preemption; a mutant is looked for with few first, as most bugs need few
  relacy_bound_2,
  relacy_bound,  ///< three; of a program as it is, two where that is too many executions, unless --longer is asked for
  relacy_random,
  relacy_glance,  ///< a tenth of the random executions, where nothing is expected
};

/// How many executions programs have, by their names, as far as it is known.
using program_sizes = std::map<std::string, std::uint64_t, std::less<>>;

class inspection {
 public:
  /// `jobs`: processes of each exhaustive search.
  inspection(const suites::structure& s, const verify_options& options, unsigned jobs, program_sizes sizes);

  /// A row yet to be made, or two: a program's under one rule of release sequences and under the other, where they
  /// differ. It must not outlive the inspection.
  using row = std::function<std::vector<result>()>;
  [[nodiscard]] std::vector<row> rows() const;
  /// How many programs `--stall` leaves to `--longer`, since they have too many executions.
  [[nodiscard]] std::size_t left_out() const;

 private:
  [[nodiscard]] bool has_mutants() const {
    return options_.programs.empty() && options_.client.empty() && options_.broken_by.empty() &&
           options_.stall.empty() && !options_.shard;
  }
  [[nodiscard]] std::vector<way> ways(const suites::program& p) const;
  /// Threads to stop in it, one a verdict.
  [[nodiscard]] bool is_left_out(const suites::program& p) const;
  [[nodiscard]] std::vector<std::optional<unsigned>> stops(const suites::program& p, way w) const;
  /// One hunt for the mutant a checker.
  [[nodiscard]] std::vector<std::vector<way>> hunts(const suites::mutant& m) const;
  [[nodiscard]] bool has_broken() const;
  /// Whether the generated clients are among the rows: they are no programs that have a name.
  [[nodiscard]] bool has_generated() const;

  [[nodiscard]] std::vector<result> check_program(const suites::program& p, way w, std::optional<unsigned> stall) const;
  [[nodiscard]] result check_broken(const suites::program& p) const;
  /// The programs one after another, one way and then the next, until one of them violates. A program whose executions
  /// are all known after one way is not explored by the next. Where Relacy is blind to the mutant, none may violate.
  [[nodiscard]] result hunt(const suites::mutant& m, const std::vector<way>& by) const;
  /// How something wrong is looked for by the exhaustive checker.
  [[nodiscard]] std::vector<way> ways_to_find() const;
  /// Programs in which a mutant is looked for: the smallest first; those whose size is not known last, by their
  /// threads.
  [[nodiscard]] std::vector<const suites::program*> cheapest_first() const;
  /// Whether executions of mutants are of interest: not of all, as each has one.
  [[nodiscard]] bool shows_mutants() const;

  [[nodiscard]] std::vector<checker::verdict> check_all(const suites::program& p, way w,
                                                        std::optional<unsigned> stall) const;
  [[nodiscard]] checker::verdict check(const suites::program& p, way w, std::optional<unsigned> stall,
                                       bool shows) const;
  [[nodiscard]] checker::verdict sampled(const suites::program& p) const;
  [[nodiscard]] checker::settings settings_of(const suites::program& p, way w, std::optional<unsigned> stall,
                                              bool shows) const;
  [[nodiscard]] checker::verdict bounded(const suites::program& p) const;
  [[nodiscard]] checker::verdict under_relacy(const suites::program& p, way w) const;
  [[nodiscard]] checker::verdict under_relacy(const suites::program& p, way w, std::uint64_t limit) const;

  const suites::structure& of_;
  const verify_options& options_;
  unsigned jobs_;
  program_sizes sizes_;
  std::vector<suites::program> programs_;  ///< that are checked as they are
};

/// Whether the list names it; an empty one names everything.
bool chosen(const std::vector<std::string>& names, std::string_view name);

/// Whether the structure has the mutant; all have the one without a name.
bool has_mutant(const suites::structure& s, std::string_view name);
/// Its programs run with the mutant, until it is reset. None without a name.
void break_by(const suites::structure& s, std::string_view name);

// A client of the user's: the line of `licit verify --client`.

/// Throws std::runtime_error if there is a line, but not one structure.
void expect_structure(const verify_options& o);

/// The line as a program of the structure. Throws suites::line_error for text that is no line, or has no call.
suites::program own_program(const suites::structure& s, const std::string& text);

/// Throws std::runtime_error where the program of the line could not even be set up, which says nothing about the
/// structure. Adds a note to any other violation of code that is not broken on purpose.
void judge_own(result& r);

/// Runs the command in a process of its own: a line can ask for what its structure's client does not survive. Returns
/// the command's exit status. Throws std::runtime_error if the process dies, or with the command's message.
int run_apart(const std::string& line, const std::function<int()>& command);

// Generated clients: all of a size (suites/every/clients.hpp), explored and judged by the structure's specification.

/// Which clients are generated, apart from the number of their calls.
struct client_shape {
  std::string_view rules = {};  ///< the structure's, by their name; empty: those that it has
  suites::alphabet words = {};
  unsigned thieves = 2;                   ///< at most
  bool alike = true;                      ///< these
  unsigned filling = 0;                   ///< items before, at most
  std::vector<unsigned> capacities = {};  ///< initial ones; 0: it has none
  suites::beginnings before = {};
  bool edges = false;  ///< judged with an edge from outside, too
};

/// As the options say; capacities that they do not name are the specification's.
client_shape shape_of(const suites::specified_structure& s, const verify_options& o);

/// "an owner (push, pop) and up to 2 thieves (steal), capacities 1 and 2, no edge from outside".
std::string text_of(const client_shape& shape);

/// Calls `each` with every client of so many calls, as a line, until it returns false.
void for_each_client(const client_shape& shape, unsigned calls, const std::function<bool(const std::string&)>& each);

/// How many there are, by the closed form.
std::uint64_t count_of(const client_shape& shape, unsigned calls);

/// All that every verification has, under both rules of release sequences: a row, or one for each rule where they
/// differ. They end at the first client that fails. `full`: of the full alphabet, and judged with an edge from outside.
std::vector<result> check_clients(const suites::structure& s, const suites::specified_structure& every, bool full,
                                  std::uint64_t limit);

/// `--kill`, of one structure: prints, for each mutant, the smallest client that finds it, and adds the rows. Throws
/// std::runtime_error if a process died.
exit_status print_kills(const suites::structure& s, const verify_options& o, unsigned jobs,
                        std::vector<nlohmann::ordered_json>& rows);

}  // namespace licit::tool

#endif
