#!/usr/bin/env python3
"""What licit_scheduler_bench measured, as Markdown tables and a plot.

    scheduler_report.py [--markdown scheduler.md] [--plot scheduler.png] [--command TEXT] run.json...

Each file is the JSON of one run, as for report.py. Ratios are taken within one run, never between files.
"""
import statistics

import palette

from report import BadInput, Run, in_order, quartiles, report, table

KINDS = ["fifo", "lifo"]
JOINS = ["fifo-join", "lifo-join"]
PEERS = ["tbb", "tokio", "bare-futex"]
TITLES = {
    "spawn_many_on_worker": "10,000 tasks spawned by a task",
    "spawn_many_local": "10,000 tasks spawned inside block_on",
    "spawn_many_remote_idle": "10,000 tasks spawned from outside, and joined",
    "spawn_many_remote_busy1": "the same, while four tasks yield and stall",
    "ping_pong": "1,000 pairs, two messages each",
    "yield_many": "200 tasks, 1,000 yields each",
    "chained_spawn": "1,000 tasks, each spawns the next",
    "fork_join": "10,945 forks on one worker",
    "remote_spawn_1": "10,000 tasks by a thread outside",
    "remote_spawn_2": "10,000 tasks by two threads outside",
    "remote_spawn_4": "10,000 tasks by four threads outside",
    "remote_spawn_8": "10,000 tasks by eight threads outside",
    "wake_up": "from a spawn outside to the task, all workers asleep",
    "channel_1": "200,000 items through a channel of 1,024, one sender",
    "channel_4": "200,000 items through a channel of 1,024, four senders",
    "uncontended_mutex": "a mutex locked and unlocked 100,000 times by a task",
    "set_and_cancel": "100,000 timers set and cancelled by a task",
}
BUSY2 = "busy2_"
IDLE = "idle"
# Workloads of a second in which nothing is to be done, and of tasks that sleep: each with a table of its own.
IDLES = {IDLE: "Nothing to do", "idle_with_timers": "Nothing to do, 1,000 timers an hour away"}
SLEEPERS = {
    "many_sleepers": "100,000 tasks that sleep for one to two seconds",
    "sleep_beside_long_poll": "90 tasks that sleep during a poll of 100 ms",
}
TICK_US = 1000  # to which deadlines are rounded up
WORDS = """\
Each run has two workers. The figures are milliseconds of wall time per round: the median of the repetitions (quartiles; best
tenth). A repetition is the mean of its rounds. `processors` is the processor time of all threads together. A round ends when
all its tasks have run. After the last round the scheduler's count of tasks must equal the number of spawns. A stall is 10 us of
spinning. With the spawning thread there are more threads than the two processors. `tokio` is Debian's package, and `tbb` is a
`task_group`; neither has all workloads. A fork of `fork_join` spawns a coroutine, awaits another and then the first. With
`fifo-join` and `lifo-join` it awaits `licit::join` of two coroutines; with `tbb` it is a `parallel_invoke` of two functions.
scheduler/include/licit/scheduler/scheduler_options.hpp explains `fifo` and `lifo`; all other options have their defaults. On a
machine with other work the best tenth is more meaningful, since a worker that waits for its processor holds back the tasks that
it has taken."""
BUSY2_WORDS = """\
A thread outside spawns 1,000 tasks while each worker runs a chain of tasks that stall and spawn their successors. The cap is
the largest number of tasks that a worker takes from the inject queue at once (`inject_batch`). The interval between two checks
of that queue adapts in every row. The law is the rate of service, T = N d / (W cap), for N tasks and W workers. Here d is the
time between two checks of a busy worker: the time of one poll of the chains, measured without the 1,000 tasks, times the polls
in an interval. A worker that leaves tasks behind checks again sooner, when those that it took have run. So with larger caps the
time is below the law. The law ignores that a cap above a worker's share of the queue has no effect. `tokio` is a copy of
Debian's version, built without the LIFO slot, with a check every 10 polls (100 us). With cap 1 it takes one task per check, as
Tokio does; with cap 32 it takes its share, as licit does. Debian's own version counts up to 128 consecutive polls from its slot
as one poll, and checks at every 61st poll; so a round takes half a minute."""
FORK_WORDS = """\
The cost of a fork relative to tbb's depends on the processor. The ratios are medians of 15 repetitions with `fifo`, unless the
table says otherwise:

| processor | g++ 12, spawn and await | by `join` | clang++-19, spawn and await | by `join` |
|---|---|---|---|---|
| AMD EPYC (family 26, model 2), the run of this page | 0.75 | 0.42 | 0.69 | 0.36 |
| Intel Xeon (family 6, model 207), an older run | 0.81 | 0.51 | 0.62 | 0.34 |
| another AMD EPYC, two older runs of 9 and one of 15 under `chrt -r 10` | 1.13 to 1.19 | 0.82 | 1.03 to 1.05 | |

Three things keep a fork cheap: a block of memory records its size class, a spawn and an await contain no rare code, and a `fifo`
queue gives back its youngest task. Most of the remaining cost is in making, resuming and destroying two coroutine frames for
each fork, where tbb calls functions. A fork by `when_all` costs more: it has a third coroutine, with a group. Its worker runs in
place whatever no other worker has begun. A fork by `join` of two coroutines (`fifo-join`, `lifo-join`) makes no task unless
another worker takes one of them."""
MISSED_WORDS = """\
These are the known causes of the missed aims. For `fork_join` see [What a fork costs](#what-a-fork-costs).
"""
# By the aim's text in the table.
CAUSES = {
    "spawned by a task and run: at most 0.25 us a task": """\
- *Spawned by a task.* According to `perf` samples of a round on a machine with other work, malloc and free take 21 % of the processor
  time, since 10,000 tasks are alive at once and the other worker frees most of them. That worker spends a third of its time
  looking for the next tasks to steal. The kernel takes 13 % of the total.""",
    "yield_many, lifo: at most 0.8 of tokio": """\
- *yield_many, lifo.* Both orders take the same processor time in one binary. In a binary of the same sources without Tokio they
  took 7.9 and 8.1 ms (lower quartiles of 8 alternating runs, g++). So the place where the linker puts the loop matters
  more than the order.""",
    "busy2, cap 32: less than tokio with cap 32": """\
- *busy2, cap 32.* Why the copy of Tokio takes less time has not been measured.""",
    "set_and_cancel: at most 60 ns a timer": """\
- *set_and_cancel.* In one run on an AMD EPYC it took 56 ns, of which reading the clock took 27. On an Intel Xeon it takes 66 ns
  (g++, best of 400 batches), and 38 in a build that does not read the clock. Two pairs of a compare-exchange and an exchange, as
  the wheel's lock executes them, take 23 ns by themselves. Linking and unlinking take 4.""",
    "uncontended_mutex: at most 20 ns": """\
- *uncontended_mutex.* A lock and an unlock are a compare-exchange each. On an Intel Xeon the two take 13 ns by themselves. Until 27
  November 2026 a load of the word preceded each, and the processor made it wait for the last compare-exchange: 23 ns.""",
}
IDLE_WORDS = """\
The figures are from /proc/self/task, for all workers' threads together, in a second with nothing to do. They are from the
repetition with the most switches."""
TIMER_WORDS = """\
Each await reads the clock, which takes 27 ns according to `perf`. A time that was read earlier in the same poll would let a
timer fire early. The wheel's lock is taken twice."""
SLEEPER_WORDS = """\
The figures say how late the tasks are, in milliseconds, including the rounding of a deadline to a millisecond. They are medians
of the repetitions. A task that is early ends the benchmark. `many_sleepers` has deadlines 10 us apart. In
`sleep_beside_long_poll` the other worker fires the timers of the worker that is in the long poll, and most of the processor time
is that poll."""


class SchedulerRun(Run):
    """With every counter of every repetition, by workload and runtime."""

    def __init__(self, path):
        self.rows = {}
        super().__init__(path)

    def add(self, path, row):
        super().add(path, row)
        workload, runtime = row["run_name"].split("/")[:2]
        self.rows.setdefault(workload, {}).setdefault(runtime, []).append(row)

    def ms(self, workload, runtime):
        return [time * 1e-6 for time in self.times.get(workload, {}).get(runtime, [])]

    def median(self, workload, runtime):
        times = self.ms(workload, runtime)
        return statistics.median(times) if times else None

    def best(self, workload, runtime):
        times = sorted(self.ms(workload, runtime))
        return times[len(times) // 10] if times else None

    def counter(self, workload, runtime, name):
        return statistics.median(row[name] for row in self.rows[workload][runtime])


def caps(run):
    return sorted(int(name[len(BUSY2):]) for name in run.times if name.startswith(BUSY2))


def runtimes(run, workload):
    return in_order(run.times.get(workload, {}), KINDS + JOINS + PEERS)


def workloads(runs):
    return [name for name in TITLES if any(name in run.times for run in runs)]


def less(run, kind, cap):
    """How much less busy2 takes with the cap than with 1, as a share."""
    now, before = run.median(f"{BUSY2}{cap}", kind), run.median(f"{BUSY2}1", kind)
    return None if now is None or before is None else 1 - now / before


# Text, workload and kind, the peer's, and at most so much of its time.
RATIOS = [
    ("spawn_many_remote_busy1: at most 0.7 of tokio", "spawn_many_remote_busy1", "fifo", "spawn_many_remote_busy1",
     "tokio", 0.7),
    ("yield_many, lifo: at most 0.8 of tokio", "yield_many", "lifo", "yield_many", "tokio", 0.8),
    ("fork_join: at most 0.6 of tbb", "fork_join", "fifo", "fork_join", "tbb", 0.6),
    ("fork_join, lifo: at most 0.6 of tbb", "fork_join", "lifo", "fork_join", "tbb", 0.6),
    ("fork_join by join: at most 0.6 of tbb", "fork_join", "fifo-join", "fork_join", "tbb", 0.6),
    ("fork_join by join, lifo: at most 0.6 of tbb", "fork_join", "lifo-join", "fork_join", "tbb", 0.6),
    ("busy2, cap 32: at most 0.12 of tokio with cap 1", f"{BUSY2}32", "fifo", f"{BUSY2}1", "tokio", 0.12),
    ("busy2, cap 32: less than tokio with cap 32", f"{BUSY2}32", "fifo", f"{BUSY2}32", "tokio", 1),
    ("set_and_cancel: at most 0.5 of tokio", "set_and_cancel", "fifo", "set_and_cancel", "tokio", 0.5),
    ("channel_1: at most tokio's time", "channel_1", "fifo", "channel_1", "tokio", 1),
    ("channel_4: at most tokio's time", "channel_4", "fifo", "channel_4", "tokio", 1),
]


def ratio_aims(run):
    rows = []
    for text, workload, kind, against, peer, limit in RATIOS:
        if run.median(workload, kind) is None or run.median(against, peer) is None:
            continue
        ratio = run.median(workload, kind) / run.median(against, peer)
        best = run.best(workload, kind) / run.best(against, peer)
        rows.append([text, f"{ratio:.2f}", f"{best:.2f}", "yes" if ratio <= limit else "no"])
    return rows


def aims(run, kind="fifo"):
    """Text, what was measured, and whether the aim is met; where it was measured."""
    rows = []

    def below(text, workload, limit, scale=1.0, unit="ms"):
        median = run.median(workload, kind)
        if median is not None:
            rows.append([text, f"{median * scale:.3g} {unit}", f"{run.best(workload, kind) * scale:.3g} {unit}",
                         "yes" if median * scale <= limit else "no"])

    share = less(run, kind, 32)
    if share is not None:
        rows.append(["busy2, cap 32 against cap 1: at least 88 % less", f"{share:.1%} less", "",
                     "yes" if share >= 0.88 else "no"])
    below("busy2, cap 32: below 4 ms", f"{BUSY2}32", 4)
    below("spawned by a task and run: at most 0.25 us a task", "spawn_many_on_worker", 0.25, 0.1, "us")
    below("ping_pong: below 1.0 ms", "ping_pong", 1)
    below("yield_many: below 12 ms", "yield_many", 12)
    below("chained_spawn: below 0.2 ms", "chained_spawn", 0.2)
    for idle in IDLES:
        if kind in run.rows.get(idle, {}):
            switches = max(row["voluntary"] + row["involuntary"] for row in run.rows[idle][kind])
            rows.append([f"{idle}: no wake-ups", f"{switches:.0f} in a second", "", "yes" if switches == 0 else "no"])
    for text, workload, limit in (("set_and_cancel: at most 60 ns a timer", "set_and_cancel", 60),
                                  ("uncontended_mutex: at most 20 ns", "uncontended_mutex", 20)):
        if run.median(workload, kind) is not None:
            below(text, workload, limit, 1e6 / run.counter(workload, kind, "items"), "ns")
    return rows + lateness_aims(run, kind) + ratio_aims(run)


def lateness_aims(run, kind):
    """A sleeper that is early is an error of the run, which the report refuses. Of deadlines 10 us apart the median is rounded up by
    half a tick.
    """
    rows = []
    for text, workload, counter, limit, rounding in (
            ("many_sleepers: none early, the median late by less than 0.2 ms beyond the tick", "many_sleepers", "late_us",
             200, TICK_US / 2),
            ("sleep_beside_long_poll: the 99th percentile late by less than 2 ms", "sleep_beside_long_poll", "late99_us",
             2000, 0)):
        if kind in run.rows.get(workload, {}):
            late = max(0, run.counter(workload, kind, counter) - rounding)
            rows.append([text, f"{late * 1e-3:.3g} ms", "", "yes" if late < limit else "no"])
    return rows


def workload_cells(run, workload, runtime):
    times = run.ms(workload, runtime)
    if not times:
        return ["", "", "", ""]
    low, high = quartiles(times)
    each = time_of_each(run, workload, runtime)
    peer = run.median(workload, "tokio")
    median = statistics.median(times)
    return [f"{median:.3g} ({low:.3g} to {high:.3g}; {run.best(workload, runtime):.3g})",
            f"{run.counter(workload, runtime, 'cpu_time') * 1e-6:.3g}", each, "" if peer is None else f"{median / peer:.2f}"]


def has_items(run, workload):
    """Whether a round's time is divided by other things than tasks, such as items and timers."""
    return any("items" in row for rows in run.rows.get(workload, {}).values() for row in rows)


def time_of_each(run, workload, runtime):
    median = run.median(workload, runtime)
    if has_items(run, workload):
        return f"{median * 1e6 / run.counter(workload, runtime, 'items'):.3g}"
    return f"{median * 1e3 / run.counter(workload, runtime, 'tasks'):.3g}"


def workload_section(runs, workload):
    head = ["runtime"]
    for run in runs:
        head += [f"{run.label}: ms", "processors, ms", "ns each" if has_items(run, workload) else "us a task", "/ tokio"]
    names = in_order({name for run in runs for name in runtimes(run, workload)}, KINDS + JOINS + PEERS)
    rows = [[name] + [cell for run in runs for cell in workload_cells(run, workload, name)] for name in names]
    return ["", f"## {TITLES[workload]} (`{workload}`)", ""] + table(head, rows)


def fork_section():
    return ["", "### What a fork costs", "", FORK_WORDS]


def timer_section():
    return ["", TIMER_WORDS]


def busy2_section(run):
    lines = ["", f"## 1,000 tasks from outside, all workers busy (`busy2`), {run.label}", "", BUSY2_WORDS, ""]
    kinds = [kind for kind in KINDS + ["tokio"] if any(kind in run.times.get(f"{BUSY2}{cap}", {}) for cap in caps(run))]
    head = ["cap", "d, us", "law, ms"]
    for kind in kinds:
        head += [f"{kind}: ms", "less than cap 1"]
    rows = []
    for cap in caps(run):
        workload = f"{BUSY2}{cap}"
        row = [str(cap)]
        if "fifo" in run.times[workload]:
            row += [f"{run.counter(workload, 'fifo', 'between_looks') * 1e6:.0f}",
                    f"{run.counter(workload, 'fifo', 'law') * 1e3:.3g}"]
        else:
            row += ["", ""]
        for kind in kinds:
            share = less(run, kind, cap)
            row += [workload_cells(run, workload, kind)[0], "" if share is None else f"{share:.1%}"]
        rows.append(row)
    return lines + table(head, rows)


def idle_section(run, idle):
    rows = []
    for name in runtimes(run, idle):
        worst = max(run.rows[idle][name], key=lambda row: (row["voluntary"] + row["involuntary"], row["cpu_ns"]))
        rows.append([name] + [f"{worst[counter]:.0f}" for counter in ("voluntary", "involuntary", "cpu_ns")])
    head = ["runtime", "voluntary switches", "involuntary switches", "processor time, ns"]
    words = ["", IDLE_WORDS] if idle == IDLE else []
    return ["", f"## {IDLES[idle]} (`{idle}`), {run.label}"] + words + [""] + table(head, rows)


def sleepers_section(runs, workload):
    head = ["runtime"]
    for run in runs:
        head += [f"{run.label}: median", "99th percentile", "processors, ms"]
    names = in_order({name for run in runs for name in runtimes(run, workload)}, KINDS + PEERS)
    rows = []
    for name in names:
        row = [name]
        for run in runs:
            row += [f"{run.counter(workload, name, counter) * scale:.3g}" for counter, scale in
                    (("late_us", 1e-3), ("late99_us", 1e-3), ("cpu_time", 1e-6))] \
                if name in runtimes(run, workload) else ["", "", ""]
        rows.append(row)
    words = ["", SLEEPER_WORDS] if workload == next(iter(SLEEPERS)) else []
    return ["", f"## {SLEEPERS[workload]} (`{workload}`)"] + words + [""] + table(head, rows)


def markdown(runs, command):
    lines = ["# The scheduler, measured", ""]
    if command:
        lines += [f"Made by `{command}`.", ""]
    for run in runs:
        repetitions = max(len(times) for by_name in run.times.values() for times in by_name.values())
        machine = f", {run.context['machine']}" if "machine" in run.context else ""
        load = ", ".join(f"{value:.1f}" for value in run.context.get("load_avg", []))
        lines.append(f"- {run.label}: {repetitions} repetitions in random order, {run.context.get('num_cpus', '?')} "
                     f"cores{machine}; load of the machine at the start: {load or 'unknown'}")
    lines += ["", WORDS, "", "## Aims", "",
              "The aims are for the default scheduler, `fifo`, unless they say otherwise.", ""]
    head = ["aim"]
    for run in runs:
        head += [f"{run.label}: median", "best tenth", "met"]
    each = [aims(run) for run in runs]
    texts = list(dict.fromkeys(row[0] for rows in each for row in rows))
    found = [{row[0]: row[1:] for row in rows} for rows in each]
    lines += table(head, [[text] + [cell for by_text in found for cell in by_text.get(text, ["", "", ""])]
                          for text in texts])
    missed = {row[0] for rows in each for row in rows if row[-1] == "no"}
    if missed:
        lines += ["", MISSED_WORDS, *(text for aim, text in CAUSES.items() if aim in missed)]
    for workload in workloads(runs):
        lines += workload_section(runs, workload)
        if workload == "fork_join":
            lines += fork_section()
        if workload == "set_and_cancel":
            lines += timer_section()
    for run in runs:
        if caps(run):
            lines += busy2_section(run)
    for workload in SLEEPERS:
        if any(workload in run.times for run in runs):
            lines += sleepers_section(runs, workload)
    for idle in IDLES:
        for run in runs:
            if idle in run.times:
                lines += idle_section(run, idle)
    return "\n".join(lines) + "\n"


def dots(axes, run, workload, ticker):
    names = runtimes(run, workload)
    for row, name in enumerate(names):
        times = run.ms(workload, name)
        low, high = quartiles(times)
        colour = "#1f5fa8" if name in KINDS + JOINS else "#8a8a8a"
        axes.plot([low, high], [row, row], color=colour, linewidth=5, alpha=0.35, solid_capstyle="butt")
        axes.plot([statistics.median(times)], [row], "o", color=colour, markersize=5)
    axes.set_title(TITLES[workload], fontsize=10)
    axes.set_yticks(range(len(names)), names, fontsize=9)
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.xaxis.set_major_locator(ticker.MaxNLocator(6))


def batches(axes, run):
    colours = {"fifo": "#1f5fa8", "lifo": "#d1660a", "tokio": "#8a8a8a"}
    for kind in colours:
        points = [(cap, run.median(f"{BUSY2}{cap}", kind)) for cap in caps(run) if run.median(f"{BUSY2}{cap}", kind)]
        if points:
            axes.plot(*zip(*points), "o-", color=colours[kind], markersize=4, linewidth=1, label=kind)
    law = [(cap, run.counter(f"{BUSY2}{cap}", "fifo", "law") * 1e3) for cap in caps(run)
           if "fifo" in run.times[f"{BUSY2}{cap}"]]
    if law:
        axes.plot(*zip(*law), ":", color="black", linewidth=1, label="N d / (W cap), fifo")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(caps(run), [str(cap) for cap in caps(run)])
    axes.set_title("busy2, by the most taken at once", fontsize=10)
    axes.legend(frameon=False, fontsize=8)


def plot(runs, path):
    """Of the first run."""
    run = runs[0]
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot, ticker
    except ImportError as error:
        raise BadInput(f"--plot needs matplotlib (Debian: python3-matplotlib): {error}") from error
    names = workloads([run])
    panels = len(names) + (1 if caps(run) else 0)
    rows = -(-panels // 2)
    high = 1.9 * rows + 0.5
    figure, grid = pyplot.subplots(rows, 2, figsize=(11, high), squeeze=False)
    places = [axes for row in grid for axes in row]
    for axes, name in zip(places, names):
        dots(axes, run, name, ticker)
    if caps(run):
        batches(places[len(names)], run)
    for axes in places[panels:]:
        axes.set_visible(False)
    for axes in places:
        axes.tick_params(axis="x", labelsize=8)
        axes.grid(linewidth=0.4, alpha=0.6)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    figure.suptitle(f"milliseconds a round, less is better (median, quartiles); two workers; {run.label}", fontsize=11,
                    y=1 - 0.1 / high, verticalalignment="top")
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.3 / high))
    palette.save(figure, path)


if __name__ == "__main__":
    report(__doc__, SchedulerRun, markdown, plot)
