/// Invariants of a transition system, and whether every step keeps them.
#ifndef LICIT_PROOF_PROVE_HPP
#define LICIT_PROOF_PROVE_HPP

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "proof/schema.hpp"
#include "proof/sexpr.hpp"

namespace licit::proof {

/// A file of invariants, its macros expanded: points are numbers, and an array is applied by `select`.
struct invariants {
  struct statement {
    std::string name;  ///< of an invariant its number, else the step at which it must hold
    std::string prose;
    sexpr formula;
    std::size_t line = 0;  ///< of the file
  };
  /// A variable that no thread sees: its first value, and what the step makes of it.
  struct ghost {
    std::string name, first, step;
    sexpr formula;
    std::size_t line = 0;
  };
  /// What the proof of a mutant comes to: the condition that fails, or that none does, and why.
  struct record {
    std::string mutant, step, goal;
    std::string right;  ///< why no condition fails; empty: one does
  };
  /// Of which questions a structure was proved, by both solvers.
  struct proved {
    std::string structure, digest;
    std::string table = {};  ///< rows that differ from those in use, as in the audit's record
    bool one_owner = false;  ///< if no other thread becomes the owner
  };
  std::vector<proved> digests;
  std::vector<record> mutants;
  std::vector<statement> all;
  std::vector<statement> musts;
  std::vector<statement> always;  ///< follows from the invariants
  std::vector<ghost> ghosts;
  std::map<std::string, std::size_t> no_points;  ///< that it names, and where first; the system has none of that name
};

/// Adds the ghosts to the variables. Throws std::runtime_error for a text that is none.
invariants read_invariants(std::string_view text, const transition_system& system, state& variables);

/// What one step, or the state before the first, has to fulfil: each goal follows from what is assumed, and from the
/// lemmas before it.
struct question {
  std::string step;                          ///< `start` before the first
  std::string declared;                      ///< in SMT-LIB, as is `assumed`
  std::vector<invariants::statement> known;  ///< holds before the step
  std::string assumed;                       ///< the step
  struct goal {
    std::string name;  ///< of the invariant or the obligation
    std::string formula;
    bool lemma = false;  ///< later goals may use it
  };
  std::vector<goal> goals;
};
std::vector<question> questions_of(const transition_system& system, std::string_view file);

/// Whether a file means that step: by its name, or with a star by what the name begins with.
bool is_step(const std::string& pattern, const std::string& name);

/// The invariants of a structure that has a proof, as text: models/proof/NAME.inv.
std::string_view chase_lev_invariants();
std::string_view run_queue_invariants();
std::string_view invariants_of(const transition_system& system);
/// Where that text is.
std::string_view path_of(const transition_system& system);

/// Where the file says less than it seems to. A clause for a step, or a place for a point, that the system does not
/// have: nothing would be asked of it. A step that takes an item, or says that there is none or that it was lost, and
/// has no `must`. Each as a sentence with file and line; for a system without faults there is none.
std::vector<std::string> gaps_of(const transition_system& system, std::string_view file);

/// For a solver that reads SMT-LIB 2.6: `unsat` is proved. With `cores` it is asked for unsat cores.
std::string smt_lib(const question& q, bool cores = false);

/// Of all that is asked, comments left out: the table, the source, the schema, the invariants. 16 hexadecimal digits.
std::string digest_of(const std::vector<question>& questions);
/// Whether the file records that these questions of the structure were proved.
bool recorded_as_proved(const invariants& file, const transition_system& system,
                        const std::vector<question>& questions);

struct solver {
  std::string name = "z3";               ///< or cvc5: a program that is found by PATH
  std::uint64_t resources = 10'000'000;  ///< of one goal, in the solver's units: not seconds, so that answers stay
  unsigned seed = 0;
  unsigned again = 0;  ///< so often a goal that is left open is asked alone, each time with the next seed
  bool cores = false;  ///< says which invariants each proof needs: of z3 only
};

enum class answer : std::uint8_t { proved, refuted, unknown };

struct verdict {
  std::string step, goal;
  answer what;
  std::set<std::string> uses = {};  ///< with `cores`: the invariants that this proof of the goal needs
};

/// One process a question, `jobs` at a time. Throws std::runtime_error when the solver cannot be run or says something
/// else than its answers.
std::vector<verdict> ask(const std::vector<question>& questions, const solver& by, unsigned jobs);

}  // namespace licit::proof

#endif
