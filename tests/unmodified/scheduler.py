#!/usr/bin/env python3
"""The scheduler as a user has it: scheduler.cpp with the library's sources, compiled with the instrumentation.

usage: scheduler.py --cxx CXX --runtime LIBRARY --root FOLDER --source FILE... --include FOLDER... table|planted FOLDER

table    each program of scheduler.cpp: executions, verdict, seconds. What is not exhausted is sampled by PCT beyond. Counts of
         whole explorations are compared with those of the page
planted  each fault of FAULTS, in a copy of its source; its program must find it

Exit status 1 if a program is wrong, if the page has another count, or if a fault is not found.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import door

HERE = pathlib.Path(__file__).resolve().parent
# source, what stands there, the fault, the program that finds it, why it is one
FAULTS = [
    ("scheduler/include/licit/scheduler/crew.hpp", "for (const auto& m : members_) m->sleep.unpark();", "", "start_and_stop",
     "a shutdown that wakes nobody"),
    ("scheduler/threads.cpp", "  change_.notify_all();\n", "", "start_and_stop", "a thread that does not tell that it has started"),
    ("scheduler/threads.cpp", "  const std::lock_guard lock(mutex_);\n  ++started_;", "  ++started_;", "start_and_stop",
     "threads counted without the lock"),
    ("scheduler/threads.cpp", "if (options_.on_thread_stop) options_.on_thread_stop(worker);", "", "hooks",
     "a hook that is not called"),
    ("scheduler/threads.cpp", "  give_up();\n", "", "hook_throws", "workers that are not told that another has not started"),
    ("scheduler/engine.cpp", "      threads_.join();\n", "", "spawn_and_shut_down", "a shutdown that does not wait for the threads"),
    ("scheduler/engine.cpp", "if (census_.let_go()) delete this;", "(void)census_.let_go();", "start_and_stop",
     "the last holder does not free the engine"),
    ("scheduler/engine.cpp", "    census_.leave(self);\n", "", "spawn_and_shut_down", "a task that is not counted out"),
    ("scheduler/engine.cpp", "    (void)shutdown(shutdown_kind::cancel, {});\n", "", "spawn_and_destroy",
     "a destructor that does not shut down"),
    ("scheduler/engine.cpp", "    guest_sides = entered.outer();\n    forks_.leave(entered);\n    census_.go();\n",
     "    guest_sides = entered.outer();\n    forks_.leave(entered);\n", "join_outside", "a guest that never leaves"),
    ("scheduler/engine.cpp", "      crew_.inject(&task);\n      census_.go();\n", "      census_.go();\n", "spawn_and_get",
     "a task that nobody gets"),
    ("scheduler/engine.cpp", "        options_.on_unobserved(std::move(thrown));\n", "", "unobserved",
     "an exception that is told to nobody"),
    ("scheduler/engine.cpp", "    if (outside_.add(how)) census_.leave();\n", "    (void)outside_.add(how);\n", "await_in_block_on",
     "a task that a waiting thread has run, and that is not counted out"),
    ("scheduler/include/licit/scheduler/visits.hpp", "      case task_outcome::finished: ++counts_.finished; return true;",
     "      case task_outcome::finished: return true;", "get_in_enter", "a task that is missing in the report"),
]


def compiled(options, source, to, first=()):
    to.parent.mkdir(parents=True, exist_ok=True)
    includes = [f"-I{folder}" for folder in (*first, *options.include)]
    subprocess.run([options.cxx, "-std=c++20", "-O1", "-g", "-UNDEBUG", "-w", "-fsanitize=thread",
                    *door.OWN[door.family(options.cxx)], *includes, "-c", source, "-o", to], check=True)
    return to


def linked(options, objects, program):
    subprocess.run([options.cxx, *objects, options.runtime.absolute(), "-Wl,-z,now",
                    f"-Wl,-rpath,{options.runtime.absolute().parent}", "-o", program], check=True)
    return program


def library(options):
    """The object of each source, by the source's name below the root."""
    return {source: compiled(options, options.root / source, options.folder / "library" / (source.replace("/", ".") + ".o"))
            for source in options.source}


def explore(options, program, name, words):
    environment = dict(os.environ, LICIT_CHECK=words)
    start = time.monotonic()
    done = subprocess.run([program.absolute(), name], capture_output=True, text=True, check=False, env=environment)
    return done.stdout + done.stderr, time.monotonic() - start


def counts(said):
    found = re.search(r"(\d+) executions, (\d+) blocked", said)
    return f"{int(found[1]) + int(found[2]):,}" if found else ""


def counts_of_page(options):
    """Of the programs that the page says are explored to the end: it has g++'s counts."""
    page = (options.root / "models" / "unmodified" / "README.md").read_text()
    found = dict(re.findall(r"^\| `(\w+)`.* \| ([\d,]+) \| right, all of them ", page, re.MULTILINE))
    if not found:
        raise SystemExit("the page has no counts of whole explorations")
    return found if door.family(options.cxx) == "g++" else {}


def table(options, program, client):
    expected = counts_of_page(options)
    names = re.findall(r'\{"(\w+)", &\w+\}', (HERE / "scheduler.cpp").read_text())
    wrong = 0
    print("| program | executions | verdict | seconds |\n|---|---|---|---|")
    for name in names:
        said, seconds = explore(options, program, name, f"seconds={options.seconds}")
        verdict = "right, all of them"
        if said.startswith("limit: "):
            first = counts(said)
            sampled, more = explore(options, program, name, f"mode=pct executions={options.sample} seconds={options.seconds}")
            verdict = f"right so far; PCT: {counts(sampled)}" if sampled.startswith(("ok: ", "limit: ")) else ""
            said, seconds = (f"{first} executions, 0 blocked" if verdict else sampled), seconds + more
            print(f"| `{name}` | {first} | {verdict or sampled.split(chr(10))[0]} | {seconds:.1f} |", flush=True)
        else:
            if not said.startswith("ok: "):
                verdict = said.split("\n")[0]
            print(f"| `{name}` | {counts(said)} | {verdict} | {seconds:.1f} |", flush=True)
        wrong += not (said.startswith("ok: ") or verdict.startswith("right"))
        if expected.pop(name, counts(said)) != counts(said):
            wrong += 1
            print(f"{name}: the page has another count", flush=True)
    for name in expected:
        wrong += 1
        print(f"{name}: there is no such program, which the page names", flush=True)
    return 1 if wrong else 0


def planted(options, objects, client):
    missed = 0
    for number, (source, before, after, name, why) in enumerate(FAULTS):
        text = (options.root / source).read_text()
        if text.count(before) != 1:
            raise SystemExit(f"{source} has not once: {before}")
        folder = options.folder / f"fault.{number}"
        shutil.rmtree(folder, ignore_errors=True)
        if source.endswith(".hpp"):
            below = pathlib.Path(source.split("include/", 1)[1])
            copy, changed, first = folder / below, "scheduler/engine.cpp", [folder]
        else:
            copy, changed, first = folder / source, source, []
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text.replace(before, after))
        made = compiled(options, copy if changed == source else options.root / changed, folder / "changed.o", first)
        program = linked(options, [client, made, *(o for s, o in objects.items() if s != changed)], folder / "program")
        said, seconds = explore(options, program, name, f"seconds={options.seconds}")
        first_line = said.split("\n", 1)[0]
        found = not first_line.startswith(("ok: ", "limit: ", "not supported", "licit: "))
        missed += not found
        print(f"{'found' if found else 'NOT FOUND'} by {name} in {seconds:.1f} s: {why}: {first_line[:150]}", flush=True)
    print(f"{len(FAULTS) - missed} found, {missed} not")
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--runtime", required=True, type=pathlib.Path)
    parser.add_argument("--root", required=True, type=pathlib.Path)
    parser.add_argument("--source", action="append", required=True)
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--sample", type=int, default=20_000)
    parser.add_argument("what", choices=("table", "planted"))
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    objects = library(options)
    client = compiled(options, HERE / "scheduler.cpp", options.folder / "client.o")
    if options.what == "planted":
        return planted(options, objects, client)
    return table(options, linked(options, [client, *objects.values()], options.folder / "program"), client)


if __name__ == "__main__":
    sys.exit(main())
