/// Terms of a transition system on numbers: the same that go to the solver, evaluated. Quantifiers range over a small
/// universe.
#ifndef LICIT_TESTS_PROOF_CONCRETE_HPP
#define LICIT_TESTS_PROOF_CONCRETE_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
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
  /// Its variables, and the conjuncts of what it assumes, each where the last of its variables is bound.
  struct quantifier {
    struct level {
      std::size_t slot;
      bool thief;
      std::vector<term> assumed;
    };
    std::vector<level> levels;
    term body;
  };
  term forall(const sexpr& e, std::map<std::string, int> scope) const {
    quantifier q;
    std::vector<std::string> names;
    for (const sexpr& v : e.list.at(1).list) {
      const int number = static_cast<int>(scope.size());
      names.push_back(v.list.at(0).atom);
      scope[names.back()] = number;
      q.levels.push_back({static_cast<std::size_t>(number), v.list.at(1).is("Thief"), {}});
    }
    sexpr body = e.list.at(2);
    if (body.starts("!")) body = sexpr(body.list.at(1));
    if (body.starts("=>") && body.list.size() == 3) {
      const sexpr assumed = body.list.at(1);
      const auto assume = [&](const sexpr& one) {
        std::size_t deepest = 0;
        for (std::size_t n = 0; n != names.size(); ++n) {
          if (mentions(one, names[n])) deepest = n;
        }
        q.levels[deepest].assumed.push_back(compiled(one, scope));
      };
      for (std::size_t i = 1; assumed.starts("and") && i != assumed.list.size(); ++i) assume(assumed.list[i]);
      if (!assumed.starts("and")) assume(assumed);
      body = sexpr(body.list.at(2));
    }
    q.body = compiled(body, scope);
    return [this, q](frame& f) { return std::int64_t{every(f, q, 0)}; };
  }
  static bool mentions(const sexpr& e, const std::string& name) {
    return e.is(name) || std::ranges::any_of(e.list, [&](const sexpr& part) { return mentions(part, name); });
  }
  bool every(frame& f, const quantifier& q, std::size_t n) const {
    if (n == q.levels.size()) return q.body(f) != 0;
    const auto& [slot, thief, assumed] = q.levels[n];
    for (std::int64_t i = thief ? 0 : -1; i != (thief ? thiefs_ : most_ + 1); ++i) {
      f.bound[slot] = i;
      if (!std::ranges::all_of(assumed, [&](const term& t) { return t(f) != 0; })) continue;
      if (!every(f, q, n + 1)) return false;
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

}  // namespace licit::proof

#endif
