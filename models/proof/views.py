#!/usr/bin/env python3
"""Draws models/proof/views.png: the histories of a Chase-Lev deque and what its threads have seen of them.

usage: views.py FILE.png
"""
import pathlib
import sys

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))
import palette

# Push A, push B, push C; meanwhile thief 1 has taken A. The names are those of chase_lev.inv.
PUSHES = ["A", "B", "C"]
BOTTOM = [0, 1, 2, 3]    # the value of each store
RELEASES = [0, 1, 2, 3]  # pushes that happen before whoever acquires it
TOP = [0, 1]
THREADS = [  # name, colour, what it cannot read behind: of top, of bottom; pushes that happen before its next operation
    ("owner", "#1b7837", 0, 3, 3),
    ("thief 1", "#b35806", 1, 1, 1),
    ("thief 2", "#542788", 0, 2, 2),
]
LANES = [
    ("values of top", [str(t) for t in TOP], 2),
    ("stores of bottom\n(pushes that each releases)", [f"{b}\n({r})" for b, r in zip(BOTTOM, RELEASES)], 1),
    ("pushes", PUSHES, 0),
]
HEIGHT = 1.55  # between lanes


def check():
    for _, _, top, bottom, known in THREADS:
        assert 0 <= top <= TOP[-1] and 0 <= bottom < len(BOTTOM) and 0 <= known <= len(PUSHES)
        assert known >= RELEASES[bottom], "who has acquired a store knows what it releases"


def line(axes, lane, rank, colour, begin, end, arrow):
    y = lane * HEIGHT - 0.36 - 0.14 * rank
    axes.plot([begin], [y], marker="o", markersize=4, color=colour)
    axes.annotate("", xy=(end, y), xytext=(begin, y), arrowprops={"arrowstyle": "->" if arrow else "-", "color": colour, "lw": 1.8})


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    check()
    figure, axes = plt.subplots(figsize=(7.4, 3.9))
    figure.subplots_adjust(left=0, right=1, bottom=0, top=1)
    for name, boxes, lane in LANES:
        axes.text(-0.75, lane * HEIGHT, name, ha="right", va="center", fontsize=10)
        for i, text in enumerate(boxes):
            axes.add_patch(plt.Rectangle((i - 0.35, lane * HEIGHT - 0.26), 0.7, 0.52, fill=False, lw=1))
            axes.text(i, lane * HEIGHT, text, ha="center", va="center", fontsize=10)
    for rank, (name, colour, top, bottom, known) in enumerate(THREADS):
        line(axes, 2, rank, colour, top, len(TOP) - 0.4, True)
        line(axes, 1, rank, colour, bottom, len(BOTTOM) - 0.4, True)
        line(axes, 0, rank, colour, 0, known - 0.65, False)
        axes.plot([], [], color=colour, lw=2, label=name)
    axes.text(4.1, 2 * HEIGHT - 0.5, "may read\nfrom here on", fontsize=9, va="center")
    axes.text(4.1, HEIGHT - 0.5, "may read\nfrom here on", fontsize=9, va="center")
    axes.text(4.1, -0.5, "happen before\nits next operation", fontsize=9, va="center")
    axes.legend(loc="upper right", fontsize=9, frameon=False, ncol=3, bbox_to_anchor=(1.0, 1.01))
    axes.set_xlim(-3.4, 5.6)
    axes.set_ylim(-0.85, 2 * HEIGHT + 0.75)
    axes.axis("off")
    palette.save(figure, sys.argv[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
