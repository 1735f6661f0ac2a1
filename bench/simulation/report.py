#!/usr/bin/env python3
"""What licit_simulation wrote, as Markdown tables and a plot.

    report.py [--plot bench/simulation.png] NAME=run.tsv...

Each file is the output of one run; NAME stands for its strategy in tables and plot.
"""
import argparse
import collections
import csv
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import palette  # noqa: E402

TREES = ("balanced", "skewed", "fib", "loop", "sort")
WAITING = ("rod",)  # not drawn
IN_NUMBERS = ("lifo", "join", "join-full", "join-anything")
ABOUT = ("running", "waiting", "searching")
INTO = ("lines", "queueing", "pauses", "waking", "barriers")


def rows_of(path):
    """The rows by program and number of processors."""
    with open(path, newline="") as file:
        found = collections.defaultdict(dict)
        for row in csv.DictReader(file, delimiter="\t"):
            program = row.pop("program")
            row.pop("strategy")
            if None in row.values():
                sys.exit(f"{path}: a line is not whole")
            found[program][int(row["processors"])] = {name: int(value) for name, value in row.items()}
    return found


class Point:
    """One run, beside the same strategy's run on one processor."""

    def __init__(self, row, alone):
        self.row = row
        self.processors = row["processors"]
        self.time = row["time"]
        self.alone = alone["time"]

    @property
    def speedup(self):
        return self.alone / self.time

    @property
    def constant(self):
        """The c of T_P = T_1/P + c T_inf, with burdened T_inf."""
        return (self.time - self.alone / self.processors) / self.row["burdened"]

    @property
    def steals(self):
        return self.row["steals"] + self.row["slots"]

    def share(self, name):
        return 100 * self.row[name] / self.processors / self.time


def table(head, lines):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for line in lines:
        print("| " + " | ".join(line) + " |")
    print()


def points(runs, program):
    return {name: {p: Point(row, run[program][1]) for p, row in run[program].items()}
            for name, run in runs.items() if 1 in run.get(program, {})}


def speedups(runs, program):
    by_name = points(runs, program)
    sizes = sorted({p for one in by_name.values() for p in one})
    print(f"**{program}**, speed-up against the strategy's own run on one processor\n")
    table(["P"] + list(by_name),
          ([str(p)] + [f"{one[p].speedup:.1f}" if p in one else "-" for one in by_name.values()] for p in sizes))


def details(runs, name):
    print(f"**{name}** in numbers\n")
    lines = []
    for program in TREES:
        for p, one in points(runs, program).get(name, {}).items():
            if p == 1:
                continue
            row = one.row
            lines.append([program, str(p), f"{one.time / 1000:,.0f}", f"{one.speedup:.1f}", f"{one.constant:.1f}",
                          f"{one.steals:,}", f"{one.steals / p / row['forks']:.2f}", f"{row['failed']:,}",
                          f"{row['wakes']:,}", f"{one.share('asleep'):.0f} %"])
    table(["program", "P", "T_P, us", "speed-up", "c", "steals", "steals / (P T∞ in forks)", "failed", "wake-ups",
           "asleep"], lines)


def accounts(runs, name):
    """Where the time of all workers went: what they were about, and what it took them."""
    print(f"**{name}**, percent of the time of all workers\n")
    lines = []
    for program in TREES:
        for p, one in points(runs, program).get(name, {}).items():
            if p < 64 or one.row["running"] == 0:  # an older file: without an account
                continue
            computing = sum(one.row[each] for each in ABOUT) - sum(one.row[each] for each in ("cache",) + INTO)
            half = f"{one.row['half'] / 1000:,.0f}" if one.row["half"] else "-"
            lines.append([program, str(p), half, f"{100 * computing / p / one.time:.0f}"] +
                         [f"{one.share(each):.0f}" for each in ABOUT + ("asleep",) + INTO])
    table(["program", "P", "half began, us", "computing", *ABOUT, "asleep", *INTO], lines)


def service(runs):
    lines = []
    for name, run in runs.items():
        for p, row in run.get("service", {}).items():
            lines.append([name, str(p), f"{row['median'] / 1000:,.0f}", f"{row['p99'] / 1000:,.0f}",
                          f"{row['sleeps']:,}", f"{100 * row['asleep'] / p / row['time']:.0f} %"])
    print("**service**, 70 % load; microseconds from arrival to end, of the later half of the requests\n")
    table(["strategy", "P", "median", "99 %", "sleeps", "asleep"], lines)


def plot(runs, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, all_axes = pyplot.subplots(2, 3, figsize=(13, 7.5))
    for axes, program in zip(all_axes.flat, TREES):
        for name, one in points(runs, program).items():
            sizes = sorted(one)
            place = list(runs).index(name)
            axes.plot(sizes, [one[p].speedup for p in sizes], marker="os^vDPX*<"[place % 9], markersize=4,
                      color=f"C{place}", label=name)
        sizes = sorted({p for one in points(runs, program).values() for p in one})
        if sizes:
            axes.plot(sizes, sizes, color="grey", linestyle=":", label="P")
        axes.set(title=program, xscale="log", yscale="log", xlabel="processors", ylabel="speed-up")
        axes.set_xticks(sizes, [str(p) for p in sizes])
    axes = all_axes.flat[5]
    drawn = [name for name in IN_NUMBERS[:3] if name in runs]
    for place, program in enumerate(TREES):
        for name, line in zip(drawn, ("-", ":", "--")):
            one = points(runs, program).get(name, {})
            sizes = [p for p in sorted(one) if p != 1]
            axes.plot(sizes, [max(one[p].constant, 0.1) for p in sizes], marker="o", markersize=3, linestyle=line,
                      color=f"C{place}", label=program if name == drawn[0] else None)
    axes.axhline(10, color="grey", linewidth=0.8)
    axes.set(title="c of T1/P + c T∞: " + ", ".join(f"{name} {kind}" for name, kind in
                                                     zip(drawn, ("solid", "dotted", "dashed"))),
             xscale="log", yscale="log", xlabel="processors")
    axes.title.set_fontsize(9)
    sizes = sorted({p for program in TREES for one in points(runs, program).values() for p in one if p != 1})
    axes.set_xticks(sizes, [str(p) for p in sizes])
    axes.legend(fontsize=7)
    all_axes.flat[0].legend(fontsize=7)
    figure.tight_layout()
    palette.save(figure, path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", metavar="NAME=run.tsv")
    parser.add_argument("--plot", type=pathlib.Path)
    options = parser.parse_args()
    runs = {}
    for each in options.runs:
        name, _, path = each.partition("=")
        if not path:
            parser.error(f"not NAME=run.tsv: {each}")
        runs[name] = rows_of(path)
    for program in TREES + WAITING:
        if any(program in run for run in runs.values()):
            speedups(runs, program)
    for name in IN_NUMBERS:
        if name in runs:
            details(runs, name)
            accounts(runs, name)
    service(runs)
    if options.plot:
        plot(runs, options.plot)


if __name__ == "__main__":
    main()
