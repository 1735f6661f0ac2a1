#!/usr/bin/env python3
"""What a newcomer waits for, measured in fresh clones of the last commit: `make verify` to its first verdict and to its
end, that command again for one structure whose header was changed, and `make test` by its parts.

usage: first_hour.py [--only verify,test] [--folder FOLDER] [--structure NAME --header FILE]

Prints a table: processor time (user and system, of all processes) and time on the clock. The packages are installed
beforehand, and a compiler cache is switched off. What the commands print is kept in FOLDER.
"""
import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

HEADER = "deque/include/licit/deque/chase_lev.hpp"
VERDICT = r"^ *[a-z]+(-[a-z]+)* +[0-9]"  # a structure, and how many clients
AIMS = {"verify": 420, "first": 90, "again": 60, "test": 2400}


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def of_running(session):
    """Processor time of a session's processes that still run, and of those that they have waited for."""
    ticks = 0
    for entry in pathlib.Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split() if entry.name.isdigit() else None
        except OSError:  # it has ended
            continue
        if fields and int(fields[3]) == session:
            ticks += sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def run(command, folder, log, first=None):
    """(processor time, time) of a command, and the same when a line that matches `first` was printed."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("CCACHE_", "CMAKE_", "MAKE", "MFLAGS"))}
    environment["CCACHE_DISABLE"] = "1"
    before, start, found = processor_time(), time.monotonic(), None
    with log.open("wb") as out:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, start_new_session=True)
        for line in process.stdout:
            out.write(line)
            out.flush()
            if first and not found and re.search(first, line.decode(errors="replace")):
                found = of_running(process.pid), time.monotonic() - start
    if process.wait() != 0:
        sys.exit(f"first_hour.py: {' '.join(command)} failed with status {process.returncode}: see {log}")
    return (processor_time() - before, time.monotonic() - start), found


def clone(root, folder):
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", "--no-local", str(root), str(folder)], check=True)
    return folder


def machine():
    names = re.findall(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), flags=re.MULTILINE)
    return f"{os.cpu_count()} processors, {names[0] if names else os.uname().machine}"


def verify(root, folder, options):
    fresh = clone(root, folder / "verify")
    whole, first = run(["make", "verify"], fresh, folder / "verify.log", VERDICT)
    yield "`make verify`", "verify", whole
    if not first:
        sys.exit(f"first_hour.py: {folder / 'verify.log'} has no line of a structure's verdict")
    yield "its first verdict", "first", first
    # A change that the compiler sees: the digest of the sources is another one, too.
    header = fresh / options.header
    text = header.read_text()
    opening = "\nnamespace licit::inline v0 {\n"
    header.write_text(text.replace(opening, opening + "\nstruct another_line;\n", 1))
    if header.read_text() == text:
        sys.exit(f"first_hour.py: {options.header} has no line `namespace licit::inline v0 {{`")
    again, _ = run(["make", "verify", f"STRUCTURE={options.structure}"], fresh, folder / "again.log")
    yield f"`make verify STRUCTURE={options.structure}` after a change in its header", "again", again


def test(root, folder, _):
    """The parts of `make test` one by one, each built and then tested."""
    fresh = clone(root, folder / "test")
    parts = re.search(r"^test: ((?:test-\S+ )+)", (fresh / "Makefile").read_text(), flags=re.MULTILINE)[1].split()
    whole = []
    for command in (step for part in parts for step in (part.replace("test-", "build-"), part)):
        used, _ = run(["make", command], fresh, folder / f"{command}.log")
        whole.append(used)
        yield f"`make {command}`", None, used
    yield "`make test`, which is these", "test", tuple(map(sum, zip(*whole)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="verify,test", help="which commands, with commas (default: verify,test)")
    parser.add_argument("--folder", type=pathlib.Path, help="where to clone to and to log (default: a temporary folder)")
    parser.add_argument("--structure", default="chase-lev", help="whose verdict and header (default: chase-lev)")
    parser.add_argument("--header", default=HEADER, help=f"which header is changed (default: {HEADER})")
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    folder = options.folder or pathlib.Path(tempfile.mkdtemp(prefix="first-hour-"))
    folder.mkdir(parents=True, exist_ok=True)
    commit = subprocess.run(["git", "-C", root, "describe", "--always", "--dirty"], capture_output=True, text=True,
                            check=True).stdout.strip()
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"Commit {commit} (what is not committed is not in the clone); {machine()}; load at the start: {load}.")
    print("Packages were installed beforehand; no compiler cache.\n")
    print("| in a fresh clone | processor time, s | aim, s | on the clock, s |\n|---|---|---|---|", flush=True)
    for name in options.only.split(","):
        for what, aim, (used, passed) in {"verify": verify, "test": test}[name](root, folder, options):
            print(f"| {what} | {used:.0f} | {AIMS.get(aim, '')} | {passed:.0f} |", flush=True)
    print(f"\nWhat they printed: {folder}/*.log")


if __name__ == "__main__":
    main()
