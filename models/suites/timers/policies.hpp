/// What the clients of timers run over.
#ifndef LICIT_SUITES_TIMERS_POLICIES_HPP
#define LICIT_SUITES_TIMERS_POLICIES_HPP

#include <licit/scheduler/time/timers.hpp>

#include "suites/altered.hpp"
#include "suites/waiters/policies.hpp"

namespace licit::suites {

/// The wheels' lists are guarded by the checker's own mutex. One wheel of two levels with two slots each, for all.
template <class Model>
using few_ticks = with_rules<with_rules<specified_lock<Model>, timer_wheel_rules{.bits = 1, .levels = 2}>,
                             timers_rules{.alignment = 8, .most_wheels = 1}>;

}  // namespace licit::suites

#endif
