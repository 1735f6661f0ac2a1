// What threads learn by what the program does besides: the rule `environment` of README.md. And which points of the
// owner lie behind a fence.
#include <algorithm>

#include "proof/schema.hpp"

namespace licit::proof {

namespace {

behind after(const step& s, behind before) {
  if (!s.does) return behind::no;
  if (licit::detail::is_fence(s.does->how)) return s.does->success == order::seq_cst ? behind::fence : before;
  if (s.does->how == operation::store) {
    return s.does->place == "bottom" && s.does->success == order::seq_cst ? behind::store : behind::no;
  }
  return before == behind::fence || before == behind::read ? behind::read : behind::no;
}

/// The points at which the owner has an item in a slot and has not yet stored bottom.
std::vector<std::string> unpublished_points(const transition_system& system) {
  std::vector<std::string> out;
  for (bool changed = true; changed;) {
    changed = false;
    for (const step& s : system.steps) {
      if (!s.owner || !s.does || s.next == "idle" || std::ranges::find(out, s.next) != out.end()) continue;
      const bool puts = s.does->how == operation::store && s.does->place == "slot" && s.does->term == "pushes";
      const bool is_fence = licit::detail::is_fence(s.does->how);
      if (!puts && !(is_fence && std::ranges::find(out, s.from.at(0)) != out.end())) continue;
      out.push_back(s.next);
      changed = true;
    }
  }
  return out;
}

}  // namespace

/// Of the owner's points, by all ways to them.
std::map<std::string, behind> behind_fences(const transition_system& system) {
  std::map<std::string, behind> at{{"idle", behind::no}};
  for (bool changed = true; changed;) {
    changed = false;
    for (const step& s : system.steps) {
      for (const std::string& from : s.from) {
        if (!s.owner || s.next == "idle" || !at.contains(from)) continue;
        const behind now = after(s, at[from]);
        const auto [found, fresh] = at.try_emplace(s.next, now);
        if (!fresh && found->second != now && found->second != behind::no) {
          found->second = behind::no;
          changed = true;
        }
        changed = changed || fresh;
      }
    }
  }
  return at;
}

bool loads_bottom_next(const transition_system& system, const step& of, order at_least) {
  return std::ranges::all_of(system.steps, [&](const step& s) {
    return std::ranges::find(s.from, of.next) == s.from.end() || s.owner ||
           (s.does && s.does->how == operation::load && s.does->place == "bottom" &&
            (at_least == order::relaxed || s.does->success == at_least));
  });
}

bool follows_claim(const transition_system& system, const step& of) {
  const auto from = [&](const std::string& point) { return std::ranges::find(of.from, point) != of.from.end(); };
  return !from("idle") && std::ranges::all_of(system.steps, [&](const step& s) {
    return !from(s.next) || (s.does && s.does->how == operation::compare_exchange && s.does->won &&
                             s.does->place == "top" && s.does->success == order::seq_cst);
  });
}

access_pairs access_pairs_of(const transition_system& system) {
  const auto where = behind_fences(system);
  access_pairs out;
  for (const step& s : system.steps) {
    if (!s.does || s.does->how != operation::load || s.does->place != "top" || s.does->success != order::seq_cst) {
      continue;
    }
    if (!s.owner) out.thief = out.thief || loads_bottom_next(system, s, order::seq_cst);
    if (s.owner) out.owner = out.owner || where.at(s.from.at(0)) == behind::store;
  }
  return out;
}

/// [environment] Between its operations a thread may learn, by whatever else the program does, what any other thread
/// knows. A thread that does nothing but learn is a message under way. What an owner has pushed and not yet published,
/// it can tell nobody.
std::vector<transition> environment(const transition_system& system) {
  std::vector<std::string> published{"(= (select thief.at me) 0)"};
  for (const std::string& p : unpublished_points(system)) {
    published.push_back("(not (= at " + std::to_string(std::ranges::find(system.points, p) - system.points.begin()) +
                        "))");
  }
  const auto mine = [](const std::string& name) { return "(select " + name + " me)"; };
  const auto others = [](const std::string& name) { return "(select " + name + " other)"; };
  const auto learnt = [&](const std::string& name, const std::string& from) {
    return std::pair(name, stored(name, "me", maximum(mine(name), from)));
  };
  transition from_owner{.name = "a thief learns from the owner",
                        .choices = {},
                        .guards = published,
                        .updates = {},
                        .redone = {},
                        .obligations = {}};
  from_owner.updates = {learnt("known", "pushes"), learnt("seen.bottom", "stores"), learnt("seen.top", "own.top"),
                        learnt("known.ring", "rings")};
  transition from_thief{.name = "a thief learns from a thief",
                        .choices = {},
                        .guards = {"(= (select thief.at me) 0)"},
                        .updates = {},
                        .redone = {},
                        .obligations = {}};
  for (const char* name : {"known", "seen.bottom", "seen.top", "known.ring"})
    from_thief.updates.insert(learnt(name, others(name)));
  transition to_owner{.name = "the owner learns from a thief",
                      .choices = {},
                      .guards = {"(= at 0)"},
                      .updates = {},
                      .redone = {},
                      .obligations = {}};
  to_owner.updates = {{"own.top", maximum("own.top", others("seen.top"))}};
  // What it knows, the old owner handed over. A fence of the old owner's makes no store of the new one a release.
  transition handed_over{.name = "another thread becomes the owner",
                         .choices = {},
                         .guards = {"(= at 0)"},
                         .updates = {{"fence.releases", "0"}},
                         .redone = {},
                         .obligations = {}};
  if (access_pairs_of(system)) handed_over.updates["fence.stores"] = "0";
  if (system.one_owner) return {from_owner, from_thief, to_owner};
  return {from_owner, from_thief, to_owner, handed_over};
}

}  // namespace licit::proof
