/// What the rules write a transition with: terms of the running thread, guards, choices, updates.
#ifndef LICIT_PROOF_SCHEMA_TERMS_HPP
#define LICIT_PROOF_SCHEMA_TERMS_HPP

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "proof/schema.hpp"
#include "proof/sexpr.hpp"

namespace licit::proof {

inline bool releases(order o) { return o == order::release || o == order::acq_rel || o == order::seq_cst; }
inline bool acquires(order o) { return o == order::acquire || o == order::acq_rel || o == order::seq_cst; }

class transition_writer {
 protected:
  transition_writer(const transition_system& system, const state& variables, const step& s)
      : system_{system}, variables_{variables}, step_{s} {}

  std::string point(const std::string& name) const {
    const auto found = std::ranges::find(system_.points, name);
    if (found == system_.points.end()) throw std::logic_error("licit: there is no point " + name);
    return std::to_string(found - system_.points.begin());
  }

  /// The running thread's variable: `at` is the owner's or this thief's.
  [[nodiscard]] std::string own(const std::string& name) const {
    if (step_.owner) return name;
    return name == "at" ? "thief.at" : name;
  }
  [[nodiscard]] std::string here(const std::string& name) const {
    const std::string variable = own(name);
    return variables_.is_thiefs(variable) ? "(select " + variable + " me)" : variable;
  }
  void set(const std::string& name, const std::string& value) {
    const std::string variable = own(name);
    out_.updates[variable] = variables_.is_thiefs(variable) ? stored(variable, "me", value) : value;
  }
  /// A term of the source: a thief's results are this thief's.
  [[nodiscard]] std::string local(const std::string& term) const {
    if (step_.owner) return term;
    const auto by = [this](const std::string& atom) -> sexpr {
      const std::string plain = atom.ends_with('!') ? atom.substr(0, atom.size() - 1) : atom;
      if (!variables_.is_thiefs(plain)) return {atom};
      return {.list = {{"select"}, {atom}, {"me"}}};
    };
    return text(mapped(parse(term).at(0), by));
  }
  std::string choice() {
    static constexpr std::array names{"v", "w", "x", "y", "z"};
    out_.choices.emplace_back(names.at(out_.choices.size()));
    return out_.choices.back();
  }
  void guard(const std::string& g) { out_.guards.push_back(g); }

  const transition_system& system_;
  const state& variables_;
  const step& step_;
  transition out_;
};

}  // namespace licit::proof

#endif
