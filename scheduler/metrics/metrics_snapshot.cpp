#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include <licit/scheduler/metrics/metrics_snapshot.hpp>

namespace licit::inline v0 {

namespace {

constexpr auto& counts = described_counts<std::uint64_t>;
constexpr auto& outside_of = described_outside_counts<std::uint64_t>;

/// A difference of estimates, which may fall by a little.
std::uint64_t difference_or_none(std::uint64_t later, std::uint64_t earlier) {
  return later > earlier ? later - earlier : 0;
}

void add(worker_snapshot& to, const worker_snapshot& one) {
  for (const auto& count : counts) to.counts.*count.number += one.counts.*count.number;
  to.parked_ns += one.parked_ns;
  to.local_depth += one.local_depth;
  to.stalled_ns = std::max(to.stalled_ns, one.stalled_ns);
  if (!one.poll_times) return;
  if (!to.poll_times) to.poll_times.emplace();
  *to.poll_times += *one.poll_times;
}

void subtract(worker_snapshot& from, const worker_snapshot& earlier) {
  for (const auto& count : counts) from.counts.*count.number -= earlier.counts.*count.number;
  from.parked_ns = difference_or_none(from.parked_ns, earlier.parked_ns);
  if (from.poll_times && earlier.poll_times) *from.poll_times -= *earlier.poll_times;
}

}  // namespace

worker_snapshot scheduler_snapshot::total() const {
  worker_snapshot all;
  for (const worker_snapshot& one : workers) add(all, one);
  for (const auto& count : outside_of) all.counts.*count.same += outside.*count.number;
  return all;
}

std::uint64_t scheduler_snapshot::live_tasks() const {
  const worker_counts<std::uint64_t> all = total().counts;
  const std::uint64_t ended = all.finished + all.threw + all.cancelled + all.moved;
  return difference_or_none(all.spawned + spawned_outside, ended);
}

scheduler_snapshot operator-(scheduler_snapshot later, const scheduler_snapshot& earlier) {
  if (later.workers.size() != earlier.workers.size()) {
    throw std::invalid_argument("licit: a difference of snapshots of " + std::to_string(later.workers.size()) +
                                " and of " + std::to_string(earlier.workers.size()) +
                                " workers; both must be of one scheduler");
  }
  for (std::size_t i = 0; i != later.workers.size(); ++i) subtract(later.workers[i], earlier.workers[i]);
  later.elapsed_ns = difference_or_none(later.elapsed_ns, earlier.elapsed_ns);
  later.spawned_outside -= earlier.spawned_outside;
  for (const auto& count : outside_of) later.outside.*count.number -= earlier.outside.*count.number;
  later.unobserved_exceptions -= earlier.unobserved_exceptions;
  return later;
}

}  // namespace licit::inline v0
