/// How many threads a program may have, and the main thread's number.
#ifndef LICIT_CHECKER_THREADS_HPP
#define LICIT_CHECKER_THREADS_HPP

namespace licit::checker {

/// Threads of a program, the main thread not counted.
inline constexpr unsigned max_threads = 8;

/// The number of the thread that constructs the program and finishes it.
inline constexpr unsigned main_thread = max_threads;

/// Events of one execution: `options::max_events` is at most this.
inline constexpr unsigned most_events = 60'000;

}  // namespace licit::checker

#endif
