#!/usr/bin/env python3
"""How fast the door for programs as they are is, beside the checker's policy: the same program of doors.cpp by both.

usage: speed.py [--rounds N] POLICY PROGRAM [NAME...]

POLICY and PROGRAM are unmodified_doors_by_policy and unmodified_doors, built for release. Their runs take turns; a door's figure is
the median of its processor times. Few of these programs have enough executions for that: by default counted_by_four. What a
process takes to start is measured by a program of few executions, and told apart.
"""
import argparse
import re
import resource
import statistics
import subprocess
import sys

NAMES = ["counted_by_four"]
SMALL = "store_buffering"


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("policy")
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    for name in options.names or NAMES:
        said = subprocess.run([options.program, name], capture_output=True, text=True, check=True).stdout
        count = int(re.match(r"ok: (\d+) executions", said)[1])
        commands = [(door, which) for which in (name, SMALL) for door in (options.policy, options.program)]
        times = [[seconds(command) for command in commands] for _ in range(options.rounds)]
        policy, as_it_is, *starts = (statistics.median(one) for one in zip(*times))
        print(f"{name}: {count} executions; policy {policy:.3f} s, as it is {as_it_is:.3f} s: "
              f"{policy / as_it_is:.2f} of the policy's speed, "
              f"{(policy - starts[0]) / (as_it_is - starts[1]):.2f} without the starts of the processes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
