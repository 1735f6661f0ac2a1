#!/usr/bin/env python3
"""Exact counts in place of times: the instructions that an operation executes, and the locked ones and fences in it.

    instructions.py [--static] [--check] [label=]licit_operations...
    instructions.py --paths [--mcpu znver3] [label=]licit_operations...

Instructions are counted by callgrind as they execute (Debian: valgrind); locked instructions and fences both as they
execute and as they stand in the disassembly. --static does without callgrind. --check fails if licit has more of
either than the textbook, or if a join within another one has any locked instruction or fence.

--paths compares binaries: the instructions of push and pop as two functions, those of a round of a loop into which both
are inlined, with the loop's own, and the critical path of such a round by llvm-mca (Debian: llvm): cycles from the
first instruction's dispatch to the last one's retirement, alone.
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
JOINS = [("join", "within another"), ("join_outermost", "outermost")]  # what runs, and what that is called
# An xchg with memory is locked without saying so; with two registers it is padding.
LOCKED = re.compile(r"^(lock\b|[ml]fence|xchg\b.*\()|^(dmb|dsb|ldaxr|ldar|ldapr|stlx?r|cas[al]*|swp[al]*)\b")


class Failed(Exception):
    """What could not be done, to be shown to the user."""


def output(*command, given=None):
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True, input=given).stdout
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


def executed(binary, structure, kind, *options):
    """How often each address of the binary was executed, in TIMES rounds; of other files, under None."""
    with tempfile.TemporaryDirectory() as place:
        file = pathlib.Path(place) / "callgrind"
        output("valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", "--compress-strings=no",
               *options, f"--callgrind-out-file={file}", str(binary), structure, kind, str(TIMES))
        counts, mine, after_call = collections.Counter(), False, False
        for line in file.read_text().splitlines():
            if line.startswith("ob="):
                mine = line.endswith("/" + binary.name)
            elif line.startswith("calls="):
                after_call = True  # the next line is the callee's cost, not this instruction's
            elif row := re.match(r"(0x[0-9a-f]+) \d+ (\d+)$", line):
                if not after_call:
                    counts[int(row[1], 16) if mine else None] += int(row[2])
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


def joins(binary):
    """Case to (instructions, locked) of a join that nobody steals from, with all that it calls."""
    code = {}
    for line in output("objdump", "-d", "--no-show-raw-insn", str(binary)).splitlines():
        if instruction := re.match(r"\s+([0-9a-f]+):\s+(.*)", line):
            code[int(instruction[1], 16)] = instruction[2].strip()
    result = {}
    for kind, case in JOINS:
        ran = executed(binary, "join", kind, "--toggle-collect=op_join_join")
        if ran[None] or not ran:
            raise Failed(f"{binary}: a join {case} calls what is not in this file, or callgrind saw nothing of it")
        locked = sum(number for address, number in ran.items() if number and LOCKED.match(code[address]))
        result[case] = sum(ran.values()) / TIMES, locked / TIMES
    return result


def one_round(binary, code, structure):
    """The instructions of one round of `pairs` in the order of their execution, as llvm-mca reads them."""
    body = code[f"{structure}_pairs"]
    ran = executed(binary, structure, "pairs")
    hot = {address for address in body if ran[address] > TIMES / 2}
    after = {}  # an instruction: what may come next
    for address, following in zip(body, list(body)[1:] + [None]):
        jump = re.match(r"j(\w+)\s+([0-9a-f]+)", body[address])
        after[address] = [int(jump[2], 16)] if jump else []
        if not jump or jump[1] != "mp":
            after[address].insert(0, following)
    # The compiler may have turned the loop: a round begins where the first one did, behind what runs once.
    at = next((to for address in body if ran[address] == 1 for to in after[address] if to in hot), None)
    path = []
    while at in hot and at not in path:
        path.append(at)
        at = next((to for to in after[at] if to in hot), None)
    if not hot or set(path) != hot:
        raise Failed(f"{binary}: a round of {structure}'s pairs is not one path")
    if any(body[address].startswith("call") for address in path):
        raise Failed(f"{binary}: a round of {structure}'s pairs calls what was not inlined")
    return [re.sub(r"^(j\w+\s+).*", r"\1elsewhere", body[address].split("#")[0]) for address in path]


def critical_path(instructions, mcpu):
    """Cycles. Loads and stores are taken for independent."""
    said = output("llvm-mca", f"--mcpu={mcpu}", "--iterations=1", "-", given="\n".join(instructions) + "\n")
    return int(re.search(r"^Total Cycles:\s+(\d+)$", said, re.MULTILINE)[1])


def paths(binaries, mcpu):
    """A table of what --paths counts, for [(label, path)]."""
    lines = [f"### push + pop: instructions called; inlined (critical path in cycles, by llvm-mca for {mcpu})", "",
             "| structure | " + " | ".join(label for label, _ in binaries) + " |", "|---|" + "---|" * len(binaries)]
    code = {path: operations(path) for _, path in binaries}
    for structure in STRUCTURES:
        row = []
        for _, path in binaries:
            inlined = one_round(path, code[path], structure)
            ran = executed(path, structure, "push_pop")
            called = sum(ran[address] for operation in ("push", "pop") for address in code[path][f"{structure}_{operation}"])
            row.append(f"{show(called / TIMES)}; {len(inlined)} ({critical_path(inlined, mcpu)})")
        lines.append(f"| {structure} | " + " | ".join(row) + " |")
    return "\n".join(lines)


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


def table_of_joins(label, counts):
    lines = [f"## {label}: instructions of a join that nobody steals from (locked or fences)", "", "| join | |", "|---|---|"]
    return "\n".join(lines + [f"| {case} | {show(all_)} ({show(locked)}) |" for case, (all_, locked) in counts.items()])


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
    parser.add_argument("--paths", action="store_true", help="critical paths of push with pop, in one table")
    parser.add_argument("--mcpu", default="znver3", help="the processor for --paths (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="fail if licit has more than the textbook")
    arguments = parser.parse_args()
    binaries = [(label or path, pathlib.Path(path).resolve())
                for label, _, path in (argument.rpartition("=") for argument in arguments.binary)]
    complaints = []
    try:
        if arguments.paths:
            print(paths(binaries, arguments.mcpu))
            return
        for label, path in binaries:
            counts = counted(path, arguments.static)
            print(table(label, counts, arguments.static) + "\n")
            complaints += excess(label, counts, arguments.static)
            if not arguments.static:
                of_joins = joins(path)
                print(table_of_joins(label, of_joins) + "\n")
                if of_joins["within another"][1]:
                    complaints.append(f"{label}: a join within another executes a locked instruction or a fence")
    except Failed as error:
        sys.exit(f"instructions.py: {error}")
    if arguments.check and complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
