#!/usr/bin/env python3
"""A structure's suite by both doors: `licit verify`, over the checker's policy, and suites.cpp, as it is.

usage: suites.py --tool LICIT --structure NAME [--most N] --cxx CXX --runtime LIBRARY --library ARCHIVE --include DIR... FOLDER

Each client has the same verdict, and, unless WAITING names the structure, as many executions and as many blocked ones. Each mutant
that `licit verify` finds is found as it is. DIFFERENT names what is not the same, and why. Clients of more than N executions
(default 200,000) are left out, and of the structures in SMALL all but the clients named there. Exit status 1 if something else differs, or if what DIFFERENT names does not.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

import door

GHOST = "only a ghost sees it: a read that moves behind a later write (load buffering)"
ROOM = "refused: the runtime remembers 15 accesses to eight bytes"
DIFFERENT = {
    "chase-lev": {"push.room relaxed": GHOST, "steal.claim relaxed": GHOST},
    "chase-lev-asymmetric": {"push.room relaxed": GHOST, "steal.claim relaxed": GHOST},
    "tagged": {"push.room relaxed": GHOST, "steal.claim relaxed": GHOST},
    "tagged-asymmetric": {"push.room relaxed": GHOST, "steal.claim relaxed": GHOST},
    "run-queue": {"room.head relaxed": GHOST, "steal.claim relaxed": GHOST, "half.claim relaxed": GHOST},
    "split": {"room.word relaxed": GHOST, "steal.claim relaxed": GHOST},
    "timers": {"passed_on": ROOM, "completed_beside_work": ROOM},
    "task-registry": {"closed_twice": "both threads write a variable of the client's that is not the model's: a race here"},
}
# Where threads wait, the programs are not the same: std::atomic::wait is libstdc++'s code, a futex of the runtime does not wake
# spuriously, and loops that wait are explored for other rounds.
WAITING = {"parker", "census", "task-state", "child-group", "idle-set", "inject-queue", "waiters", "timers", "fork", "crew"}
# What the program says of a fault; "not supported" is none.
VIOLATIONS = ("assertion: ", "bad free: ", "data race: ", "deadlock: ", "endless loop: ", "leak: ", "lost wake-up: ",
              "retry without progress: ", "too many steps: ", "uncaught exception: ", "use after free: ")
# All clients of these take hours.
SMALL = {"crew": ["two_tasks", "stopped", "woken_in_vain", "one_for_two_asleep", "batch_of_two", "many_for_one_asleep", "posted", "sent", "yielded",
                  "asleep_of_many", "overtaken_by_bound_asleep"]}


class Doors:
    def __init__(self, options, program):
        self.program = program
        self.waits = options.structure in WAITING
        self.different = dict(DIFFERENT.get(options.structure, {}))
        self.wrong = []
        self.same = 0
        self.of_algorithms = 0  # mutants

    def said(self, *arguments, limit=""):
        """The first line of the program's report."""
        environment = os.environ | {"LICIT_CHECK": "seconds=600 leaks=no" + limit}
        done = subprocess.run([self.program, *arguments], env=environment, capture_output=True, text=True, check=False)
        return done.stdout.split("\n", 1)[0]

    def compare(self, what, is_same, text):
        expected = self.different.pop(what, None)
        self.same += is_same
        if is_same != (expected is None):
            self.wrong.append(f"{what}: {text}" if expected is None else f"{what}: the same, which was not expected")

    def client(self, row):
        counts = f"{row['executions']} executions, {row['blocked']} blocked, exhaustive"
        wanted = "ok: " + ("" if self.waits else counts)
        said = self.said(row["program"])
        self.compare(row["program"], said.startswith(wanted), f"{said}; over the policy {wanted}")

    def mutant(self, row, clients):
        """By the client that finds it over the policy, else by any; quickly at first."""
        others = [c["program"] for c in clients if c["program"] != row["program"]]
        tried = [(row["program"], "")] + [(c, " executions=2000") for c in others] + [(c, "") for c in others]
        for client, limit in tried:
            said = self.said(client, row["mutant"], limit=limit)
            if "main returns 3" in said:
                self.of_algorithms += 1
                return  # of a broken algorithm: it is no mutant of the table
            if said.startswith(VIOLATIONS):
                return self.compare(row["mutant"], True, "")
        self.compare(row["mutant"], False, "no client finds it")


def listed_mutants(options):
    """Those of the table."""
    text = subprocess.run([options.tool, "verify", "--list"], check=True, capture_output=True, text=True).stdout
    own = re.search(rf"^{options.structure}(?=[,\n]).*\n((?: .*\n)*)", text, re.MULTILINE)[1]
    section = re.search(r"^  mutants, .*\n((?:    .*\n)*)", own, re.MULTILINE)[1]
    return [re.split("  +", line.strip())[0] for line in section.splitlines()]


def verified(options):
    """The rows of `licit verify`, by C++20's release sequences, which `licit check` has. Where C++11's give other executions,
    the tool has a row for each.
    """
    asked = [[]]
    if options.structure in SMALL:
        asked = [["--program", *SMALL[options.structure]], ["--mutant", *listed_mutants(options)]]
    file = options.folder / f"{options.structure}.json"
    rows = []
    for more in asked:
        subprocess.run([options.tool, "verify", "--structure", options.structure, "--checker", "exhaustive", "--quiet",
                        "--json", file, *more], check=True, stdout=subprocess.DEVNULL)
        rows += json.loads(file.read_text())
    return [row for row in rows if "calls" not in row and "c++11" not in row.get("bound", "")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, type=pathlib.Path)
    parser.add_argument("--structure", required=True)
    parser.add_argument("--most", type=int, default=200_000)
    door.add_arguments(parser)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    rows = verified(options)
    clients = sorted((row for row in rows if "mutant" not in row and row["executions"] <= options.most),
                     key=lambda row: row["executions"])
    mutants = [row for row in rows if "mutant" in row]
    suite = options.structure.replace("-", "_")
    program = door.build(options, options.cxx[0], "-O1", pathlib.Path(__file__).parent / "suites.cpp", options.structure,
                         [f'LICIT_HEADER="suites/{suite}.hpp"', f"LICIT_SUITE={suite}_suite"])
    doors = Doors(options, program)
    for row in clients:
        doors.client(row)
    for row in mutants:
        doors.mutant(row, clients)
    doors.wrong += [f"{what}: there is no such client or mutant" for what in doors.different]
    for line in doors.wrong:
        print(f"{options.structure}: {line}")
    print(f"{options.structure}: {len(clients)} clients, {len(mutants) - doors.of_algorithms} mutants of the table, {doors.same} the same "
          f"by both doors; left out: {doors.of_algorithms} broken algorithms")
    return 1 if doors.wrong or not clients else 0


if __name__ == "__main__":
    sys.exit(main())
