// The variables of a transition system, and the first state.
#include <algorithm>

#include "proof/schema.hpp"

namespace licit::proof {

namespace {

constexpr const char* number = "Int";
constexpr const char* history = "(Array Int Int)";
constexpr const char* property = "(Array Int Bool)";
constexpr const char* thiefs = "(Array Thief Int)";

}  // namespace

bool state::is_array(const std::string& name) const {
  const auto found = sorts.find(name);
  return found != sorts.end() && found->second.starts_with("(Array");
}
bool state::is_thiefs(const std::string& name) const {
  const auto found = sorts.find(name);
  return found != sorts.end() && found->second == thiefs;
}
std::string state::declaration(const std::string& name, const std::string& mark) const {
  return "(declare-const " + name + mark + " " + sorts.at(name) + ")\n";
}

bool has_copies(const transition_system& system) { return std::ranges::any_of(system.steps, &step::begins_batch); }
bool claims_one(const transition_system& system) {
  return std::ranges::none_of(system.steps, [](const step& s) { return s.hands || (s.does && s.does->batch); });
}

state state_of(const transition_system& system) {
  if (system.wake_up) return crew_state();
  state s;
  for (const char* n :
       {"pushes", "stores", "top", "fenced", "owed", "own.top", "acquired", "fence.releases", "at", "rings"})
    s.sorts[n] = number;
  for (const char* n : {"place", "latest", "slot", "bottom", "releases", "saw", "cell", "carried", "hands"})
    s.sorts[n] = history;
  for (const char* n : {"taken", "stolen", "released", "done"}) s.sorts[n] = property;
  for (const char* n : {"thief.at", "seen.top", "seen.bottom", "known", "known.ring"}) s.sorts[n] = thiefs;
  for (const auto& [name, first] : system.initial) s.sorts[name] = number;
  if (claims_one(system)) s.sorts["told"] = history;
  if (access_pairs_of(system)) {
    s.sorts["firm"] = history;
    s.sorts["fence.stores"] = number;
  }
  if (has_copies(system)) s.sorts["copied"] = s.sorts["spoilt"] = history;
  for (const step& each : system.steps) {
    const char* sort = each.owner ? number : thiefs;
    for (const auto& r : each.reads) s.sorts[r.result] = sort;
    for (const auto& [name, term] : each.updates) s.sorts.try_emplace(name, sort);
    if (each.does && (each.does->how == operation::load || each.does->how == operation::compare_exchange)) {
      s.sorts[each.does->name] = sort;
    }
  }
  return s;
}

std::vector<std::string> initial_of(const transition_system& system, const state& variables) {
  if (system.wake_up) return crew_initial(variables);
  std::vector<std::string> all;
  all.reserve(system.initial.size());
  for (const auto& [name, first] : system.initial) all.push_back("(= " + name + " " + first + ")");
  for (const auto& [name, sort] : variables.sorts) {
    const bool none = name == "latest" || name == "slot" || name == "carried" || name == "copied" || name == "spoilt";
    if (sort == property)
      all.push_back("(forall ((i Int)) (! (not (select " + name + " i)) :pattern ((select " + name + " i))))");
    if (sort == history)
      all.push_back("(forall ((i Int)) (! (= (select " + name + " i) " + (none ? "(- 1)" : "0") +
                    ") :pattern ((select " + name + " i))))");
    if (sort == thiefs)
      all.push_back("(forall ((a Thief)) (! (= (select " + name + " a) 0) :pattern ((select " + name + " a))))");
    const bool given = std::ranges::any_of(system.initial, [&, n = name](const auto& i) { return i.first == n; });
    if (sort == number && !given) all.push_back("(= " + name + " 0)");
  }
  return all;
}

std::vector<std::string> axioms() {
  return {
      "(forall ((r Int)) (! (>= (cap r) 1) :pattern ((cap r))))",
      "(forall ((q Int) (r Int)) (! (=> (and (<= 0 q) (< q r)) (< (cap q) (cap r))) :pattern ((cap q) (cap r))))",
      // NOLINTNEXTLINE(bugprone-suspicious-missing-comma): one term in two lines
      "(forall ((r Int) (i Int)) (! (and (<= (lap-of r i) i) (< i (+ (lap-of r i) (cap r)))) :pattern ((lap-of r "
      "i))))",
      "(forall ((r Int) (i Int)) (! (= (ring-of (sl r i)) r) :pattern ((sl r i))))",
      "(forall ((r Int) (i Int) (j Int)) (! (=> (and (= (sl r i) (sl r j)) (not (= i j))) (or (>= (- i j) (cap r)) "
      "(>= (- j i) (cap r)))) :pattern ((sl r i) (sl r j))))",
      "(forall ((s Int) (i Int)) (! (and (= (sl (ring-of s) (from s i)) s) (<= i (from s i)) (< (from s i) (+ i (cap "
      "(ring-of s))))) :pattern ((from s i))))"};
}

}  // namespace licit::proof
