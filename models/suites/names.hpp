/// What the checker calls the locations of each structure, and which of its sites stand for ghosts.
#ifndef LICIT_SUITES_NAMES_HPP
#define LICIT_SUITES_NAMES_HPP

#include <array>
#include <span>

#include <licit/checker/site_rules.hpp>
#include <licit/deque/chase_lev_asymmetric_orders.hpp>
#include <licit/deque/chase_lev_orders.hpp>
#include <licit/scheduler/census_orders.hpp>
#include <licit/scheduler/crew_orders.hpp>
#include <licit/scheduler/idle/idle_set_orders.hpp>
#include <licit/scheduler/idle/parker_orders.hpp>
#include <licit/scheduler/lifo_slot_orders.hpp>

namespace licit::suites {

using checker::ghost_role;
using checker::site_rule;
using checker::site_rules_for;

/// The owner's pop reads what nobody but itself overwrites, and has no role.
inline constexpr std::array chase_lev_sites{site_rule{"steal.top", "top"},
                                            site_rule{"pop.top", "top"},
                                            site_rule{"push.room", "top"},
                                            site_rule{"make.ring", "ring"},
                                            site_rule{"grow.publish", "ring"},
                                            site_rule{"push.own", "bottom"},
                                            site_rule{"pop.own", "bottom"},
                                            site_rule{"steal.bottom", "bottom"},
                                            site_rule{"push.item", "slot", ghost_role::overwrite},
                                            site_rule{"grow.copy", "slot", ghost_role::overwrite},
                                            site_rule{"steal.item", "slot", ghost_role::guess},
                                            site_rule{"grow.read", nullptr, ghost_role::certain},
                                            site_rule{"steal.claim", nullptr, ghost_role::claim}};
inline const site_rules_for<chase_lev_orders> chase_lev_site_rules{std::span<const site_rule>(chase_lev_sites),
                                                                   {{"half.top", "top"},
                                                                    {"half.item", "slot", ghost_role::guess},
                                                                    {"half.bottom", "bottom"},
                                                                    {"half.again", "bottom"},
                                                                    {"half.claim", nullptr, ghost_role::claim}}};
inline const site_rules_for<chase_lev_asymmetric_orders> chase_lev_asymmetric_site_rules{
    std::span<const site_rule>(chase_lev_sites), {{"steal.look", "bottom"}}};

inline const site_rules_for<parker_orders> parker_site_rules{
    {"park.begin", "word"},
    {"park.take", "word"},
    {"unpark.swap", "word"},
};

inline const site_rules_for<lifo_slot_orders> lifo_slot_site_rules{
    {"put.store", "slot"},  {"put.swap", "slot"},   {"take.swap", "slot"},
    {"steal.look", "slot"}, {"steal.swap", "slot"}, {"empty.look", "slot"},
};

/// parked.look reads either the head or the bits, and has no name.
inline const site_rules_for<idle_set_orders> idle_set_site_rules{
    {"park.bit", "bits"},   {"park.count", "head"},   {"claim.look", "head"},
    {"claim.bits", "bits"}, {"retract.look", "head"}, {"retract.clear", "bits"},
    {"begin.look", "head"}, {"end.count", "head"},    {"count.look", "head"},
};

inline constexpr std::array crew_sites{site_rule{"stop.set", "stop"}, site_rule{"stop.seen", "stop"}};
inline const site_rules_for<crew_orders> crew_site_rules{std::span<const site_rule>(crew_sites)};
inline const site_rules_for<crew_asymmetric_orders> crew_asymmetric_site_rules{std::span<const site_rule>(crew_sites)};

inline const site_rules_for<census_orders> census_site_rules{
    {"enter.look", "entered"},  {"child.closed", "entered"},  {"close.set", "entered"},    {"sum.entered", "entered"},
    {"child.own", "children"},  {"sum.children", "children"}, {"leave.own", "gone"},       {"sum.gone", "gone"},
    {"wait.begin", "waiting"},  {"wait.end", "waiting"},      {"tell.waiting", "waiting"}, {"wait.changes", "changes"},
    {"tell.change", "changes"},
};

}  // namespace licit::suites

#endif
