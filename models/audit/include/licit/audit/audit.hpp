/// Is every ordering of a table enough, and is it needed?
#ifndef LICIT_MODELS_AUDIT_AUDIT_HPP
#define LICIT_MODELS_AUDIT_AUDIT_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <licit/audit/subject.hpp>
#include <licit/checker/execution.hpp>
#include <licit/checker/shrink.hpp>
#include <licit/checker/verdict.hpp>

namespace licit::audit {

/// What came of running the programs with some orders, the cheapest first, up to the first that breaks.
struct trial {
  checker::outcome outcome = checker::outcome::ok;
  std::string program;  ///< that breaks, or that came to its limit
  std::string kind;     ///< of violation
  std::string message;
  std::string client;            ///< the program without the operations that it does not need for that, if it says them
  std::string trace;             ///< of the violating execution
  checker::execution picture;    ///< the same
  std::uint64_t executions = 0;  ///< until then, of all programs together
};

/// A weaker ordering of one row, all other rows as they are.
struct weakening {
  level to;
  trial result;
  bool ghost_only = false;  ///< it breaks by a ghost's obligation alone: by load buffering, which the model has not
};

enum class need : std::uint32_t {
  relaxed,     ///< nothing to weaken
  needed,      ///< every weaker one breaks something
  not_needed,  ///< a weaker one breaks nothing, of these programs
  unknown,     ///< a search ended at its limit
};

/// Of a row whose weaker orders had these outcomes.
need need_of(const std::vector<checker::outcome>& weaker);

struct audited_row {
  row entry;
  need verdict = need::relaxed;
  std::vector<weakening> weaker = {};
};

struct report {
  std::string structure;
  checker::release_sequences rule{};
  trial sufficient;                                             ///< of the table as it is
  std::vector<std::pair<std::string, std::uint64_t>> programs;  ///< and their executions
  std::vector<audited_row> rows;
};

/// What was found right under C++20's release sequences where no read would learn more by C++11's: it is right under
/// those, with as many executions. For the second of two audits of one subject.
class same_by_both_rules {
 public:
  void add(const assignment& orders, std::size_t program, bool ghosts, std::uint64_t executions) {
    executions_[key(orders, program, ghosts)] = executions;
  }
  [[nodiscard]] std::optional<std::uint64_t> find(const assignment& orders, std::size_t program, bool ghosts) const {
    const auto found = executions_.find(key(orders, program, ghosts));
    return found == executions_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  static std::string key(const assignment& orders, std::size_t program, bool ghosts);

  std::map<std::string, std::uint64_t> executions_;
};

struct settings {
  checker::release_sequences rule = checker::release_sequences::cxx20;
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();  ///< executions of one program
  std::string site = {};                                            ///< empty: every row
  std::function<void(std::string_view what, std::size_t done, std::size_t of)> progress = {};
  same_by_both_rules* same = nullptr;  ///< written under C++20's rule, read under C++11's
};

/// The programs of a subject, run with any orders, the cheapest first.
class examiner {
 public:
  examiner(const subject& s, const settings& how);

  /// Runs them all with the orders as they are written: what each costs.
  trial measure();
  trial examine(const assignment& a);
  trial examine_without_ghosts(const assignment& a);

  /// Only those that cost little, and those that `examine_fully` has found to be needed.
  trial examine_quickly(const assignment& a);
  /// Runs all; a program that breaks is from now on one of the quick ones.
  trial examine_fully(const assignment& a);

  [[nodiscard]] const std::vector<std::uint64_t>& costs() const { return costs_; }

 private:
  trial run(const assignment& a, bool ghosts, bool measured, bool quick, bool shown = false);
  checker::verdict explore(const assignment& a, std::size_t p, bool ghosts) const;
  void show(trial& t, const program& p, const checker::verdict& v) const;

  const subject& subject_;
  const settings& how_;
  std::vector<std::size_t> order_;  ///< of the programs
  std::vector<std::uint64_t> costs_;
  std::vector<bool> quick_;
};

/// Throws std::invalid_argument for a site that the table does not have.
report audit(const subject& s, const settings& how = {});

/// The audit under C++20's release sequences, and the one under C++11's, whatever the settings say of them.
std::array<report, 2> audit_by_both_rules(const subject& s, settings how = {});

/// The weakest tables that the programs of a structure accept: not one row of them can be weaker.
///
/// What is accepted is closed upwards (a stronger order breaks nothing), so its minima say all. They are found in the
/// manner of VSync's relaxation (Oberhauser et al., ASPLOS 2021): from a table that passes, one row after another made
/// as weak as it goes. For the others, every strongest table that is not above a minimum already known is tried: if
/// none of them passes, there is no other minimum.
struct minima {
  std::vector<assignment> found;
  bool all = false;            ///< there are no others
  std::uint64_t examined = 0;  ///< tables
  std::uint64_t each = 0;      ///< executions of the table in use; so many are too many to search at all
  std::size_t ordered = 0;     ///< rows of it that are not relaxed: so many give too many tables
  [[nodiscard]] bool searched() const { return each <= most_executions && ordered <= most_rows; }

  static constexpr std::uint64_t most_executions = 500'000;
  static constexpr std::size_t most_rows = 16;
};

/// One below a table that passes, and then others, up to so many. The cheap programs judge first; what they accept as a
/// minimum all of them must, else the one that does not becomes one of the cheap. Where one look at a table takes too
/// many executions, or too many rows can be weaker, there is no search.
minima find_minima(const subject& s, const assignment& known, std::size_t most, const settings& how);

}  // namespace licit::audit

#endif
