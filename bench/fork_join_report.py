#!/usr/bin/env python3
"""What licit_fork_join_bench measured, as Markdown tables and a plot.

    fork_join_report.py [--markdown fork_join.md] [--plot fork_join.png] [--command TEXT] run.json...

Each file is the JSON of one run, as for report.py. Ratios are taken within one run, never between files.
"""
import statistics

import palette

from report import BadInput, Run, in_order, quartiles, report, table

OURS = "licit"
CREWS = ["crew-chase-lev", "crew-tagged", "crew-split"]
RUNTIMES = ["serial", "licit", "licit-full-fences", "licit-called", "licit-coroutines", "licit-joined-coroutines", *CREWS, "tbb", "standard",
            "openmp", "rayon", "rayon-called", "serial-rust"]
TITLES = {
    "fib": "fib(27), naive: 317,810 forks and nothing else",
    "nqueens": "11 queens, a fork at every free square",
    "uts": "an unbalanced tree",
    "matrix": "a product of matrices of 256 rows, by quarters",
    "mergesort": "merge sort of 10,000,000 numbers by fork alone",
    "sort": "the library's sort of 10,000,000 numbers",
    "skewed_loop": "a loop of 10,000 items of 0 to 3 us",
    "sum": "the sum of 100,000,000 numbers by fork alone",
    "library_sum": "the library's sum of 100,000,000 numbers",
    "small_loop": "a loop of 1,000 items of 10 ns, after a pause of 1 ms",
}
FORKS = 317810  # of fib(27)
WORDS = """\
The figures are milliseconds, timed inside the runtime: the median of the repetitions (quartiles; minimum). `overhead` is
T2 - T1/2, where T1 is the time of the plain calls, and T2 the time on two workers. It is the time lost relative to a perfect
division: the median (quartiles) of this difference over all pairs of a repetition of each. The leaf code is the same for every
runtime. The exceptions are `sort` and `library_sum`, which use each library's own: there the overhead compares loops too. In
`rayon` a leaf is called through pointers, which costs one call for each; `licit-called` does the same. rayon's fib is pure Rust;
compare it with `serial-rust`, plain calls by the same compiler. The C++ compiler unrolls the recursion of the plain fib.
`openmp` is the compiler's own runtime: libgomp for g++, libomp for clang++. `tbb` and the crews count the calling thread as a
worker; in the other runtimes that thread sleeps. `licit-full-fences` is licit without membarrier
(`scheduler_options::join_fences`). Every result is compared with the serial one. If other work shares the processors, the
minimum is more meaningful than the median."""

CREW_WORDS = """\
`crew-chase-lev`, `crew-tagged` and `crew-split` are the scheduler's own crew, search and worker loop over three deques of jobs:
Chase-Lev and the tagged deque with asymmetric fences, and the split deque. All three have the same join, which is as short as
possible. A cell is the time divided by that of Chase-Lev, from the medians (from the minimum times).
`scheduler/fork/README.md` says which deque joins use."""


class ForkJoinRun(Run):
    def add(self, path, row):
        parts = row["run_name"].split("/")
        if len(parts) < 3 or row.get("time_unit") != "ms":
            raise BadInput(f"{path}: {row['run_name']} is not a benchmark of licit_fork_join_bench "
                           "(program/runtime/workers, in ms)")
        self.times.setdefault(parts[0], {}).setdefault((parts[1], int(parts[2])), []).append(row["real_time"])

    def median(self, program, runtime, workers, of=statistics.median):
        times = self.times.get(program, {}).get((runtime, workers))
        return of(times) if times else None

    def overheads(self, program, runtime):
        """T2 - T1/2 of each pair of repetitions: they ran in random order, so that any two may be compared."""
        times = self.times.get(program, {})
        return [two - one / 2 for two in times.get((runtime, 2), []) for one in times.get(("serial", 1), [])]

    def overhead(self, program, runtime, of=statistics.median):
        """By the medians that is the median of the pairs. By `min` it is that of the least times."""
        if of is min:
            serial, two = self.median(program, "serial", 1, of), self.median(program, runtime, 2, of)
            return None if serial is None or two is None else two - serial / 2
        pairs = self.overheads(program, runtime)
        return of(pairs) if pairs else None

    def runtimes(self, program):
        return in_order({name for name, _ in self.times.get(program, {})}, RUNTIMES)


def peers(run, program):
    return [name for name in run.runtimes(program)
            if not name.startswith(("serial", OURS, "crew-")) and name != "rayon-called"]


def cell(run, program, runtime, workers):
    times = run.times.get(program, {}).get((runtime, workers))
    if not times:
        return ""
    low, high = quartiles(times)
    return f"{statistics.median(times):.3g} ({low:.3g} to {high:.3g}; {min(times):.3g})"


def overhead_cell(run, program, runtime):
    pairs = run.overheads(program, runtime)
    if not pairs:
        return ""
    low, high = quartiles(pairs)
    return f"{statistics.median(pairs):.3g} ({low:.3g} to {high:.3g})"


def section(runs, program):
    head = ["runtime"]
    for run in runs:
        head += [f"{run.label}: one worker", "two workers", "overhead"]
    names = in_order({name for run in runs for name in run.runtimes(program)}, RUNTIMES)
    rows = [[name] + [text for run in runs for text in (cell(run, program, name, 1), cell(run, program, name, 2),
                                                         overhead_cell(run, program, name))] for name in names]
    return ["", f"## {TITLES.get(program, program)} (`{program}`)", ""] + table(head, rows)


def crews(run):
    """The deques of jobs: each program's times over the first one's in this run, one worker and two."""
    rows = []
    for program in in_order(run.times, TITLES):
        first = [run.median(program, CREWS[0], workers) for workers in (1, 2)]
        if None in first:
            continue
        row = [f"`{program}`"]
        for name in CREWS[1:]:
            for workers, base in zip((1, 2), first):
                time, least = run.median(program, name, workers), run.median(program, name, workers, min)
                row.append("" if time is None else
                           f"{time / base:.2f} ({least / run.median(program, CREWS[0], workers, min):.2f})")
        rows.append(row)
    head = ["program"] + [f"{name.removeprefix('crew-')}, {workers}" for name in CREWS[1:]
                          for workers in ("one worker", "two")]
    return table(head, rows) if rows else []


def alike(run, program, *names):
    """Whether the quartiles of both overheads overlap."""
    (low, high), (other_low, other_high) = (quartiles(run.overheads(program, name)) for name in names)
    return low <= other_high and other_low <= high


def aims(run, of):
    """Text, the figure, and whether the aim is met."""
    rows = []

    def row(text, value, limit, unit=""):
        if value is not None:
            rows.append((text, f"{value:.3g}{unit}", "yes" if value <= limit else "no"))

    def median(*what):
        return run.median(*what, of)

    fib, plain, rayon = median("fib", OURS, 1), median("fib", "serial", 1), median("fib", "rayon", 1)
    if fib and plain:
        beyond = (fib - plain) * 1e6 / FORKS
        row("fib, one worker, a fork beyond the plain call: at most 5 ns", beyond, 5, " ns")
        rust = median("fib", "serial-rust", 1)
        if rayon and rust:
            row("the same: at most 0.4 of rayon's", beyond / ((rayon - rust) * 1e6 / FORKS), 0.4)
        if median("fib", OURS, 2):
            rows.append(("fib, two workers: at least 0.9 of twice as fast as one",
                         f"{fib / median('fib', OURS, 2) / 2:.3g}",
                         "yes" if fib / median("fib", OURS, 2) / 2 >= 0.9 else "no"))
    small = median("small_loop", OURS, 2)
    for peer in ("tbb", "rayon"):
        if small and median("small_loop", peer, 2):
            row(f"small loop: at most 0.5 of {peer}", small / median("small_loop", peer, 2), 0.5)
    for program in ("mergesort", "sum", "skewed_loop", "uts", "matrix"):
        ours = run.overhead(program, OURS, of)
        theirs = [(run.overhead(program, peer, of), peer) for peer in peers(run, program)
                  if run.overhead(program, peer, of) is not None]
        if ours is not None and theirs:
            least, peer = min(theirs)
            met = "yes" if ours <= least else "alike" if alike(run, program, OURS, peer) else "no"
            rows.append((f"{program}: overhead at most the best peer's", f"{ours:.3g} ms, {peer} {least:.3g} ms", met))
    return rows


def markdown(runs, command):
    lines = ["# Fork and join, measured", ""]
    if command:
        lines += [f"Made by `{command}`.", ""]
    for run in runs:
        repetitions = max(len(times) for by_name in run.times.values() for times in by_name.values())
        machine = f", {run.context['machine']}" if "machine" in run.context else ""
        load = ", ".join(f"{value:.1f}" for value in run.context.get("load_avg", []))
        under = f", under `{run.context['under']}`" if "under" in run.context else ""
        lines.append(f"- {run.label}: {repetitions} repetitions in random order, {run.context.get('num_cpus', '?')} "
                     f"cores{machine}; load of the machine at the start: {load or 'unknown'}{under}")
    lines += ["", WORDS, "", "![The programs on two workers](fork_join.png)", "", "## Aims", "",
              "`alike` means that licit's overhead is not the smallest, but the quartiles of both overheads overlap.", ""]
    for run in runs:
        medians, least = aims(run, statistics.median), {text: (value, met) for text, value, met in aims(run, min)}
        rows = [[text, value, met, *least.get(text, ("", ""))] for text, value, met in medians]
        lines += [f"{run.label}:", ""] + table(["aim", "of medians", "met", "of the least", "met"], rows) + [""]
    if compared := [(run, rows) for run in runs if (rows := crews(run))]:
        lines += ["## The deque of jobs", "", CREW_WORDS, ""]
        for run, rows in compared:
            lines += [f"{run.label}:", ""] + rows + [""]
    for program in in_order({name for run in runs for name in run.times}, TITLES):
        lines += section(runs, program)
    return "\n".join(lines) + "\n"


def plot(runs, path):
    """Of the first run."""
    run = runs[0]
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot, ticker
    except ImportError as error:
        raise BadInput(f"--plot needs matplotlib (Debian: python3-matplotlib): {error}") from error
    programs = in_order(run.times, TITLES)
    rows = -(-len(programs) // 3)
    figure, grid = pyplot.subplots(rows, 3, figsize=(12, 2.3 * rows + 0.6), squeeze=False)
    places = [axes for row in grid for axes in row]
    for axes, program in zip(places, programs):
        names = [name for name in run.runtimes(program) if run.median(program, name, 2) and name not in CREWS]
        for i, name in enumerate(names):
            times = run.times[program][name, 2]
            low, high = quartiles(times)
            colour = "#1f5fa8" if name.startswith(OURS) else "#8a8a8a"
            axes.plot([low, high], [i, i], color=colour, linewidth=5, alpha=0.35, solid_capstyle="butt")
            axes.plot([statistics.median(times)], [i], "o", color=colour, markersize=5)
        if run.median(program, "serial", 1):
            axes.axvline(run.median(program, "serial", 1) / 2, color="black", linewidth=1, linestyle=":")
        axes.set_title(TITLES.get(program, program), fontsize=9)
        axes.set_yticks(range(len(names)), names, fontsize=8)
        axes.set_ylim(len(names) - 0.5, -0.5)
        medians = [run.median(program, name, 2) for name in names]
        if medians and max(medians) > 20 * min(medians):
            axes.set_xscale("log")
        else:
            axes.set_xlim(0, 1.04 * axes.get_xlim()[1])
            axes.xaxis.set_major_locator(ticker.MaxNLocator(5))
    for axes in places[len(programs):]:
        axes.set_visible(False)
    for axes in places:
        axes.tick_params(axis="x", labelsize=8)
        axes.grid(linewidth=0.4, alpha=0.6)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    high = 2.3 * rows + 0.6
    figure.suptitle(f"milliseconds on two workers, less is better (median, quartiles); dotted: half of the plain calls; "
                    f"{run.label}", fontsize=11, y=1 - 0.1 / high, verticalalignment="top")
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.3 / high))
    palette.save(figure, path)


if __name__ == "__main__":
    report(__doc__, ForkJoinRun, markdown, plot)
