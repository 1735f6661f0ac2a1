#!/usr/bin/env python3
"""A violation that `licit check` writes is found again by `licit replay`, and gdb stops where the report says.

usage: replay.py --tool LICIT --program EXECUTABLE [--jobs N] [--stall N] FOLDER NAME...

Exit status 1 and the reason if a replay says something else, or the stack at gdb's stop has not the source that the report names
first: a compiler may give an inlined access another line. Deadlocks and leaks are found at the end, when no thread is anywhere.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys


def run(command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ, **environment))
    return done.returncode, done.stdout + done.stderr


def under_gdb(program, name, file):
    """What `licit replay --gdb` asks of gdb, without a terminal."""
    return run(["gdb", "-q", "-batch", "-ex", "set breakpoint pending on", "-ex", "break licit_violation", "-ex", "run", "-ex",
                "backtrace", "--args", program, name], LICIT_CHECK=f"replay={file}", DEBUGINFOD_URLS="")[1]


def objections(options, name):
    file = options.folder / f"{name}.trace"
    file.unlink(missing_ok=True)
    jobs = ["--jobs", str(options.jobs)] if options.jobs > 1 else []
    stall = [] if options.stall is None else ["--stall", str(options.stall)]
    status, found = run([options.tool, "check", "--trace", file, *jobs, *stall, options.program, name])
    first = found.split("\n", 1)[0]
    if status != 1:
        return [f"no violation: {found}"]
    status, again = run([options.tool, "replay", file])
    wrong = [] if status == 1 and f"\n{first}\n" in again else [f"replayed, with status {status}:\n{again}instead of: {first}"]
    place = re.search(r"\[(\w+\.cpp:)\d+", first)
    if shutil.which("gdb") and place and options.jobs == 1 and not re.match("(deadlock|endless|leak|uncaught)", first):
        stack = under_gdb(options.program, name, file)
        if place[1] not in stack.split("licit_violation ()", 1)[-1]:
            wrong.append(f"gdb does not stop in {place[1]}:\n{stack}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, type=pathlib.Path)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--stall", type=int)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="+")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    wrong = [f"{name}: {one}" for name in options.names for one in objections(options, name)]
    print("\n".join(wrong))
    print(f"{len(options.names)} violations, {len(wrong)} objections")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
