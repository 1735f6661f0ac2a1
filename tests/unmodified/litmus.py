#!/usr/bin/env python3
"""The litmus corpus, compiled: each test as a C++ program that `licit check` explores has the outcomes of `licit litmus`.

usage: litmus.py --cxx CXX... --tool LICIT --runtime LIBRARY --include DIR --corpus DIR [--level=-O1]... [--seed OLD=>NEW] FOLDER

Of each test: the final states, whether there is a race, and, if the test has no loop, how many executions end in each state and
how many are blocked. A compiler may strengthen or remove what the test says; EXPECTED names the tests where that shows. Exit status 1 if a test
differs, or if one of EXPECTED does not.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

import door

PRELUDE = """
#include <thread>
#include <licit/check.h>
// The dialect's atomic functions are atomic whatever the type, and its variables have 64 bits.
#define int long
#define atomic_int long
#define memory_order_relaxed __ATOMIC_RELAXED
#define memory_order_acquire __ATOMIC_ACQUIRE
#define memory_order_release __ATOMIC_RELEASE
#define memory_order_acq_rel __ATOMIC_ACQ_REL
#define memory_order_seq_cst __ATOMIC_SEQ_CST
#define atomic_thread_fence(o) __atomic_thread_fence(o)
#define atomic_load_explicit(p, o) __atomic_load_n(p, o)
#define atomic_load(p) __atomic_load_n(p, __ATOMIC_SEQ_CST)
#define atomic_store_explicit(p, v, o) __atomic_store_n(p, v, o)
#define atomic_store(p, v) __atomic_store_n(p, v, __ATOMIC_SEQ_CST)
#define atomic_exchange_explicit(p, v, o) __atomic_exchange_n(p, v, o)
#define atomic_fetch_add_explicit(p, v, o) __atomic_fetch_add(p, v, o)
#define atomic_fetch_sub_explicit(p, v, o) __atomic_fetch_sub(p, v, o)
#define atomic_fetch_or_explicit(p, v, o) __atomic_fetch_or(p, v, o)
#define atomic_fetch_and_explicit(p, v, o) __atomic_fetch_and(p, v, o)
#define atomic_fetch_xor_explicit(p, v, o) __atomic_fetch_xor(p, v, o)
#define atomic_compare_exchange_strong_explicit(p, e, v, s, f) __atomic_compare_exchange_n(p, e, v, false, s, f)
#define atomic_compare_exchange_weak_explicit(p, e, v, s, f) __atomic_compare_exchange_n(p, e, v, true, s, f)
#define atomic_compare_exchange_strong(p, e, v) \\
  __atomic_compare_exchange_n(p, e, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
"""

# By compiler: tests that are another program once they are compiled, and why.
EXPECTED = {"g++": {}, "clang++": {"CAS+weak": door.WEAK, "CAS+weak-race": door.WEAK}}

Test = collections.namedtuple("Test", "name text threads shared filter loops")


def tests_of(corpus):
    for file in sorted(corpus.glob("*.litmus")):
        text = re.sub(r"\(\*.*?\*\)", "", file.read_text(), flags=re.DOTALL)
        for one in re.split(r"^C ", text, flags=re.MULTILINE)[1:]:
            name = one.split("\n", 1)[0].strip()
            yield parsed(name, one.split("\n", 1)[1])


def parsed(name, text):
    """Parameters and body of each thread; the type, size and beginning of what they share."""
    threads = re.findall(r"^P\d+ *\(([^)]*)\) *\{\n?(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    start = re.search(r"\{(.*)\}", text[:text.index("P0")], re.DOTALL)
    shared = {}
    for parameters, _ in threads:
        for variable in re.findall(r"(\w+)(?:\[\d*\])? *(?:,|$)", parameters):
            shared.setdefault(variable, variable + " = 0")
    for declared in (start[1] if start else "").split(";"):
        if found := re.search(r"(\w+)(\[\d+\])? *(= *.*)?$",
                              re.sub(r"^\s*\[(\w+)\]", r"\1", declared).strip(), re.DOTALL):
            shared[found[1]] = found[1] + (found[2] or "") + " " + (found[3] or ("= {}" if found[2] else "= 0"))
    only = re.search(r"^filter (.*)$", text, re.MULTILINE)
    loops = re.search(r"\b(while|for)\b", "".join(body for _, body in threads)) is not None
    return Test(name, text, threads, shared, only and only[1], loops)


def program_of(test, number, observed):
    """Registers are declared at the thread's beginning: they are told at its end."""
    lines = [f"namespace t{number} {{"]
    lines += [f"atomic_int {declared};" for declared in test.shared.values()]
    for thread, (parameters, body) in enumerate(test.threads):
        registers = list(dict.fromkeys(re.findall(r"\bint +(\w+)", body)))
        body = re.sub(r"\bint +(\w+) *;", "", body)
        body = re.sub(r"\bint +(\w+)", r"\1", body)
        told = [key.split(":")[1] for key in observed if key.startswith(f"{thread}:")]
        registers += [r for r in told if r not in registers]
        lines.append(f"void P{thread}({parameters}) {{")
        lines += [f"  int {register} = 0;" for register in registers]
        lines += [body] + [f'  licit_outcome("{thread}:{r}=%ld", {r});' for r in told]
        lines += [f"  (void){register};" for register in registers] + ["}"]
    lines.append("void run() {")
    for thread, (parameters, _) in enumerate(test.threads):
        passed = re.findall(r"(\w+)(?:\[\d*\])? *(?:,|$)", parameters)
        arguments = ", ".join(name if "[" in test.shared[name] else "&" + name for name in passed)
        lines.append(f"  std::thread p{thread}([] {{ P{thread}({arguments}); }});")
    lines += [f"  p{thread}.join();" for thread in range(len(test.threads))]
    lines += [f'  licit_outcome("{key}=%ld", {key});' for key in observed if ":" not in key]
    return "\n".join(lines + ["}", "}"])


def holds(condition, state):
    python = condition.replace("/\\", " and ").replace("\\/", " or ").replace("~", " not ")
    return eval(re.sub(r"([\w:\[\]]+) *= *(-?\d+)", lambda m: f"(state['{m[1]}'] == {m[2]})", python))  # our own corpus


def said_by(program, number, test, keys):
    done = subprocess.run([program, str(number)], capture_output=True, text=True, check=False, timeout=600)
    first = done.stdout.split("\n", 1)[0]
    if not first.startswith("ok: "):
        return first.split(":")[0], None, None
    states = collections.Counter()
    for count, text in re.findall(r"^ +(\d+)  (.*)$", done.stdout, re.MULTILINE):
        state = {key: int(value) for key, value in (word.rsplit("=", 1) for word in text.split())}
        if test.filter is None or holds(test.filter, state):
            states[tuple(sorted((key, state[key]) for key in keys))] += int(count)
    return "ok", states, int(re.search(r"(\d+) blocked", first)[1])


def difference(program, number, test, row):
    keys = set().union(*(s["state"] for s in row["states"])) if row["states"] else set()
    verdict, states, blocked = said_by(program, number, test, keys)
    if row["race"] or verdict != "ok":
        return None if row["race"] and verdict == "data race" else f"{verdict}, litmus: race={row['race']}"
    wanted = collections.Counter({tuple(sorted(s["state"].items())): s["executions"] for s in row["states"]})
    if not keys:  # only how many there are is told
        return None
    if test.loops:  # `licit litmus` counts each number of rounds
        states, wanted = set(states), set(wanted)
    if states != wanted:
        return f"states {states}, litmus: {wanted}"
    if not test.loops and test.filter is None and blocked != row["blocked"]:
        return f"{blocked} blocked, litmus: {row['blocked']}"
    return None


def source_of(options, tests, rows):
    source = [PRELUDE]
    for number, test in enumerate(tests):
        keys = {key for state in rows[test.name]["states"] or [] for key in state["state"]}
        keys |= set(re.findall(r"([\w:\[\]]+) *=", test.filter or ""))
        source.append(program_of(test, number, sorted(keys)))
    source.append("#undef int\n#include <cstdlib>\nint main(int, char** argv) {\n  switch (std::atoi(argv[1])) {")
    source += [f"    case {number}: t{number}::run(); break;" for number in range(len(tests))]
    text = "\n".join(source + ["  }\n}\n"])
    if options.seed:  # a fault that must be seen
        text = text.replace(*options.seed.split("=>"))
    file = options.folder / "litmus.cpp"
    file.write_text(text)
    return file


def compare(options, compiler, level, tests, rows):
    """How many tests differ that should not, or do not that should."""
    program = door.build(options, compiler, level, source_of(options, tests, rows), "litmus")
    expected = EXPECTED[door.family(compiler)]
    wrong = differ = 0
    for number, test in enumerate(tests):
        found = difference(program, number, test, rows[test.name])
        differ += found is not None
        if (found is not None) != (test.name in expected):
            wrong += 1
            print(f"{compiler} {level} {test.name}: {found or 'no difference, which was expected'}")
    print(f"{compiler} {level}: {len(tests)} tests, {differ} of which are other programs when compiled")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("tool", "corpus"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path)
    parser.add_argument("--level", action="append", help="of optimisation (default: all)")
    parser.add_argument("--seed", metavar="OLD=>NEW", help="in the programs' text, to see that it is found")
    door.add_arguments(parser)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    recorded = options.folder / "litmus.json"
    subprocess.run([options.tool, "litmus", options.corpus, "--json", recorded], check=True, stdout=subprocess.DEVNULL)
    rows = {row["program"]: row for row in json.loads(recorded.read_text())}
    tests = list(tests_of(options.corpus))
    wrong = 0 if {test.name for test in tests} == set(rows) else 1
    for compiler in options.cxx:
        for level in options.level or door.LEVELS:
            wrong += compare(options, compiler, level, tests, rows)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
