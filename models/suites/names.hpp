/// What the checker calls the locations of each structure, and which of its sites stand for ghosts.
#ifndef LICIT_SUITES_NAMES_HPP
#define LICIT_SUITES_NAMES_HPP

#include <array>
#include <span>

#include <licit/checker/site_rules.hpp>
#include <licit/deque/chase_lev_asymmetric_orders.hpp>
#include <licit/deque/chase_lev_orders.hpp>
#include <licit/deque/run_queue_orders.hpp>
#include <licit/deque/split_orders.hpp>
#include <licit/deque/tagged_asymmetric_orders.hpp>
#include <licit/deque/tagged_orders.hpp>
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

inline constexpr std::array tagged_sites{site_rule{"steal.top", "top"},
                                         site_rule{"pop.top", "top"},
                                         site_rule{"push.room", "top"},
                                         site_rule{"make.ring", "ring"},
                                         site_rule{"grow.publish", "ring"},
                                         site_rule{"push.own", "bottom"},
                                         site_rule{"pop.own", "bottom"},
                                         site_rule{"half.own", "bottom"},
                                         site_rule{"steal.bottom", "bottom"},
                                         site_rule{"push.item", "slot", ghost_role::overwrite},
                                         site_rule{"grow.copy", "slot", ghost_role::overwrite},
                                         site_rule{"renew.copy", "slot", ghost_role::overwrite},
                                         site_rule{"half.item", "slot", ghost_role::overwrite},
                                         site_rule{"steal.item", "slot", ghost_role::guess},
                                         site_rule{"grow.read", nullptr, ghost_role::certain},
                                         site_rule{"steal.claim", nullptr, ghost_role::claim}};
inline const site_rules_for<tagged_orders> tagged_site_rules{std::span<const site_rule>(tagged_sites)};
inline const site_rules_for<tagged_asymmetric_orders> tagged_asymmetric_site_rules{
    std::span<const site_rule>(tagged_sites), {{"steal.look", "bottom"}}};

inline const site_rules_for<split_orders> split_site_rules{
    {"steal.word", "word"},
    {"room.word", "word"},
    {"answer.publish", "word"},
    {"reclaim.word", "word"},
    {"renumber.word", "word"},
    {"size.word", "word"},
    {"make.ring", "ring"},
    {"grow.publish", "ring"},
    {"push.own", "bottom"},
    {"pop.own", "bottom"},
    {"half.own", "bottom"},
    {"size.bottom", "bottom"},
    {"renumber.bottom", "bottom"},
    {"push.asked", "asked"},
    {"pop.asked", "asked"},
    {"ask.asked", "asked"},
    {"ask.raise", "asked"},
    {"half.asked", "asked"},
    {"answer.clear", "asked"},
    {"push.item", "slot", ghost_role::overwrite},
    {"grow.copy", "slot", ghost_role::overwrite},
    {"steal.item", "slot", ghost_role::guess},
    {"grow.read", nullptr, ghost_role::certain},
    {"steal.claim", nullptr, ghost_role::claim},
};

/// The owner takes what nobody but itself overwrites: those sites have no role.
inline const site_rules_for<run_queue_orders> run_queue_site_rules{
    {"room.head", "head"},
    {"overflow.claim", "head"},
    {"pop.claim", "head"},
    {"steal.head", "head"},
    {"half.head", "head"},
    {"push.own", "tail"},
    {"pop.own", "tail"},
    {"overflow.own", "tail"},
    {"steal.tail", "tail"},
    {"half.tail", "tail"},
    {"half.own", "tail"},
    {"push.item", "slot", ghost_role::overwrite},
    {"half.copy", "slot", ghost_role::overwrite},
    {"steal.item", "slot", ghost_role::guess},
    {"half.first", "slot", ghost_role::guess},
    {"half.item", "slot", ghost_role::guess},
    {"steal.claim", nullptr, ghost_role::claim},
    {"half.claim", nullptr, ghost_role::claim},
};

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
