#!/usr/bin/env python3
"""A violation that `licit check` writes is found again by `licit replay`, and gdb stops where the report says.

usage: replay.py --tool LICIT --program EXECUTABLE [--jobs N] [--stall N] [--gdb] FOLDER NAME...

Exit status 1 and the reason if a replay says something else. With --gdb it runs under gdb, and the stack at gdb's stop must have
the source that the report names first: a compiler may give an inlined access another line. Of the first NAME it must stop
before event 1.2, too. Deadlocks and leaks are found at the end, when no thread is anywhere. Exit status 3: gdb is not there.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys


def run(command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, DEBUGINFOD_URLS="", **environment))
    return done.returncode, done.stdout + done.stderr


def frames(said, function):
    """The stack where gdb has stopped in a function, without the function's own frame; nothing if it has not stopped there."""
    stopped = re.search(rf"Breakpoint 1, [^#]*\b{function} \(.*?^#0 (.*)", said, re.MULTILINE | re.DOTALL)
    stack = re.split(r"^#\d+ ", stopped[1], flags=re.MULTILINE) if stopped else []
    return [" ".join(frame.split()) for frame in stack[1:]]


def stop_objections(options, file, first):
    """Where gdb stops for the violation."""
    place = re.search(r"\[(\w+\.cpp:)\d+", first)
    said = run([options.tool, "replay", "--gdb", file])[1]
    if f"recorded: {first}\n" not in said:
        return [f"replayed under gdb:\n{said}instead of: {first}"]
    if not any(place[1] in frame for frame in frames(said, "licit_violation")):
        return [f"gdb does not stop in {place[1]}:\n{said}"]
    return []


def step_objections(options, name, file, found):
    """Where gdb stops for an event, as the page shows it: its place is that of the report."""
    event = re.search(r"^[ !]*1\.2 +(\w+\.cpp:\d+) ", found, re.MULTILINE)
    if not event:
        return [f"no event 1.2 with a place:\n{found}"]
    said = run(["gdb", "-q", "-batch", "-ex", "set breakpoint pending on", "-ex", "break licit_step if $rdi == 1 && $rsi == 2", "-ex",
                "run", "-ex", "backtrace", "--args", options.program, name], LICIT_CHECK=f"replay={file}")[1]
    at = [frame for frame in frames(said, "licit_step") if ".cpp:" in frame and "/models/" not in frame]
    return [] if any(frame.endswith(event[1]) for frame in at) else [f"gdb does not stop before 1.2 in {event[1]}:\n{said}"]


def objections(options, name):
    file = options.folder / f"{name}.trace"
    file.unlink(missing_ok=True)
    jobs = ["--jobs", str(options.jobs)] if options.jobs > 1 else []
    stall = [] if options.stall is None else ["--stall", str(options.stall)]
    status, found = run([options.tool, "check", "--trace", file, *jobs, *stall, options.program, name])
    first = found.split("\n", 1)[0]
    if status != 1:
        return [f"no violation: {found}"]
    if options.gdb:
        steps = step_objections(options, name, file, found) if name == options.names[0] else []
        return stop_objections(options, file, first) + steps
    status, again = run([options.tool, "replay", file])
    return [] if status == 1 and f"\n{first}\n" in again else [f"replayed, with status {status}:\n{again}instead of: {first}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True, type=pathlib.Path)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--stall", type=int)
    parser.add_argument("--gdb", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="+")
    options = parser.parse_args()
    if options.gdb and not shutil.which("gdb"):
        print("gdb is not there")
        return 3
    options.folder.mkdir(parents=True, exist_ok=True)
    wrong = [f"{name}: {one}" for name in options.names for one in objections(options, name)]
    print("\n".join(wrong))
    print(f"{len(options.names)} violations, {len(wrong)} objections")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
