#!/usr/bin/env python3
"""What licit_bench measured, as Markdown tables and a plot.

    report.py [--markdown results.md] [--plot results.png] [--command TEXT] run.json...

Each file is the JSON of one run (--benchmark_out_format=json) with repetitions. Ratios are taken within one run, never
between files. A file's label is the `compiler` of its context (--benchmark_context=compiler=...), else its name.
"""
import argparse
import json
import pathlib
import random
import re
import statistics
import sys

import palette

FLOOR = "vector"
TEXTBOOK = "textbook"
TITLES = {
    "push_pop": "push, pop: with other items below",
    "push_pop_last": "push, pop: the only item",
    "push_then_pop": "1024 pushes, 1024 pops",
    "pop_empty": "pop of an empty deque",
    "growth": "4096 pushes into a new one with a capacity of 64",
    "owner_with_thief": "owner, batches of 64, while a thief spins",
    "steal_near": "steal, pushed by the same thread",
    "steal_across": "steal, pushed by another thread",
    "steal_half_near": "256 items by half, pushed by the same thread",
    "steal_half_across": "256 items by half, pushed by another thread",
}
STOLEN = ("The percentage is the share of the items that the thief took. Owner and thief are bound to different "
          "processors. If other work delays the thief, the owner's time approaches that of an undisturbed owner. A thief takes "
          "half of the items, at most 32, if the structure offers that, and otherwise one; vector and array have no thief.")
PER_CLAIM = ("The figures are nanoseconds per item, until all items are in the thief's own structure; taking them out again is "
             "not timed. The other thread is bound to another processor. `a claim` is the average number of items that one "
             "attempt brought: 1.0 means single steals.")


class BadInput(Exception):
    """What is wrong with a file, to be shown to the user."""


class Run:
    """One JSON file: seconds per operation of every repetition, by benchmark and structure."""

    def __init__(self, path):
        try:
            data = json.loads(path.read_text())
            rows = data["benchmarks"]
            self.context = data["context"]
        except OSError as error:
            raise BadInput(f"{path}: {error.strerror}") from error
        except (ValueError, KeyError, TypeError) as error:
            raise BadInput(f"{path}: not the JSON of a Google Benchmark run ({error})") from error
        self.label = self.context.get("compiler", path.stem)
        self.times = {}
        self.stolen = {}  # shares of the items that the thief got, where there is one
        self.per_claim = {}  # items that one attempt brought, where that is counted
        for row in rows:
            if row.get("error_occurred"):
                raise BadInput(f"{path}: {row.get('name')}: {row.get('error_message')}")
            if row.get("run_type") == "iteration":
                self.add(path, row)
        if not self.times:
            raise BadInput(f"{path}: no benchmark was run")

    def add(self, path, row):
        parts = row["run_name"].split("/")
        if len(parts) < 2 or not isinstance(row.get("op"), (int, float)):
            raise BadInput(f"{path}: {row['run_name']} is not a benchmark of licit_bench (benchmark/structure, with "
                           "a counter op)")
        self.times.setdefault(parts[0], {}).setdefault(parts[1], []).append(row["op"] * 1e9)
        for counter, found in (("stolen", self.stolen), ("per_claim", self.per_claim)):
            if counter in row:
                found.setdefault(parts[0], {}).setdefault(parts[1], []).append(row[counter])

    def ratio(self, benchmark, structure, base):
        times = self.times[benchmark]
        if structure not in times or base not in times:
            return None
        return statistics.median(times[structure]) / statistics.median(times[base])

    def interval(self, benchmark, structure, base, resamples=1000):
        """The bootstrap's 95 % interval of the ratio of medians. The generator is seeded: same file, same interval."""
        ours, theirs = self.times[benchmark][structure], self.times[benchmark][base]
        draw = random.Random(1)
        ratios = sorted(
            statistics.median(draw.choices(ours, k=len(ours))) / statistics.median(draw.choices(theirs, k=len(theirs)))
            for _ in range(resamples))
        return ratios[resamples // 40], ratios[-resamples // 40]


def quartiles(times):
    if len(times) < 2:
        return times[0], times[0]
    low, _, high = statistics.quantiles(times, n=4, method="inclusive")
    return low, high


def in_order(names, known):
    known = [name for name in dict.fromkeys(known) if name in names]
    return known + sorted(name for name in names if name not in known)


def benchmarks(runs):
    return in_order({name for run in runs for name in run.times}, TITLES)


def structures(runs, benchmark):
    names = {name for run in runs for name in run.times.get(benchmark, {})}
    return in_order(names, [FLOOR, "array", TEXTBOOK, "licit", "licit-owner"] +
                    sorted(name for name in names if name.startswith("licit-")) +
                    sorted(name for name in names if name.startswith("crossbeam")) + ["textbook-called"])


def cells(run, benchmark, structure):
    times = run.times.get(benchmark, {}).get(structure)
    if times is None:
        return ["", "", ""]
    low, high = quartiles(times)
    floor = run.ratio(benchmark, structure, FLOOR)
    book = run.ratio(benchmark, structure, TEXTBOOK)
    against = ""
    if book is not None:
        against = f"{book:.2f}"
        if structure != TEXTBOOK:
            against += " ({:.2f} to {:.2f})".format(*run.interval(benchmark, structure, TEXTBOOK))
    time = f"{statistics.median(times):.2f} ({low:.2f} to {high:.2f})"
    if shares := run.stolen.get(benchmark, {}).get(structure):
        time += f", {statistics.median(shares):.1%}"
    if items := run.per_claim.get(benchmark, {}).get(structure):
        time += f", {statistics.median(items):.1f} a claim"
    return [time, "" if floor is None else f"{floor:.1f}", against]


def markdown(runs, command):
    lines = ["# Measured", ""]
    if command:
        lines += ["Made by `" + command + "`.", ""]
    for run in runs:
        repetitions = max(len(times) for by_name in run.times.values() for times in by_name.values())
        machine = f", {run.context['machine']}" if "machine" in run.context else ""
        lines.append(f"- {run.label}: {repetitions} repetitions in random order, {run.context.get('num_cpus', '?')} "
                     f"cores{machine}")
    lines += ["", "The figures are nanoseconds per operation, in processor time of the measured thread: the median "
              "(quartiles), and its ratio to the medians of the vector and of the textbook deque in the same run (with the "
              "ratio's 95 % interval)."]
    for benchmark in benchmarks(runs):
        lines += ["", f"## {TITLES.get(benchmark, benchmark)} (`{benchmark}`)", ""]
        head = ["structure"]
        for run in runs:
            head += [f"{run.label}: ns", "/ vector", "/ textbook"]
        lines += ["| " + " | ".join(head) + " |", "|---|" + "---|" * (len(head) - 1)]
        for explained, words in (("stolen", STOLEN), ("per_claim", PER_CLAIM)):
            if any(benchmark in getattr(run, explained) for run in runs):
                lines.insert(-2, words + "\n")
        for structure in structures(runs, benchmark):
            row = [structure] + [cell for run in runs for cell in cells(run, benchmark, structure)]
            lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines) + "\n"


def panel(axes, runs, benchmark, colours):
    names = structures(runs, benchmark)
    offset = 0.32 / max(1, len(runs) - 1)
    for at, run in enumerate(runs):
        for row, structure in enumerate(names):
            times = run.times.get(benchmark, {}).get(structure)
            if times is None:
                continue
            y = row + (at - (len(runs) - 1) / 2) * offset
            low, high = quartiles(times)
            axes.plot([low, high], [y, y], color=colours[at], linewidth=5, alpha=0.35, solid_capstyle="butt")
            axes.plot([statistics.median(times)], [y], "o", color=colours[at], markersize=5)
        if TEXTBOOK in run.times.get(benchmark, {}):
            axes.axvline(statistics.median(run.times[benchmark][TEXTBOOK]), color=colours[at], linewidth=0.8,
                         linestyle=":")
    axes.set_title(TITLES.get(benchmark, benchmark), fontsize=10)
    axes.set_yticks(range(len(names)), names, fontsize=9)
    for tick, structure in zip(axes.get_yticklabels(), names):
        tick.set_fontweight("bold" if structure.startswith("licit") else "normal")
    axes.invert_yaxis()
    axes.set_xscale("log")
    low, high = axes.get_xlim()
    axes.xaxis.set_major_locator(axes.figure.ticks.LogLocator(subs=(1, 2, 5) if high < 500 * low else (1,)))
    axes.xaxis.set_major_formatter(axes.figure.ticks.FormatStrFormatter("%g"))
    axes.xaxis.set_minor_locator(axes.figure.ticks.NullLocator())
    axes.tick_params(axis="x", labelsize=8)
    axes.grid(axis="x", linewidth=0.4, alpha=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def plot(runs, path):
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot, ticker
    except ImportError as error:
        raise BadInput(f"--plot needs matplotlib (Debian: python3-matplotlib): {error}") from error
    names = benchmarks(runs)
    columns = min(2, len(names))
    rows = -(-len(names) // columns)
    # As high as the longest list of the row needs.
    tall = [max(len(structures(runs, name)) for name in names[row * columns:(row + 1) * columns]) for row in range(rows)]
    heights = [0.9 + 0.22 * count for count in tall]
    high = sum(heights) + 0.5
    figure, grid = pyplot.subplots(rows, columns, figsize=(5.6 * columns, high), squeeze=False,
                                   gridspec_kw={"height_ratios": heights})
    figure.ticks = ticker
    colours = ["#1f5fa8", "#d1660a", "#3c8d40", "#8a3fa0"]
    colours = [colours[at % len(colours)] for at in range(len(runs))]
    panels = [axes for row in grid for axes in row]
    for axes, benchmark in zip(panels, names):
        panel(axes, runs, benchmark, colours)
    for axes in panels[len(names):]:
        axes.set_visible(False)
    handles = [pyplot.Line2D([], [], color=colour, marker="o", linewidth=5, alpha=0.8, label=run.label)
               for run, colour in zip(runs, colours)]
    figure.legend(handles=handles, loc="lower center", ncol=len(runs), frameon=False, fontsize=9)
    figure.suptitle("ns an operation, less is better (median, quartiles; dotted: the textbook)", fontsize=11,
                    y=1 - 0.1 / high, verticalalignment="top")
    figure.tight_layout(rect=(0, 0.35 / high, 1, 1 - 0.3 / high))
    palette.save(figure, path)


def by_hand(page):
    """The section of a page that people write, which a new report leaves as it is."""
    found = re.search(r"^## By hand: .*?(?=^## |\Z)", page.read_text(), re.DOTALL | re.MULTILINE) if page.exists() else None
    return "\n" + found[0].rstrip() + "\n" if found else ""


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + ["| " + " | ".join(row) + " |" for row in rows]


def report(text, kind, markdown, plot):
    """The command of a report: reads its files as runs of a kind, and writes what `markdown` and `plot` make of them."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("json", nargs="+", type=pathlib.Path)
    parser.add_argument("--markdown", type=pathlib.Path, help="write the tables there instead of to standard output")
    parser.add_argument("--plot", type=pathlib.Path, help="write a PNG there")
    parser.add_argument("--command", default="", help="how the numbers were made, quoted in the Markdown")
    arguments = parser.parse_args()
    try:
        runs = [kind(path) for path in arguments.json]
        made = markdown(runs, arguments.command)
        if arguments.markdown:
            arguments.markdown.write_text(made + by_hand(arguments.markdown))
        else:
            print(made, end="")
        if arguments.plot:
            plot(runs, arguments.plot)
    except (BadInput, OSError) as error:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {error}")


if __name__ == "__main__":
    report(__doc__, Run, markdown, plot)
