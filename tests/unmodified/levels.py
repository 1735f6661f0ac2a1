#!/usr/bin/env python3
"""doors.cpp at every level of optimisation, by every compiler: the verdicts and counts of the checker's policy.

usage: levels.py --policy EXECUTABLE --runtime LIBRARY --library ARCHIVE --include DIR... --cxx CXX... SOURCE FOLDER

EXECUTABLE is doors.cpp over the policy; it runs the other door and compares. AS names the programs that a compiler changes, and
the one over the policy that says the same. Exit status 1 if something differs.
"""
import argparse
import pathlib
import subprocess
import sys

import door

PROGRAMS = ["store_buffering", "independent_reads", "counted", "counted_weakly", "message", "unordered_message",
            "deque_last", "deque_pop", "deque_grows", "deque_thieves"]
AS = {("clang++", "counted_weakly"): "counted"}  # it hands a weak compare-exchange over as a strong one


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy", required=True, type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    door.add_arguments(parser)
    options = parser.parse_args()
    wrong = 0
    for compiler in options.cxx:
        for level in door.LEVELS:
            other = door.build(options, compiler, level, options.source, "doors")
            for program in PROGRAMS:
                by_policy = AS.get((door.family(compiler), program), program)
                done = subprocess.run([options.policy, by_policy, other, program], capture_output=True, text=True, check=False)
                if done.returncode != 0:
                    wrong += 1
                    print(f"{compiler} {level} {program}: {done.stdout.strip()}")
            print(f"{compiler} {level}: {len(PROGRAMS)} programs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
