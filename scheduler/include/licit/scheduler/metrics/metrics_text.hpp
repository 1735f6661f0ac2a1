/// A snapshot of metrics as text: for people, for programs, for Prometheus.
#ifndef LICIT_SCHEDULER_METRICS_TEXT_HPP
#define LICIT_SCHEDULER_METRICS_TEXT_HPP

#include <string>
#include <string_view>

#include <licit/scheduler/metrics/metrics_snapshot.hpp>

namespace licit::inline v0 {

struct blocking_snapshot;  // sync/blocking_pool.hpp

// Any thread; plain functions of their argument, in any locale. They throw std::bad_alloc only.

/// A line a count, a column a worker and one for all; with more than 8 workers the least and the greatest instead. The
/// first line names the busiest worker and its share of the polls.
std::string text_table(const scheduler_snapshot& snapshot);

/// One JSON object. Names are those of the snapshot's members; times are in nanoseconds.
std::string to_json(const scheduler_snapshot& snapshot);

/// Prometheus' text exposition format 0.0.4. Counters carry the scheduler's name and the worker's number as labels.
/// Times are in seconds. The histogram of polls is for all workers together; its bounds are powers of two of a
/// nanosecond. Not for a difference of snapshots: Prometheus forms those itself.
std::string to_prometheus(const scheduler_snapshot& snapshot);

/// The same for a pool for blocking work (`blocking_pool::metrics`): a line; an object; five families, whose samples
/// have the pool's name as label. A page of Prometheus' has each family once, so it has one pool.
std::string text_table(const blocking_snapshot& snapshot, std::string_view pool);
std::string to_json(const blocking_snapshot& snapshot, std::string_view pool);
std::string to_prometheus(const blocking_snapshot& snapshot, std::string_view pool);

namespace detail {

/// A string as JSON has it, with its quotes (RFC 8259, section 7). A byte that is no part of a character of UTF-8
/// becomes U+FFFD.
std::string json_string(std::string_view text);

}  // namespace detail

}  // namespace licit::inline v0

#endif
