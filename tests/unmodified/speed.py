#!/usr/bin/env python3
"""How fast the door for programs as they are is, beside the checker's policy: the same program of doors.cpp by both.

usage: speed.py [--rounds N] [--callgrind] POLICY PROGRAM [NAME...]

POLICY and PROGRAM are unmodified_doors_by_policy and unmodified_doors, built for release. Their runs take turns; a door's figure is
the median of its processor times. --callgrind counts instructions by Valgrind instead, which does not depend on who else runs.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

NAMES = ["counted_by_four", "deque_thieves", "deque_grows"]


def seconds(command):
    before = os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def instructions(command):
    with tempfile.NamedTemporaryFile() as out:
        done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out.name}", *command], capture_output=True,
                              text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--callgrind", action="store_true")
    parser.add_argument("policy")
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    measure, rounds = (instructions, 1) if options.callgrind else (seconds, options.rounds)
    unit = "instructions" if options.callgrind else "s"
    for name in options.names or NAMES:
        said = subprocess.run([options.program, name], capture_output=True, text=True, check=True).stdout
        count = int(re.match(r"ok: (\d+) executions", said)[1])
        times = [(measure([options.policy, name]), measure([options.program, name])) for _ in range(rounds)]
        policy, as_it_is = (statistics.median(one) for one in zip(*times))
        print(f"{name}: {count} executions; policy {policy:g} {unit}, as it is {as_it_is:g} {unit}; "
              f"{policy / count:g} and {as_it_is / count:g} each: {policy / as_it_is:.2f} of the policy's speed", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
