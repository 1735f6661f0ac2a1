/// The transition system on numbers: the same terms that go to the solver, evaluated. Quantifiers range over a small
/// universe.
#ifndef LICIT_TESTS_PROOF_CONCRETE_HPP
#define LICIT_TESTS_PROOF_CONCRETE_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "proof/prove.hpp"

namespace licit::proof {

using cells = std::vector<std::int64_t>;
using more_choices = std::array<std::int64_t, 3>;  ///< of a step, beyond the first two

/// Where terms are evaluated. Bound variables are in `bound`, by the number that the compiler gave them.
struct frame {
  const cells* before;
  const cells* after;
  std::array<std::int64_t, 12> bound;
};
using term = std::function<std::int64_t(frame&)>;

/// Rings with `first`, twice, four times as many slots: the slots of ring 0 come first, then those of ring 1.
struct rings {
  std::int64_t first;

  [[nodiscard]] std::int64_t capacity(std::int64_t r) const { return first << std::max<std::int64_t>(r, 0); }
  [[nodiscard]] std::int64_t begin(std::int64_t r) const { return capacity(r) - first; }
  [[nodiscard]] std::int64_t offset(std::int64_t r, std::int64_t i) const {
    const std::int64_t c = capacity(r);
    return ((i % c) + c) % c;
  }
  [[nodiscard]] std::int64_t slot(std::int64_t r, std::int64_t i) const { return begin(r) + offset(r, i); }
  [[nodiscard]] std::int64_t lap(std::int64_t r, std::int64_t i) const { return i - offset(r, i); }
  [[nodiscard]] std::int64_t of(std::int64_t slot) const {
    std::int64_t r = 0;
    while (begin(r + 1) <= slot) ++r;
    return r;
  }
  [[nodiscard]] std::int64_t from(std::int64_t slot, std::int64_t i) const {
    const std::int64_t r = of(slot);
    return i + offset(r, slot - begin(r) - i);
  }
};

/// How a state lies in memory, and terms over it. Indices of arrays range from -1 to `most`.
class universe {
 public:
  universe(const state& variables, std::int64_t capacity, std::int64_t most, std::int64_t thiefs)
      : variables_{variables}, rings_{capacity}, most_{most}, thiefs_{thiefs} {
    for (const auto& [name, sort] : variables.sorts) {
      at_[name] = size_;
      size_ += static_cast<std::size_t>(!variables.is_array(name) ? 1 : variables.is_thiefs(name) ? thiefs : most + 2);
    }
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::int64_t most() const { return most_; }
  [[nodiscard]] std::int64_t thiefs() const { return thiefs_; }
  /// Whether it has all slots of ring r.
  [[nodiscard]] bool has_ring(std::int64_t r) const { return rings_.begin(r + 1) <= most_ + 1; }
  [[nodiscard]] std::size_t at(const std::string& name) const { return at_.at(name); }
  [[nodiscard]] bool has(const std::string& name) const { return at_.contains(name); }
  [[nodiscard]] bool is_array(const std::string& name) const { return variables_.is_array(name); }
  /// Of an element of an array.
  [[nodiscard]] std::size_t at(const std::string& name, std::int64_t i) const {
    if (variables_.is_thiefs(name)) return at_.at(name) + static_cast<std::size_t>(i);
    if (i < -1 || i > most_) throw std::out_of_range(name + " at " + std::to_string(i));
    return at_.at(name) + static_cast<std::size_t>(i + 1);
  }

  /// `scope` has the bound variables; others are the state's.
  [[nodiscard]] term compiled(const sexpr& e, std::map<std::string, int> scope) const {
    if (!e.atom.empty()) return atom(e.atom, scope);
    const std::string head = e.list.at(0).atom;
    if (head == "!") return compiled(e.list.at(1), std::move(scope));
    if (head == "forall") return forall(e, std::move(scope));
    if (head == "select") {
      std::string name = e.list.at(1).atom;
      const bool after = name.ends_with('!');
      if (after) name.pop_back();
      return [this, name, after, base = at_.at(name), thief = variables_.is_thiefs(name),
              i = compiled(e.list.at(2), scope)](frame& f) {
        const std::int64_t k = i(f);
        if (!thief && (k < -1 || k > most_)) return std::int64_t{0};  // beyond the universe: nothing was there
        return (after ? *f.after : *f.before)[base + static_cast<std::size_t>(thief ? k : k + 1)];
      };
    }
    std::vector<term> args;
    for (std::size_t i = 1; i != e.list.size(); ++i) args.push_back(compiled(e.list[i], scope));
    return applied(head, std::move(args));
  }

 private:
  term atom(const std::string& name, const std::map<std::string, int>& scope) const {
    if (const auto bound = scope.find(name); bound != scope.end()) {
      return [i = static_cast<std::size_t>(bound->second)](frame& f) { return f.bound[i]; };
    }
    if (name == "true" || name == "false") return [yes = name == "true"](frame&) { return std::int64_t{yes}; };
    if (name[0] >= '0' && name[0] <= '9') return [n = std::stoll(name)](frame&) { return std::int64_t{n}; };
    const bool after = name.ends_with('!');
    const std::size_t at = at_.at(after ? name.substr(0, name.size() - 1) : name);
    return [at, after](frame& f) { return (after ? *f.after : *f.before)[at]; };
  }
  term forall(const sexpr& e, std::map<std::string, int> scope) const {
    std::vector<std::pair<std::size_t, bool>> all;
    for (const sexpr& v : e.list.at(1).list) {
      const int number = static_cast<int>(scope.size());
      scope[v.list.at(0).atom] = number;
      all.emplace_back(number, v.list.at(1).is("Thief"));
    }
    return [this, all, body = compiled(e.list.at(2), scope)](frame& f) { return std::int64_t{every(f, all, 0, body)}; };
  }
  bool every(frame& f, const std::vector<std::pair<std::size_t, bool>>& all, std::size_t n, const term& body) const {
    if (n == all.size()) return body(f) != 0;
    const auto [slot, thief] = all[n];
    for (std::int64_t i = thief ? 0 : -1; i != (thief ? thiefs_ : most_ + 1); ++i) {
      f.bound[slot] = i;
      if (!every(f, all, n + 1, body)) return false;
    }
    return true;
  }
  term applied(const std::string& head, std::vector<term> args) const {
    if (head == "and" || head == "or") {
      return [args, any = head == "or"](frame& f) {
        return std::int64_t{any == std::ranges::any_of(args, [&](const term& a) { return (a(f) != 0) == any; })};
      };
    }
    if (head == "not") return [args](frame& f) { return std::int64_t{args[0](f) == 0}; };
    if (head == "=>") return [args](frame& f) { return std::int64_t{args[0](f) == 0 || args[1](f) != 0}; };
    if (head == "ite") return [args](frame& f) { return args[0](f) != 0 ? args[1](f) : args[2](f); };
    if (head == "+") return [args](frame& f) { return args[0](f) + args[1](f); };
    if (head == "-") return [args](frame& f) { return args.size() == 1 ? -args[0](f) : args[0](f) - args[1](f); };
    if (head == "div") return [args](frame& f) { return args[0](f) / args[1](f); };
    if (head == "cap") return [args, r = rings_](frame& f) { return r.capacity(args[0](f)); };
    if (head == "ring-of") return [args, r = rings_](frame& f) { return r.of(args[0](f)); };
    if (head == "sl") return [args, r = rings_](frame& f) { return r.slot(args[0](f), args[1](f)); };
    if (head == "lap-of") return [args, r = rings_](frame& f) { return r.lap(args[0](f), args[1](f)); };
    if (head == "from") return [args, r = rings_](frame& f) { return r.from(args[0](f), args[1](f)); };
    static const std::map<std::string, bool (*)(std::int64_t, std::int64_t)> comparisons{
        {"=", [](std::int64_t a, std::int64_t b) { return a == b; }},
        {"<", [](std::int64_t a, std::int64_t b) { return a < b; }},
        {"<=", [](std::int64_t a, std::int64_t b) { return a <= b; }},
        {">", [](std::int64_t a, std::int64_t b) { return a > b; }},
        {">=", [](std::int64_t a, std::int64_t b) { return a >= b; }}};
    const auto compare = comparisons.at(head);
    return [args, compare](frame& f) {
      for (std::size_t i = 1; i != args.size(); ++i) {
        if (!compare(args[i - 1](f), args[i](f))) return std::int64_t{0};
      }
      return std::int64_t{1};
    };
  }

  state variables_;
  rings rings_;
  std::int64_t most_, thiefs_;
  std::size_t size_ = 0;
  std::map<std::string, std::size_t> at_;
};

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
      if (is_step(g.step, t.name))
        ghosts_.emplace_back(g.name, u.compiled(g.formula.list.at(2).list.at(1).list.at(2), element));
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
