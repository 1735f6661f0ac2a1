/// A snapshot of the metrics as text: for people, for programs, for Prometheus.
#ifndef LICIT_SCHEDULER_METRICS_TEXT_HPP
#define LICIT_SCHEDULER_METRICS_TEXT_HPP

#include <string>

#include <licit/scheduler/metrics/metrics_snapshot.hpp>

namespace licit::inline v0 {

// Any thread; plain functions of their argument, in any locale. They throw std::bad_alloc only.

/// A line for each count, a column for each worker and one for all; of more than 8 workers the least and the most
/// instead. First the share of the polls that the busiest worker has.
std::string text_table(const scheduler_snapshot& snapshot);

/// One object; names are those of the snapshot's members, times are nanoseconds.
std::string to_json(const scheduler_snapshot& snapshot);

/// The text exposition format 0.0.4. Counters of workers are labelled with the scheduler's name and the worker's
/// number; times are seconds; the histogram of polls is of all workers together, its bounds are powers of two of a
/// nanosecond. Not of a difference: Prometheus forms those itself.
std::string to_prometheus(const scheduler_snapshot& snapshot);

}  // namespace licit::inline v0

#endif
