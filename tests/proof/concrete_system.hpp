/// A transition system of a deque or of the run queue on numbers.
#ifndef LICIT_TESTS_PROOF_CONCRETE_SYSTEM_HPP
#define LICIT_TESTS_PROOF_CONCRETE_SYSTEM_HPP

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "concrete.hpp"
#include "proof/prove.hpp"

namespace licit::proof {

/// A transition whose terms are compiled. Bound: 0 is `me`, 1 `other`, from 2 on the choices, 7 an element of an array.
class concrete_step {
 public:
  concrete_step(const universe& u, const transition& t, const invariants& file) : choices{t.choices.size()}, u_{&u} {
    const std::map<std::string, int> scope{{"me", 0}, {"other", 1}, {"v", 2}, {"w", 3}, {"x", 4}, {"y", 5}, {"z", 6}};
    auto element = scope;  // and one of an array
    element["s"] = element["i"] = 7;
    for (const std::string& g : t.guards) guards_.push_back(u.compiled(parse(g).at(0), scope));
    for (const auto& [name, value] : t.obligations)
      obligations_.emplace_back(name, u.compiled(parse(value).at(0), scope));
    for (const auto& m : file.musts) {
      if (is_step(m.name, t.name)) obligations_.emplace_back(m.prose, u.compiled(m.formula, scope));
    }
    for (const bool late : {false, true}) {  // those that use the step's own results come later
      for (const auto& [name, value] : t.updates) {
        if ((value.find('!') != std::string::npos) == late) add(name, parse(value).at(0), scope);
      }
    }
    for (const auto& [name, value] : t.redone) {
      ghosts_.emplace_back(name, u.compiled(parse(value).at(0), element));
    }
    for (const auto& g : file.ghosts) {
      if (!is_step(g.step, t.name)) continue;
      if (g.formula.starts("=")) {  // of `steps-of`
        add(g.name, g.formula.list.at(2), scope);
      } else {
        ghosts_.emplace_back(g.name, u.compiled(g.formula.list.at(2).list.at(1).list.at(2), element));
      }
    }
  }

  /// Whether the step is possible; `after` is then the state after it.
  bool make(const cells& before, std::int64_t me, std::int64_t other, std::int64_t v, std::int64_t w, cells& after,
            const more_choices& more = {}) const {
    frame f{&before, &after, {me, other, v, w, more[0], more[1], more[2]}};
    if (guards_[0](f) == 0) return false;  // the thread is elsewhere
    after = before;
    for (const auto& one : updates_) {
      const std::int64_t value = one.value(f);
      after[one.index ? u_->at(one.name, one.index(f)) : u_->at(one.name)] = value;
    }
    for (const auto& [name, value] : ghosts_) {
      for (auto& i = f.bound[7] = -1; i <= u_->most(); ++i) after[u_->at(name, i)] = value(f);
    }
    return std::ranges::all_of(guards_, [&](const term& g) { return g(f) != 0; });
  }
  /// The first obligation that does not hold, or empty.
  std::string broken(const cells& before, std::int64_t me, std::int64_t v, std::int64_t w, const cells& after) const {
    frame f{&before, &after, {me, 0, v, w}};
    for (const auto& [name, holds] : obligations_) {
      if (holds(f) == 0) return name;
    }
    return "";
  }

  std::size_t choices;

 private:
  struct update {
    std::string name;
    term index;  ///< of an array
    term value;
  };
  void add(const std::string& name, const sexpr& value, const std::map<std::string, int>& scope) {
    if (!u_->is_array(name)) return updates_.push_back({name, {}, u_->compiled(value, scope)});
    if (!value.starts("store") || !value.list.at(1).is(name)) throw std::logic_error(name + " := " + text(value));
    updates_.push_back({name, u_->compiled(value.list.at(2), scope), u_->compiled(value.list.at(3), scope)});
  }

  const universe* u_;
  std::vector<term> guards_;
  std::vector<std::pair<std::string, term>> obligations_, ghosts_;  ///< `ghosts_`: and all else of every element
  std::vector<update> updates_;
};

/// The whole system.
class concrete_system {
 public:
  concrete_system(const transition_system& system, std::string_view file, std::int64_t capacity, std::int64_t most,
                  std::int64_t thiefs)
      : system{system},
        variables_{state_of(system)},
        transitions{transitions_of(system, variables_)},
        all{read_invariants(file, system, variables_)},
        u{variables_, capacity, most, thiefs} {
    for (const transition& t : transitions) steps.emplace_back(u, t, all);
    for (const auto& i : all.all) invariants_.emplace_back(i.name, u.compiled(i.formula, {}));
  }

  [[nodiscard]] cells first() const {
    cells start(u.size());
    for (const char* name : {"latest", "slot", "carried", "copied", "spoilt"}) {
      if (!u.is_array(name)) continue;
      for (std::int64_t i = -1; i <= u.most(); ++i) start[u.at(name, i)] = -1;
    }
    frame f{&start, &start, {}};
    for (const auto& [name, value] : system.initial) start[u.at(name)] = u.compiled(parse(value).at(0), {})(f);
    if (u.has("watched")) start[u.at("watched")] = watched;
    if (u.has("away.cap")) start[u.at("away.cap")] = other_capacity;
    return start;
  }
  /// The first invariant that does not hold, or empty.
  [[nodiscard]] std::string broken(const cells& s) const {
    frame f{&s, &s, {}};
    for (const auto& [name, holds] : invariants_) {
      if (holds(f) == 0) return name;
    }
    return "";
  }

  /// Whether that invariant is one, and does not hold.
  [[nodiscard]] bool breaks(const std::string& name, const cells& s) const {
    frame f{&s, &s, {}};
    return std::ranges::any_of(invariants_, [&](const auto& i) { return i.first == name && i.second(f) == 0; });
  }

  transition_system system;
  std::int64_t watched = 1, other_capacity = 4;

 private:
  state variables_;

 public:
  std::vector<transition> transitions;
  invariants all;
  universe u;
  std::vector<concrete_step> steps;

 private:
  std::vector<std::pair<std::string, term>> invariants_;
};

}  // namespace licit::proof

#endif
