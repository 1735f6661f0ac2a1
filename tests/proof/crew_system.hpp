/// The wake-up protocol's transition system on numbers.
#ifndef LICIT_TESTS_PROOF_CREW_SYSTEM_HPP
#define LICIT_TESTS_PROOF_CREW_SYSTEM_HPP

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proof/structures.hpp"
#include "typed.hpp"

namespace licit::proof::of_crew {

using typed::cell;
using typed::cells;
using typed::frame;
using typed::term;
using typed::universe;

inline std::string bytes_of(const cells& state) {
  return {reinterpret_cast<const char*>(state.data()), state.size() * sizeof(cell)};
}
inline bool is_one_of(std::string_view site, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, site) != all.end();
}

/// A transition whose terms are compiled. Bound: 0 is `me`, 1 `other`, 2 the choice.
class concrete_step {
 public:
  concrete_step(const universe& u, const transition& t, const invariants& file) : u_{&u} {
    const universe::scope bound{{"me", {0, {"", 0, 'T'}}}, {"other", {1, {"", 0, 'T'}}}, {"v", {2, {}}}};
    const auto made = [&](const std::string& text, const universe::scope& in) {
      return u.compiled(parse(text).at(0), in);
    };
    universe::scope of_all = bound;
    of_all["s"] = {3, {}};
    for (const std::string& g : t.guards) {
      const sexpr e = parse(g).at(0);
      if (g.starts_with("(forall ((p Int)) (! (= (select learnt p)")) {
        universe::scope of_learnt = bound;
        of_learnt["p"] = {3, {}};
        learnt_ = u.compiled(e.list.at(2).list.at(1).list.at(2), of_learnt);
      } else {
        guards_.push_back(u.compiled(e, bound));
      }
    }
    for (const bool late : {false, true}) {  // those that use the step's own results come later
      for (const auto& [name, value] : t.updates) {
        if ((value.find('!') != std::string::npos) == late) updates_.emplace_back(name, made(value, bound));
      }
    }
    for (const auto& [name, value] : t.redone) {
      const term of_one = made(value, of_all);
      updates_.emplace_back(name, term{u.sort_of_variable(name), [of_one](frame& f, const cell* i) {
                                         f.bound[3] = i[0];
                                         return of_one.at(f, i + 1);
                                       }});
    }
    for (const auto& g : file.ghosts) {
      if (is_step(g.step, t.name)) updates_.emplace_back(g.name, u.compiled(g.formula.list.at(2), bound));
    }
    for (const auto& [name, value] : t.obligations) obligations_.emplace_back(name, made(value, bound));
    for (const auto& m : file.musts) {
      if (is_step(m.name, t.name)) obligations_.emplace_back(m.prose, u.compiled(m.formula, bound));
    }
  }

  /// Whether the step is possible; `after` is then the state after it, and `wrong` the obligation that does not hold.
  bool make(const cells& before, cell me, cell other, cell v, cells& after, std::string& wrong) const {
    cells learnt;
    frame f{&before, &after, &learnt, {me, other, v}};
    if (guards_[0].at(f, nullptr) == 0) return false;  // the thread is elsewhere
    if (learnt_.at) {
      for (cell p = 0; p <= u_->most(); ++p) {
        f.bound[3] = p;
        learnt.push_back(learnt_.at(f, nullptr));
      }
    }
    after = before;
    for (const auto& [name, value] : updates_) u_->assign(name, value, f, after);
    if (!std::ranges::all_of(guards_, [&](const term& g) { return g.at(f, nullptr) != 0; })) return false;
    for (const auto& [name, holds] : obligations_) {
      if (holds.at(f, nullptr) == 0) wrong = name;
    }
    return true;
  }

 private:
  const universe* u_;
  std::vector<term> guards_;
  term learnt_;
  std::vector<std::pair<std::string, term>> updates_, obligations_;
};

/// The transition system of the protocol on numbers.
struct concrete_crew {
  explicit concrete_crew(transition_system s, std::string_view file, unsigned of, unsigned and_others, cell most = 24)
      : system{std::move(s)},
        variables{state_of(system)},
        transitions{crew_transitions(system)},
        all{read_invariants(file, system, variables)},
        workers{of},
        u{variables, of, of + and_others, most} {
    for (const transition& t : transitions) steps.emplace_back(u, t, all);
    for (const auto* each : {&all.all, &all.always}) {
      for (const auto& i : *each) {
        invariants.emplace_back(i.name == "always" ? i.prose : i.name, u.compiled(i.formula, {}));
      }
    }
  }
  [[nodiscard]] cells first() const {
    cells start(u.size());
    for (cell a = 0; a != u.threads(); ++a) start[u.at("word", a)] = 1;
    return start;
  }
  /// The invariants that do not hold.
  [[nodiscard]] std::vector<std::string> broken(const cells& state) const {
    frame f{&state, &state, &state, {}};
    std::vector<std::string> out;
    for (const auto& [name, holds] : invariants) {
      if (holds.at(f, nullptr) == 0) out.push_back(name);
    }
    return out;
  }
  [[nodiscard]] std::size_t named(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(transitions, name, &transition::name) - transitions.begin());
  }

  transition_system system;
  state variables;
  std::vector<transition> transitions;
  proof::invariants all;
  unsigned workers;
  universe u;
  std::vector<concrete_step> steps;
  std::vector<std::pair<std::string, term>> invariants;
};

}  // namespace licit::proof::of_crew

#endif
