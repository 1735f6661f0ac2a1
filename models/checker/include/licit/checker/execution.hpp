/// An execution as data: what is shown of it, in words. It outlives the engine that ran the program.
#ifndef LICIT_CHECKER_EXECUTION_HPP
#define LICIT_CHECKER_EXECUTION_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace licit::checker {

struct execution {
  /// Where a read has its value from, if not from a step.
  static constexpr std::size_t nothing = SIZE_MAX;        ///< it reads no value, or none that is known
  static constexpr std::size_t beginning = SIZE_MAX - 1;  ///< the value that the location was made with

  /// What a thread does at once. A read-modify-write that succeeds is one step.
  struct step {
    unsigned thread = 0;
    unsigned number = 0;           ///< in its thread: the fifth of thread 1 is 1.4
    std::string site = {};         ///< its label, or empty
    std::string action = {};       ///< "read", "write", "update", "fence", …
    std::string location = {};     ///< or block; empty for a fence
    std::string strength = {};     ///< the order that it turned out to have; "plain" if it is not atomic; or empty
    std::string read = {};         ///< the value; empty if there is none
    std::string written = {};      ///< the value, or whom a notify wakes; empty if there is none
    std::string remark = {};       ///< "fails", "waits", …; or empty
    std::size_t source = nothing;  ///< the step that it reads from
    bool offends = false;
  };

  enum class relation : std::uint32_t {
    po,    ///< program order, of neighbours
    rf,    ///< a read reads from a write
    mo,    ///< modification order, of neighbours
    fr,    ///< a read comes before the write that is next after the one it reads
    hb,    ///< happens-before from another thread, where it follows from no other edge
    race,  ///< neither happens before the other
  };

  struct edge {
    relation what = relation::po;
    std::size_t from = 0;
    std::size_t to = 0;
    bool ordered = false;  ///< happens-before goes along
    bool offends = false;  ///< it is part of the race, or of the cycle
  };

  std::string kind;     ///< of violation; empty if nothing is wrong
  std::string message;  ///< what is wrong
  unsigned threads = 0;
  /// Each after those before it in its thread and after the one that it reads from; if some interleaving of the threads
  /// has this execution, in the order of one.
  std::vector<step> steps;
  std::vector<edge> edges;
  /// The shortest way round in po, rf, mo and fr, as edges: what no interleaving has. Empty if one has it all.
  std::vector<std::size_t> cycle;
  std::uint64_t later = 0;  ///< events that are not shown: the offending ones have them not behind them
  std::uint64_t inner = 0;  ///< accesses that are not shown: of plain cells that concern one thread alone, or guesses
};

constexpr const char* name(execution::relation r) {
  switch (r) {
    case execution::relation::po: return "po";
    case execution::relation::rf: return "rf";
    case execution::relation::mo: return "mo";
    case execution::relation::fr: return "fr";
    case execution::relation::hb: return "hb";
    case execution::relation::race: return "race";
  }
  return "";
}

/// "1.4"; of the beginning, "init".
std::string reference(const execution& e, std::size_t step);

/// What a step does, without its number, site and source: "R bottom 1 acq", "U top 0 to 1 rel", "F sc", "free B0".
std::string deed(const execution::step& s);

/// The shortest way round, as "0.3 po 0.4 fr 1.2 …"; empty if there is none.
std::string cycle_text(const execution& e);

/// How much is not shown, in words; empty if nothing.
std::string omissions(const execution& e);

/// As text: a column a thread, a line a step, what offends marked with a `!`.
std::string text(const execution& e);

}  // namespace licit::checker

#endif
