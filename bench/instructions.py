#!/usr/bin/env python3
"""Exact counts in place of times: the instructions that an operation executes, and the locked ones and fences in it.

    instructions.py [--static] [--check] [label=]licit_operations...

Instructions are counted by callgrind as they execute (Debian: valgrind); locked instructions and fences both as they
execute and as they stand in the disassembly. --static does without callgrind. --check fails if licit has more of
either than the textbook.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

CHECKED = ["textbook", "licit", "owner"]
STRUCTURES = CHECKED + ["asymmetric", "tagged", "tagged_asymmetric", "run_queue", "split"]
# What runs, which of its operations is counted, and what that is called.
CASES = [
    ("push_pop", "push", "push"),
    ("push_pop", "pop", "pop"),
    ("push_pop_last", "pop", "pop, last item"),
    ("pop_empty", "pop", "pop, empty"),
    ("push_steal", "steal", "steal"),
    ("pairs", "pairs", "push + pop inlined"),
]
TIMES = 6400
# An xchg with memory is locked without saying so; with two registers it is padding.
LOCKED = re.compile(r"^(lock\b|[ml]fence|xchg\b.*\()|^(dmb|dsb|ldaxr|ldar|ldapr|stlx?r|cas[al]*|swp[al]*)\b")


class Failed(Exception):
    """What could not be done, to be shown to the user."""


def output(*command):
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout
    except FileNotFoundError as error:
        raise Failed(f"{command[0]} is not installed") from error
    except subprocess.CalledProcessError as error:
        raise Failed(f"{' '.join(command)} failed ({error.returncode}): {error.stderr.strip()}") from error


def operations(binary):
    """Address to text of each instruction, by operation: {'licit_push': {0x1234: 'mov ...'}}."""
    found, here = {}, None
    for line in output("objdump", "-d", "--no-show-raw-insn", str(binary)).splitlines():
        if start := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            name = re.match(r"op_(\w+)$", start[1])
            here = found.setdefault(name[1], {}) if name else None
        elif here is not None and (code := re.match(r"\s+([0-9a-f]+):\s+(.*)", line)):
            here[int(code[1], 16)] = code[2].strip()
    wanted = {f"{structure}_{operation}" for structure in STRUCTURES for _, operation, _ in CASES}
    if missing := sorted(wanted - found.keys()):
        raise Failed(f"{binary}: no operation {', '.join(missing)}: is it licit_operations?")
    return found


def executed(binary, structure, kind):
    """How often each address of the binary was executed, in TIMES rounds."""
    with tempfile.TemporaryDirectory() as place:
        file = pathlib.Path(place) / "callgrind"
        output("valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", "--compress-strings=no",
               f"--callgrind-out-file={file}", str(binary), structure, kind, str(TIMES))
        counts, mine, after_call = collections.Counter(), False, False
        for line in file.read_text().splitlines():
            if line.startswith("ob="):
                mine = line.endswith("/" + binary.name)
            elif line.startswith("calls="):
                after_call = True  # the next line is the callee's cost, not this instruction's
            elif row := re.match(r"(0x[0-9a-f]+) \d+ (\d+)$", line):
                if mine and not after_call:
                    counts[int(row[1], 16)] += int(row[2])
                after_call = False
        return counts


def counted(binary, static):
    """(structure, case) to (instructions, locked): instructions is None when static."""
    code = operations(binary)
    result = {}
    for structure in STRUCTURES:
        runs = {} if static else {kind: executed(binary, structure, kind) for kind in {case[0] for case in CASES}}
        for kind, operation, case in CASES:
            body = code[f"{structure}_{operation}"]
            locked = {address for address, text in body.items() if LOCKED.match(text)}
            if static:
                result[structure, case] = None, len(locked)
                continue
            ran = runs[kind]
            result[structure, case] = (sum(ran[address] for address in body) / TIMES,
                                       sum(ran[address] for address in locked) / TIMES)
            if result[structure, case][0] == 0:
                raise Failed(f"{binary}: callgrind saw nothing of {structure} {case}")
    return result


def cases(static):
    """In the disassembly a pop is one function, whatever it finds."""
    return [name for _, _, name in CASES if not static or "," not in name]


def show(number):
    return f"{number:.1f}".removesuffix(".0")


def table(label, counts, static):
    names = cases(static)
    what = "locked instructions and fences in the code" if static else "instructions executed (locked or fences)"
    lines = [f"## {label}: {what}", "", "| structure | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    for structure in STRUCTURES:
        row = []
        for name in names:
            executed_, locked = counts[structure, name]
            row.append(show(locked) if static else f"{show(executed_)} ({show(locked)})")
        lines.append(f"| {structure} | " + " | ".join(row) + " |")
    return "\n".join(lines)


def excess(label, counts, static):
    """Where licit has more than the textbook.

    The owner's pop of the last item, or of none, may take more instructions: it saves a fence, and that saves more. A
    handle may take one more to follow its pointer, and one more to fill an optional.
    """
    for structure in CHECKED[1:]:
        for name in cases(static):
            ours, book = counts[structure, name], counts[CHECKED[0], name]
            if ours[1] > book[1]:
                yield f"{label}: {structure} {name}: {show(ours[1])} locked, the textbook {show(book[1])}"
            if not static and "," not in name and ours[0] > book[0] + 2 * (structure == "owner"):
                yield f"{label}: {structure} {name}: {show(ours[0])} instructions, the textbook {show(book[0])}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", nargs="+", help="a licit_operations; before it, with =, how to call it")
    parser.add_argument("--static", action="store_true", help="disassemble only")
    parser.add_argument("--check", action="store_true", help="fail if licit has more than the textbook")
    arguments = parser.parse_args()
    complaints = []
    try:
        for argument in arguments.binary:
            label, _, path = argument.rpartition("=")
            counts = counted(pathlib.Path(path).resolve(), arguments.static)
            print(table(label or path, counts, arguments.static) + "\n")
            complaints += excess(label or path, counts, arguments.static)
    except Failed as error:
        sys.exit(f"instructions.py: {error}")
    if arguments.check and complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
