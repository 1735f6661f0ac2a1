/// What each kind of operation and order does to histories and views: a step as a transition, in SMT-LIB.
#ifndef LICIT_PROOF_SCHEMA_HPP
#define LICIT_PROOF_SCHEMA_HPP

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "proof/steps.hpp"

namespace licit::proof {

/// The variables of a transition system by their sorts. A thief's variable is an array over Thief.
struct state {
  std::map<std::string, std::string> sorts;

  [[nodiscard]] bool is_array(const std::string& name) const;
  [[nodiscard]] bool is_thiefs(const std::string& name) const;
  /// `(declare-const ...)`, with `mark` behind each name.
  [[nodiscard]] std::string declaration(const std::string& name, const std::string& mark) const;
};
state state_of(const transition_system& system);

/// One step: the thread may make it if the guards hold, for any values of the choices.
struct transition {
  std::string name;
  std::vector<std::string> choices;                             ///< of sort Int
  std::vector<std::pair<std::string, std::string>> fresh = {};  ///< more choices, with their sorts
  std::vector<std::string> guards;                              ///< in terms of `x`, `x!` and the choices
  std::map<std::string, std::string> updates;                   ///< `x!` by `x` and the choices
  std::map<std::string, std::string> redone;                    ///< of an array, `(x! s)` for every s
  std::vector<std::pair<std::string, std::string>> obligations;
};

/// Terms.
inline std::string maximum(const std::string& a, const std::string& b) {
  return "(ite (>= " + a + " " + b + ") " + a + " " + b + ")";
}
inline std::string stored(const std::string& array, const std::string& at, const std::string& value) {
  return "(store " + array + " " + at + " " + value + ")";
}

/// Whether the owner writes items to slots beyond the tail, before it knows that they are its own.
bool has_copies(const transition_system& system);
/// Whether every claim takes one item. What one claim hands on to another thief is followed only then.
bool claims_one(const transition_system& system);

/// How far the owner is behind a seq_cst fence, at its points: what `pop.top` in README.md calls a pair. Or, without a
/// fence, behind a seq_cst store of bottom.
enum class behind { no, fence, read, store };
std::map<std::string, behind> behind_fences(const transition_system& system);

/// Who makes a pair by seq_cst accesses in place of a fence.
struct access_pairs {
  bool owner = false, thief = false;
  explicit operator bool() const { return owner || thief; }
};
access_pairs access_pairs_of(const transition_system& system);
/// Whether the thief's step is directly before its load of bottom, and that is of this order at least.
bool loads_bottom_next(const transition_system& system, const step& of, order at_least = order::relaxed);
/// Whether the thief's last operation before the step is a seq_cst claim that has succeeded.
bool follows_claim(const transition_system& system, const step& of);

/// Throws std::logic_error for a step that the schema does not have: its page says why each is as it is.
std::vector<transition> transitions_of(const transition_system& system, const state& variables);
/// What a thread may learn between its operations, besides the transitions of its own steps.
std::vector<transition> environment(const transition_system& system);
/// All variables before the first operation.
std::vector<std::string> initial_of(const transition_system& system, const state& variables);
/// What holds of capacity, slots and laps.
std::vector<std::string> axioms();

/// The same for the wake-up protocol, whose rules are others.
state crew_state();
std::vector<transition> crew_transitions(const transition_system& system);
std::vector<std::string> crew_initial(const state& variables);
std::string crew_prelude();

}  // namespace licit::proof

#endif
