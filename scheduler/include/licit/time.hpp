/// Time, for coroutines: sleeps, timeouts, intervals; a clock for tests; a reactor behind sleeping workers.
/// scheduler/time.md has the guarantees.
///
///     co_await licit::sleep_for(5ms);
///     const auto answer = co_await licit::timeout(ask(server), 2s);  // nothing if the time was over
#ifndef LICIT_SCHEDULER_TIME_HPP
#define LICIT_SCHEDULER_TIME_HPP

#include <licit/scheduler/time/manual_clock.hpp>
#include <licit/scheduler/time/reactor.hpp>
#include <licit/scheduler/time/sleep.hpp>
#include <licit/scheduler/time/timeout.hpp>

#endif
