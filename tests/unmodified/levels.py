#!/usr/bin/env python3
"""doors.cpp at every level of optimisation, by every compiler: the verdicts and counts of the checker's policy.

usage: levels.py --policy EXECUTABLE --runtime LIBRARY --library ARCHIVE --include DIR... --cxx CXX... SOURCE FOLDER

EXECUTABLE is doors.cpp over the policy; it runs the other door and compares. DIFFERENT names what is not the same, and why. Exit
status 1 if something else differs, or if what DIFFERENT names does not.
"""
import argparse
import pathlib
import subprocess
import sys

import door

PROGRAMS = ["store_buffering", "independent_reads", "counted", "message", "unordered_message", "deque_last", "deque_pop",
            "deque_grows", "deque_thieves"]
DIFFERENT = {("clang++", "counted"): door.WEAK}


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
                done = subprocess.run([options.policy, program, other], capture_output=True, text=True, check=False)
                expected = DIFFERENT.get((door.family(compiler), program))
                if (done.returncode == 0) == (expected is None):
                    continue
                wrong += 1
                print(f"{compiler} {level} {program}: {done.stdout.strip() if expected is None else 'the same'}")
            print(f"{compiler} {level}: {len(PROGRAMS)} programs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
