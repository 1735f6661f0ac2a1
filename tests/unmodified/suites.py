#!/usr/bin/env python3
"""A structure's suite by both doors: `licit verify`, over the checker's policy, and suites.cpp, as it is.

usage: suites.py --tool LICIT --structure NAME [--most N] [--no-spurious] [--levels] --cxx CXX --runtime LIBRARY --library ARCHIVE
                 --policy-library FILE... --include DIR... FOLDER

Each client has the same verdict, and as many executions and as many blocked ones. Of the structures in WAITING it has as many
executions that differ by more than rounds of loops that wait: how many rounds are explored depends on the compiler, over the policy
too. Spurious wake-ups are explored there, unless --no-spurious plants the difference. Each mutant that `licit verify` finds is found as it is. DIFFERENT names what is not the same, and why. Clients of more than N executions
(default 200,000) are left out, those that LONG names, and of the structures in SMALL all but the clients named there. Exit status 1
if something else differs, or if what DIFFERENT names does not.
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
# Threads wait here.
WAITING = {"parker", "census", "task-state", "child-group", "idle-set", "inject-queue", "waiters", "timers", "fork", "crew"}
# What the program says of a fault; "not supported" is none.
VIOLATIONS = ("assertion: ", "bad free: ", "data race: ", "deadlock: ", "endless loop: ", "leak: ", "lost wake-up: ",
              "retry without progress: ", "too many steps: ", "uncaught exception: ", "use after free: ")
# All clients of these take hours.
SMALL = {"crew": ["two_tasks", "stopped", "woken_in_vain", "one_for_two_asleep", "batch_of_two", "many_for_one_asleep", "posted", "sent", "yielded",
                  "asleep_of_many", "overtaken_by_bound_asleep"]}
# As it is they may take longer than a client has.
LONG = {"fork": ["old_request", "stolen_onward"]}
SECONDS = 600  # of each client

COUNTS = r"ok: (\d+) executions, (\d+) blocked,.* (\d+) distinct"


class Doors:
    def __init__(self, options, program, policy):
        self.program = program
        self.policy = policy  # the same source over the policy, where threads wait
        self.spurious = "" if options.no_spurious else " spurious=yes"
        self.different = dict(DIFFERENT.get(options.structure, {}))
        self.wrong = []
        self.levels = options.levels
        self.same = 0
        self.of_algorithms = 0  # mutants

    def said(self, *arguments, limit=""):
        """The first line of the program's report."""
        environment = os.environ | {"LICIT_CHECK": f"seconds={SECONDS} leaks=no" + limit}
        done = subprocess.run([self.program, *arguments], env=environment, capture_output=True, text=True, check=False)
        return done.stdout.split("\n", 1)[0]

    def compare(self, what, is_same, text):
        expected = self.different.pop(what, None)
        self.same += is_same
        if is_same and expected == ROOM and self.levels:
            return  # what this compiler makes of it has fewer accesses
        if is_same != (expected is None):
            self.wrong.append(f"{what}: {text}" if expected is None else f"{what}: the same, which was not expected")

    def waiting_client(self, client):
        """Its line says the executions, the blocked ones and the distinct ones of each door."""
        over_policy = subprocess.run([self.policy, client], capture_output=True, text=True, check=False).stdout.strip()
        said = self.said(client, limit=" distinct=yes" + self.spurious)
        wanted, found = re.match(COUNTS, over_policy), re.match(COUNTS, said)
        if wanted and found:
            print(f"{client}: over the policy {'/'.join(wanted.groups())}, as it is {'/'.join(found.groups())}", flush=True)
        self.compare(client, bool(wanted and found and wanted[3] == found[3]), f"{said}; over the policy {over_policy}")

    def client(self, row):
        if self.policy:
            return self.waiting_client(row["program"])
        counts = f"{row['executions']} executions, {row['blocked']} blocked, exhaustive"
        wanted = "ok: " + counts
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
    parser.add_argument("--no-spurious", action="store_true")
    parser.add_argument("--levels", action="store_true", help="the clients alone, by each compiler at each level of optimisation")
    parser.add_argument("--policy-library", action="append", required=True, help="what a program over the policy is linked with")
    door.add_arguments(parser)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    rows = verified(options)
    programs = [row for row in rows if "mutant" not in row]
    too_long = LONG.get(options.structure, [])
    clients = sorted((row for row in programs if row["executions"] <= options.most and row["program"] not in too_long),
                     key=lambda row: row["executions"])
    mutants = [] if options.levels else [row for row in rows if "mutant" in row]
    suite = options.structure.replace("-", "_")
    source = pathlib.Path(__file__).parent / "suites.cpp"
    definitions = [f'LICIT_HEADER="suites/{suite}.hpp"', f"LICIT_SUITE={suite}_suite"]
    # Of the library, which has no instrumentation, the two files whose functions run.
    library = [pathlib.Path(__file__).resolve().parents[2] / "deque" / name for name in ("futex.cpp", "membarrier.cpp")]
    policy = None
    if options.structure in WAITING:
        policy = options.folder.absolute() / f"{options.structure}.policy"
        subprocess.run([options.cxx[0], "-std=c++20", "-O1", "-w", "-DLICIT_BY_POLICY", *(f"-D{d}" for d in definitions),
                        *(f"-I{folder}" for folder in options.include), source, *library, *options.policy_library, options.library, "-o", policy],
                       check=True)
    unknown = [f"{what}: there is no such client" for what in set(too_long) - {row["program"] for row in programs}]
    fails = not clients
    builds = [(compiler, level) for compiler in options.cxx for level in door.LEVELS] if options.levels else [(options.cxx[0], "-O1")]
    for compiler, level in builds:
        doors = Doors(options, door.build(options, compiler, level, source, options.structure, definitions, library), policy)
        for row in clients:
            doors.client(row)
        for row in mutants:
            doors.mutant(row, clients)
        doors.wrong += unknown
        if not options.levels:
            doors.wrong += [f"{what}: there is no such client or mutant" for what in doors.different]
        for line in doors.wrong:
            print(f"{options.structure}: {line}")
        print(f"{options.structure}, {pathlib.Path(compiler).name} {level}: {len(clients)} clients, {len(mutants) - doors.of_algorithms} mutants "
              f"of the table, {doors.same} the same by both doors; left out: {doors.of_algorithms} broken algorithms", flush=True)
        fails = fails or bool(doors.wrong)
    return 1 if fails else 0


if __name__ == "__main__":
    sys.exit(main())
