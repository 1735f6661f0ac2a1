// What threads learn by what the program does besides: the rule `environment` of README.md. And which points of the
// owner lie behind a fence.
#include <algorithm>

#include "proof/schema.hpp"

namespace licit::proof {

namespace {

behind after(const step& s, behind before) {
  if (!s.does) return behind::no;
  if (licit::detail::is_fence(s.does->how)) return s.does->success == order::seq_cst ? behind::fence : before;
  if (s.does->how == operation::store) return behind::no;
  return before == behind::no ? before : behind::read;
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

/// [environment] Between its operations a thread may learn, by whatever else the program does, what any other thread
/// knows. A thread that does nothing but learn is a message under way. What an owner has pushed and not yet published,
/// it can tell nobody.
std::vector<transition> environment(const transition_system& system) {
  const auto publishing = std::ranges::find(system.points, "push.publish");
  const std::string unpublished =
      publishing == system.points.end() ? "false" : "(= at " + std::to_string(publishing - system.points.begin()) + ")";
  const auto mine = [](const std::string& name) { return "(select " + name + " me)"; };
  const auto others = [](const std::string& name) { return "(select " + name + " other)"; };
  const auto learnt = [&](const std::string& name, const std::string& from) {
    return std::pair(name, stored(name, "me", maximum(mine(name), from)));
  };
  transition from_owner{.name = "a thief learns from the owner",
                        .choices = {},
                        .guards = {"(= (select thief.at me) 0)", "(not " + unpublished + ")"},
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
  return {from_owner, from_thief, to_owner, handed_over};
}

}  // namespace licit::proof
