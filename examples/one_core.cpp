// A program that uses one core of four by accident, what the metrics say about it, and the repaired form.
//
// The work is a chain: each step needs the result of the step before. In addition each step makes a report, for which
// no other step waits. The fault is that the step makes the report itself, in the same task. So there is never more
// than one task, and one worker runs step after step. The repair is to make each report in a separate task.
//
// `one_core before.json after.json` also writes a trace of each, and `licit trace before.json` makes a page from it.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <vector>

#include <licit/scheduler.hpp>
#include <licit/scheduler/metrics/metrics_text.hpp>

namespace {

using licit::task;

constexpr int steps = 2000;

/// Some microseconds of work, and a number that depends on all of it.
std::uint64_t work(std::uint64_t seed, int rounds) {
  for (int i = 0; i != rounds; ++i) seed = seed * 6364136223846793005U + 1442695040888963407U;
  return seed;
}

std::uint64_t next_step(std::uint64_t before) { return work(before, 200); }
std::uint64_t report(std::uint64_t found) { return work(found, 40000); }

struct result {
  std::uint64_t found = 1;
  std::uint64_t reported = 0;  ///< the sum of all reports
  friend bool operator==(const result&, const result&) = default;
};

/// One task after the other; each is spawned when the one before has ended.
task<result> by_accident(licit::scheduler& workers) {
  result all;
  for (int i = 0; i != steps; ++i) {
    all = co_await workers.spawn_with({.name = "step and report"}, [all] {
      const std::uint64_t next = next_step(all.found);
      return result{.found = next, .reported = all.reported + report(next)};
    });
  }
  co_return all;
}

/// The same chain; idle workers make the reports.
task<result> mended(licit::scheduler& workers) {
  std::vector<licit::join_handle<std::uint64_t>> reports;
  result all;
  for (int i = 0; i != steps; ++i) {
    all.found = co_await workers.spawn_with({.name = "step"}, [found = all.found] { return next_step(found); });
    reports.push_back(workers.spawn_with({.name = "report"}, [found = all.found] { return report(found); }));
  }
  for (auto& each : reports) all.reported += co_await each;
  co_return all;
}

/// The metrics of one run, which has found this.
struct outcome {
  result found;
  licit::scheduler_snapshot metrics;
};

/// Writes a trace to the file, if there is one.
outcome run(const char* what, task<result> (*body)(licit::scheduler&), const char* file) {
  licit::scheduler all{{.workers = 4,
                        .thread_name = "core-",
                        .measure_polls = true,
                        .trace_events = file != nullptr ? std::size_t{1} << 15 : 0}};
  const result found = all.spawn_with({.name = "chain"}, body(all)).get();
  all.shutdown();
  if (file != nullptr) {
    std::ofstream out(file);
    all.write_trace(out);
  }
  const licit::scheduler_snapshot metrics = all.metrics();
  std::printf("--- %s\n%s", what, licit::text_table(metrics).c_str());
  std::puts("polls of each worker, in percent of all:");
  const auto sum = metrics.total().counts.polls;
  for (const auto& worker : metrics.workers)
    std::printf(" %5.1f", 100.0 * static_cast<double>(worker.counts.polls) / static_cast<double>(sum));
  std::puts("\n");
  return {found, metrics};
}

/// Whether the counts that the code above determines are right; the others depend on chance.
bool exact(const licit::scheduler_snapshot& metrics, std::uint64_t tasks) {
  const auto counts = metrics.total().counts;
  return counts.finished == tasks && counts.spawned == tasks - 1 && metrics.spawned_outside == 1 &&
         metrics.live_tasks() == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto file = [&](int i) { return i < argc ? argv[i] : nullptr; };
  const outcome before = run("by accident: never more than one task is ready", by_accident, file(1));
  const outcome after = run("mended: the reports are tasks of their own", mended, file(2));

  // By accident the coroutine runs each step in place, while it waits for it: one worker runs all, and nobody is woken.
  const auto counts = before.metrics.total().counts;
  std::printf("by accident %llu tasks ran in %llu polls\n", static_cast<unsigned long long>(counts.finished),
              static_cast<unsigned long long>(counts.polls));
  const bool good =
      before.found == after.found && exact(before.metrics, steps + 1) && exact(after.metrics, 2 * steps + 1);
  std::puts(good ? "check: the counts are exact" : "check: the counts are WRONG");
  return good ? 0 : 1;
}
