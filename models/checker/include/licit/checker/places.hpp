/// What the locations of an algorithm are called: by the sites that access them, so that its source need not say.
#ifndef LICIT_MODELS_CHECKER_PLACES_HPP
#define LICIT_MODELS_CHECKER_PLACES_HPP

#include <algorithm>
#include <array>
#include <string_view>

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
#include <licit/scheduler/inject/inject_queue_orders.hpp>
#include <licit/scheduler/lifo_slot_orders.hpp>
#include <licit/scheduler/metrics/trace_ring_orders.hpp>
#include <licit/scheduler/task/task_registry_orders.hpp>
#include <licit/scheduler/task/task_state_orders.hpp>

namespace licit::checker {

struct place_rule {
  std::string_view site;
  const char* place;
};

/// Of an ordering table; specialised for those that the checker knows. A location needs a name at each of its stores.
template <const auto& Table>
inline constexpr std::array<place_rule, 0> place_rules{};

template <>
inline constexpr std::array place_rules<chase_lev_orders>{
    place_rule{"steal.top", "top"},  place_rule{"pop.top", "top"},         place_rule{"push.room", "top"},
    place_rule{"make.ring", "ring"}, place_rule{"grow.publish", "ring"},   place_rule{"push.own", "bottom"},
    place_rule{"pop.own", "bottom"}, place_rule{"steal.bottom", "bottom"}, place_rule{"push.item", "slot"},
    place_rule{"grow.copy", "slot"}, place_rule{"steal.item", "slot"},     place_rule{"half.top", "top"},
    place_rule{"half.item", "slot"}, place_rule{"half.bottom", "bottom"},  place_rule{"half.again", "bottom"},
};

template <>
inline constexpr std::array place_rules<tagged_orders>{
    place_rule{"steal.top", "top"},  place_rule{"pop.top", "top"},       place_rule{"push.room", "top"},
    place_rule{"make.ring", "ring"}, place_rule{"grow.publish", "ring"}, place_rule{"push.own", "bottom"},
    place_rule{"pop.own", "bottom"}, place_rule{"half.own", "bottom"},   place_rule{"steal.bottom", "bottom"},
    place_rule{"push.item", "slot"}, place_rule{"grow.copy", "slot"},    place_rule{"renew.copy", "slot"},
    place_rule{"half.item", "slot"}, place_rule{"steal.item", "slot"},
};

template <>
inline constexpr auto place_rules<tagged_asymmetric_orders> = [] {
  constexpr const auto& same = place_rules<tagged_orders>;
  std::array<place_rule, same.size() + 1> all{place_rule{"steal.look", "bottom"}};
  std::ranges::copy(same, all.begin() + 1);
  return all;
}();

template <>
inline constexpr auto place_rules<chase_lev_asymmetric_orders> = [] {
  constexpr const auto& same = place_rules<chase_lev_orders>;
  std::array<place_rule, same.size() + 1> all{place_rule{"steal.look", "bottom"}};
  std::ranges::copy(same, all.begin() + 1);
  return all;
}();

template <>
inline constexpr std::array place_rules<split_orders>{
    place_rule{"steal.word", "word"},        place_rule{"room.word", "word"},     place_rule{"answer.publish", "word"},
    place_rule{"reclaim.word", "word"},      place_rule{"renumber.word", "word"}, place_rule{"size.word", "word"},
    place_rule{"make.ring", "ring"},         place_rule{"grow.publish", "ring"},  place_rule{"push.own", "bottom"},
    place_rule{"pop.own", "bottom"},         place_rule{"half.own", "bottom"},    place_rule{"size.bottom", "bottom"},
    place_rule{"renumber.bottom", "bottom"}, place_rule{"push.asked", "asked"},   place_rule{"pop.asked", "asked"},
    place_rule{"ask.asked", "asked"},        place_rule{"ask.raise", "asked"},    place_rule{"half.asked", "asked"},
    place_rule{"answer.clear", "asked"},     place_rule{"push.item", "slot"},     place_rule{"grow.copy", "slot"},
    place_rule{"steal.item", "slot"},
};

template <>
inline constexpr std::array place_rules<run_queue_orders>{
    place_rule{"room.head", "head"},  place_rule{"overflow.claim", "head"}, place_rule{"pop.claim", "head"},
    place_rule{"steal.head", "head"}, place_rule{"half.head", "head"},      place_rule{"push.own", "tail"},
    place_rule{"pop.own", "tail"},    place_rule{"overflow.own", "tail"},   place_rule{"steal.tail", "tail"},
    place_rule{"half.tail", "tail"},  place_rule{"half.own", "tail"},       place_rule{"push.item", "slot"},
    place_rule{"half.copy", "slot"},  place_rule{"steal.item", "slot"},     place_rule{"half.first", "slot"},
    place_rule{"half.item", "slot"},
};

template <>
inline constexpr std::array place_rules<parker_orders>{
    place_rule{"park.begin", "word"}, place_rule{"park.take", "word"}, place_rule{"unpark.swap", "word"}};

template <>
inline constexpr std::array place_rules<lifo_slot_orders>{
    place_rule{"put.store", "slot"},  place_rule{"put.swap", "slot"},   place_rule{"take.swap", "slot"},
    place_rule{"steal.look", "slot"}, place_rule{"steal.swap", "slot"}, place_rule{"empty.look", "slot"}};

/// parked.look is of either.
template <>
inline constexpr std::array place_rules<idle_set_orders>{
    place_rule{"park.bit", "bits"},   place_rule{"park.count", "head"},   place_rule{"claim.look", "head"},
    place_rule{"claim.bits", "bits"}, place_rule{"retract.look", "head"}, place_rule{"retract.clear", "bits"},
    place_rule{"begin.look", "head"}, place_rule{"end.count", "head"},    place_rule{"count.look", "head"}};

template <>
inline constexpr std::array place_rules<task_state_orders>{
    place_rule{"begin.look", "state"},    place_rule{"begin.take", "state"},    place_rule{"suspend.leave", "state"},
    place_rule{"wake.notify", "state"},   place_rule{"cancel.notify", "state"}, place_rule{"complete.publish", "state"},
    place_rule{"join.register", "state"}, place_rule{"unjoin.take", "state"},   place_rule{"detach.tell", "state"},
    place_rule{"retain.count", "state"},  place_rule{"release.count", "state"},
};

template <>
inline constexpr std::array place_rules<task_registry_orders>{
    place_rule{"push.head", "head"},    place_rule{"sweep.head", "head"},   place_rule{"close.take", "head"},
    place_rule{"add.count", "count"},   place_rule{"sweep.count", "count"}, place_rule{"add.limit", "limit"},
    place_rule{"sweep.limit", "limit"},
};

template <>
inline constexpr std::array place_rules<trace_ring_orders>{
    place_rule{"record.begin", "begun"}, place_rule{"record.end", "ended"}, place_rule{"read.end", "ended"},
    place_rule{"read.begin", "begun"},   place_rule{"record.time", "time"}, place_rule{"record.what", "what"},
    place_rule{"read.time", "time"},     place_rule{"read.what", "what"},
};

template <>
inline constexpr std::array place_rules<inject_queue_orders>{
    place_rule{"push.ticket", "tail"},      place_rule{"batch.tail", "tail"},    place_rule{"batch.ticket", "tail"},
    place_rule{"return.tail", "tail"},      place_rule{"return.ticket", "tail"}, place_rule{"extend.tail", "tail"},
    place_rule{"move.tail", "tail"},        place_rule{"look.tail", "tail"},     place_rule{"pop.again", "tail"},
    place_rule{"advance.tail", "tail"},     place_rule{"size.tail", "tail"},     place_rule{"look.head", "head"},
    place_rule{"pop.claim", "head"},        place_rule{"advance.claim", "head"}, place_rule{"advance.look", "head"},
    place_rule{"advance.head", "head"},     place_rule{"size.head", "head"},     place_rule{"push.item", "cell"},
    place_rule{"extend.fill", "cell"},      place_rule{"pop.item", "cell"},      place_rule{"pop.poison", "cell"},
    place_rule{"extend.next", "next"},      place_rule{"extend.link", "next"},   place_rule{"advance.next", "next"},
    place_rule{"finish.count", "finished"}, place_rule{"obtain.look", "spare"},  place_rule{"obtain.spare", "spare"},
    place_rule{"recycle.spare", "spare"},   place_rule{"recycle.look", "spare"}, place_rule{"pop.kept", "kept"},
    place_rule{"keep.top", "kept"},         place_rule{"keep.push", "kept"},     place_rule{"drain.take", "kept"},
    place_rule{"empty.kept", "kept"},       place_rule{"push.closed", "closed"}, place_rule{"close.flag", "closed"},
    place_rule{"closed.flag", "closed"},
};

template <>
inline constexpr std::array place_rules<crew_orders>{place_rule{"stop.set", "stop"}, place_rule{"stop.seen", "stop"}};
template <>
inline constexpr std::array place_rules<crew_asymmetric_orders> = place_rules<crew_orders>;

template <>
inline constexpr std::array place_rules<census_orders>{
    place_rule{"enter.look", "entered"},  place_rule{"child.closed", "entered"}, place_rule{"close.set", "entered"},
    place_rule{"sum.entered", "entered"}, place_rule{"child.own", "children"},   place_rule{"sum.children", "children"},
    place_rule{"leave.own", "gone"},      place_rule{"sum.gone", "gone"},        place_rule{"wait.begin", "waiting"},
    place_rule{"wait.end", "waiting"},    place_rule{"tell.waiting", "waiting"}, place_rule{"wait.changes", "changes"},
    place_rule{"tell.change", "changes"},
};

template <class Site>
consteval const char* place_of() {
  for (const place_rule& r : place_rules<Site::in>) {
    if (r.site == Site::entry.site) return r.place;
  }
  return nullptr;
}

}  // namespace licit::checker

#endif
