#!/usr/bin/env python3
"""Checks structures that others have published, as they are. The sources are packages of Debian: packages.txt, [field].

usage: table.py [--cxx CXX] [--seconds N] [--only WORDS] [--checkout PACKAGE=FOLDER]... --runtime LIBRARY
                table|check|planted|native FOLDER

table    prints the table of table.md: each client's verdict, how many executions there are, and the orders that the
         client does not need
check    says where that is not what table.md has; a row of another version than the table's is left out
planted  makes each order of planted.txt weaker in a copy of its header, and runs the clients, which must find it
native   runs clients without instrumentation, which hang, or do not, in N seconds

A checkout is a folder of headers that takes the place of a package: `--checkout libcds-dev=libcds`. FOLDER is for what is
built. Exit status 1 if something is not as it should be, 3 if a package is missing.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
CALLS = ("memcpy memmove memset memcmp mempcpy strcpy stpcpy strncpy strcat strncat strcmp strncmp bcopy bzero bcmp sprintf "
         "snprintf").split()
INSTRUMENTED = ["-fsanitize=thread", "-Wno-tsan", *(f"-fno-builtin-{f}" for f in CALLS), "-D_GLIBCXX_EXTERN_TEMPLATE=0",
                "-O1", "-g", "-UNDEBUG"]

# package, project, client, file, structure
ROWS = [line.split(None, 4) for line in """
libstdc++-12-dev           libstdc++         wait_relaxed                 standard    std::atomic::wait, store relaxed
libstdc++-12-dev           libstdc++         wait_sequential              standard    std::atomic::wait, store seq_cst
libstdc++-12-dev           libstdc++         latch                        standard    std::latch
libstdc++-12-dev           libstdc++         barrier                      standard    std::barrier
libstdc++-12-dev           libstdc++         semaphore                    standard    std::counting_semaphore
libstdc++-12-dev           libstdc++         binary_semaphore             standard    std::binary_semaphore
libstdc++-12-dev           libstdc++         shared_ptr                   standard    std::shared_ptr, std::weak_ptr
libstdc++-12-dev           libstdc++         shared_ptr_last              standard    std::shared_ptr
libstdc++-12-dev           libstdc++         once                         standard    std::call_once
libstdc++-12-dev           libstdc++         shared_mutex                 standard    std::shared_mutex
libstdc++-12-dev           libstdc++         future                       standard    std::future
libstdc++-12-dev           libstdc++         atomic_shared_ptr_store      standard    std::atomic<std::shared_ptr>
libstdc++-12-dev           libstdc++         atomic_shared_ptr_load       standard    std::atomic<std::shared_ptr>
libstdc++-12-dev           libstdc++         atomic_shared_ptr_exchange   standard    std::atomic<std::shared_ptr>
libstdc++-12-dev           libstdc++         stop_token                   standard    std::stop_token
libstdc++-12-dev           libstdc++         stop_callback                standard    std::stop_callback
libboost1.74-dev           Boost.Lockfree    spsc_queue                   boost       spsc_queue
libboost1.74-dev           Boost.Lockfree    spsc_queue_many              boost       spsc_queue
libboost1.74-dev           Boost.Lockfree    queue                        boost       queue
libboost1.74-dev           Boost.Lockfree    queue_two_producers          boost       queue, fixed_sized
libboost1.74-dev           Boost.Lockfree    queue_node_again             boost       queue
libboost1.74-dev           Boost.Lockfree    stack                        boost       stack
libboost1.74-dev           Boost.Lockfree    stack_two_pop                boost       stack
libboost1.74-dev           Boost.SmartPtr    intrusive_ptr                boost       intrusive_ptr
libboost1.74-dev           Boost.Signals2    signal_disconnected          boost       signals2::signal
libreaderwriterqueue-dev   moodycamel        one_reader                   moodycamel  ReaderWriterQueue
libreaderwriterqueue-dev   moodycamel        one_reader_grows             moodycamel  ReaderWriterQueue
libconcurrentqueue-dev     moodycamel        implicit                     moodycamel  ConcurrentQueue
libconcurrentqueue-dev     moodycamel        with_tokens                  moodycamel  ConcurrentQueue
libconcurrentqueue-dev     moodycamel        with_tokens_two_consumers    moodycamel  ConcurrentQueue
libconcurrentqueue-dev     moodycamel        implicit_two_consumers       moodycamel  ConcurrentQueue
libconcurrentqueue-dev     moodycamel        implicit_block_again         moodycamel  ConcurrentQueue
libxenium-dev              xenium            vyukov_bounded               xenium      vyukov_bounded_queue
libxenium-dev              xenium            vyukov_bounded_two_producers xenium      vyukov_bounded_queue
libxenium-dev              xenium            deque_last                   xenium      chase_work_stealing_deque
libxenium-dev              xenium            deque_two                    xenium      chase_work_stealing_deque
libxenium-dev              xenium            deque_two_thieves            xenium      chase_work_stealing_deque
libxenium-dev              xenium            deque_grows                  xenium      chase_work_stealing_deque
libxenium-dev              xenium            michael_scott_epochs         xenium      michael_scott_queue
libxenium-dev              xenium            left_right                   xenium      left_right
libxenium-dev              xenium            seqlock                      xenium      seqlock
libatomic-queue-dev        atomic_queue      AtomicQueue2                 atomic_queue AtomicQueue2
libatomic-queue-dev        atomic_queue      AtomicQueue2_one_each        atomic_queue AtomicQueue2, SPSC
libatomic-queue-dev        atomic_queue      AtomicQueue                  atomic_queue AtomicQueue, of pointers
libatomic-queue-dev        atomic_queue      AtomicQueue_one_each         atomic_queue AtomicQueue, of pointers, SPSC
libatomic-queue-dev        atomic_queue      TicketSpinlock               atomic_queue TicketSpinlock
libtbb-dev                 oneTBB            spin_mutex                   tbb         spin_mutex
libtbb-dev                 oneTBB            queuing_mutex                tbb         queuing_mutex
libtbb-dev                 oneTBB            spin_rw_mutex                tbb         spin_rw_mutex
libtbb-dev                 oneTBB            concurrent_queue             tbb         concurrent_queue
libtbb-dev                 oneTBB            concurrent_vector            tbb         concurrent_vector
libcds-dev                 libcds            vyukov_two_consumers         cds         VyukovMPMCCycleQueue
libcds-dev                 libcds            two_locks                    cds         RWQueue
libcds-dev                 libcds            weak_ring                    cds         WeakRingBuffer
libcds-dev                 libcds            spin                         cds         sync::spin
""".strip().splitlines()]


PAGE = """\
# What `licit check` says of structures of others

Made by `table.py table` ([README.md](README.md)), with g++ 12 and the packages of Debian 12. "Executions" counts those that are blocked too;
where the check stops at a violation there is no number. "4 of 26": the audit asked of 26 weaker orders, and this client does not need 4.

| code | structure | client | executions | verdict | orders not needed |
|---|---|---|---|---|---|"""


def asked():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--seconds", type=int, default=120, help="for one exploration")
    parser.add_argument("--only", default="", help="rows and planted orders that have this in their line")
    parser.add_argument("--checkout", action="append", default=[], metavar="PACKAGE=FOLDER")
    parser.add_argument("--runtime", type=pathlib.Path, required=True, help="liblicit_unmodified.so")
    parser.add_argument("what", choices=("table", "check", "planted", "native"))
    parser.add_argument("folder", type=pathlib.Path)
    return parser.parse_args()


def packages_of(file):
    return {row[0] for row in ROWS if row[3] == file}


def build(args, file, program, includes=()):
    """Compiles a file of clients, those folders' headers before the installed ones."""
    program.parent.mkdir(parents=True, exist_ok=True)
    unmodified = HERE.parent / "unmodified/include"
    own = [pathlib.Path(one.split("=", 1)[1]) for one in args.checkout if one.split("=")[0] in packages_of(file)]
    search = [f"-I{folder}" for folder in (*includes, *own, unmodified)]
    base = [args.cxx, "-std=c++20", *search]
    runtime = args.runtime.resolve()
    if args.what == "native":
        subprocess.run([*base, "-O2", "-pthread", "-DLICIT_FIELD_NATIVE", HERE / f"{file}.cpp", "-o", program, "-latomic"], check=True)
        return program
    made = program.with_suffix(".o")
    subprocess.run([*base, *INSTRUMENTED, "-c", HERE / f"{file}.cpp", "-o", made], check=True)
    libraries = ["-latomic", *(["-ltbb"] if file == "tbb" else [])]
    subprocess.run([args.cxx, made, "-o", program, runtime, *libraries, "-Wl,-z,now", f"-Wl,-rpath,{runtime.parent}"],
                   check=True)
    return program


def explore(args, program, client, words=""):
    environment = dict(os.environ, LICIT_CHECK=f"seconds={args.seconds} {words}")
    ran = subprocess.run([program.resolve(), client], env=environment, capture_output=True, text=True, check=False)
    return ran.stdout + ran.stderr


def version(package, checkouts=()):
    if any(one.split("=")[0] == package for one in checkouts):
        return "checkout"
    said = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=False)
    return said.stdout or None


def verdict(said):
    """(executions, verdict) of a report."""
    first = said.split("\n", 1)[0]
    count = re.search(r"(\d+) executions, (\d+) blocked", said)
    executions = f"{int(count[1]) + int(count[2]):,}" if count else ""
    if first.startswith("ok: "):
        return executions, "right"
    if first.startswith("limit: "):
        return "", "not decided"
    where = re.findall(r"[\w.]+:\d+", first.split("[", 1)[1]) if "[" in first else []
    return "", f"**{first.split(':', 1)[0]}**" + (f", {', '.join(where)}" if where else "")


def not_needed(said):
    """How many orders an audit asked of; how many are not needed, and a line for each place that has such."""
    asked_for = re.findall(r"^(\S+:\d+ \S+(?: on failure)?) +(\S+) -> (\S+) +(.*)$", said, re.MULTILINE)
    unneeded = [(f"{where} {order}", weaker) for where, order, weaker, found in asked_for if found.startswith("not needed")]
    places = {}
    for place, weaker in unneeded:
        places.setdefault(place, []).append(weaker)
    return len(asked_for), len(unneeded), [f"{place} -> {', '.join(orders)}" for place, orders in places.items()]


def rows(args):
    """Each line of the table, and the list of orders under it."""
    built = {}
    listed = []
    for package, project, client, file, structure in ROWS:
        if args.only not in f"{project} {structure} {client}":
            continue
        if file not in built:
            built[file] = build(args, file, args.folder / file)
        executions, found = verdict(explore(args, built[file], client))
        orders = ""
        if found == "right" and file != "standard":
            count, unneeded, places = not_needed(explore(args, built[file], client, "audit"))
            orders = f"{unneeded} of {count}"
            listed.append((client, places))
        yield f"| {project} {version(package, args.checkout)} | `{structure}` | `{client}` | {executions} | {found} | {orders} |", listed


def table(args):
    print(PAGE)
    listed = []
    for line, listed in rows(args):
        print(line, flush=True)
    for client, places in listed:
        if places:
            print(f"\n`{client}` does not need:")
            print("\n".join(f"- {place}" for place in places))
    return 0


def check(args):
    known = {line.split(" | ")[2]: line for line in (HERE / "table.md").read_text().splitlines() if line.startswith("| ")}
    differs = compared = 0
    for line, _ in rows(args):
        client = line.split(" | ")[2]
        of_table = known.get(client, "")
        if of_table.split(" | ")[0] != line.split(" | ")[0] and of_table:
            print(f"another version: {line}")
            continue
        compared += 1
        if of_table != line:
            differs += 1
            print(f"table.md: {of_table}\nnow:      {line}")
    print(f"{compared} compared, {differs} differ")
    return 1 if differs or not compared else 0


def weakened(folder, header, number, before, after):
    """A copy of the header with the order made weaker; the folder that has it."""
    source = pathlib.Path("/usr/include") / header
    copy = folder / header
    shutil.rmtree(folder, ignore_errors=True)
    if "/" in header:
        shutil.copytree(source.parent, copy.parent)
    else:
        folder.mkdir(parents=True)
    lines = source.read_text().split("\n")
    if lines[number - 1].count(before) != 1:
        raise SystemExit(f"{source}:{number} has no {before}: another version")
    lines[number - 1] = lines[number - 1].replace(before, after)
    copy.write_text("\n".join(lines))
    return folder


def planted(args):
    """Runs the clients that are right of the structure as it is; says which is the first to find the fault."""
    files = {"readerwriterqueue.h": "moodycamel", "concurrentqueue": "moodycamel"}  # else a folder's clients have its name
    found = missed = 0
    right = {}
    for line in (HERE / "planted.txt").read_text().splitlines():
        if not line or line[0] == "#" or args.only not in line:
            continue
        where, before, after, _ = line.split(" | ")
        header, number = where.split(":")
        file = files.get(header.split("/")[0], header.split("/")[0])
        if file not in right:
            program = build(args, file, args.folder / file)
            clients = [row[2] for row in ROWS if row[3] == file]
            right[file] = [c for c in clients if verdict(explore(args, program, c))[1] == "right"]
        faulty = build(args, file, args.folder / "planted" / file,
                       [weakened(args.folder / "planted/include", header, int(number), before, after)])
        verdicts = ((client, verdict(explore(args, faulty, client))[1]) for client in right[file])
        client, says = next(((c, v) for c, v in verdicts if v.startswith("**data race**")), ("", ""))
        found, missed = found + bool(client), missed + (not client)
        print(f"{header}:{number} {before} -> {after}: " + (f"{client} finds a {says}" if client else "NOT FOUND"), flush=True)
    print(f"{found} found, {missed} not")
    return 1 if missed else 0


def native(args):
    """Hangs are what is expected here: the program says so itself, and ends with status 1."""
    as_it_should_be = True
    for file, client, hangs in (("standard", "binary_semaphore", True), ("atomic_queue", "TicketSpinlock", True),
                                ("standard", "wait_sequential", False)):
        if args.only not in client:
            continue
        program = build(args, file, args.folder / "native" / file)
        ran = subprocess.run([program, client, str(args.seconds)], capture_output=True, text=True, check=False)
        print(f"{client}: {ran.stdout.strip()}", flush=True)
        as_it_should_be = as_it_should_be and (ran.returncode == 1) == hangs
    return 0 if as_it_should_be else 1


if __name__ == "__main__":
    arguments = asked()
    lacking = sorted({row[0] for row in ROWS if version(row[0], arguments.checkout) is None})
    if lacking:
        print(f"table.py: not installed: {', '.join(lacking)}", file=sys.stderr)
        sys.exit(3)
    sys.exit({"table": table, "check": check, "planted": planted, "native": native}[arguments.what](arguments))
