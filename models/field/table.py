#!/usr/bin/env python3
"""Checks structures that others have published, as they are. The sources are packages of Debian: packages.txt, [field].

usage: table.py [--cxx CXX] [--clang CXX] [--seconds N] [--only WORDS] [--checkout PACKAGE=FOLDER|FILE]...
                --runtime LIBRARY table|check|planted|native FOLDER

table    prints table.md: each client's verdict, how many executions there are, how a report begins, and the orders that
         the client does not need
check    says where that is not what table.md has; a row of another version than the table's is left out
planted  makes each order of planted.txt weaker in a copy of its header, and runs the clients, which must find it
native   runs clients without instrumentation, which hang, or do not, in N seconds

A checkout is a folder of headers that takes the place of a package (`--checkout libcds-dev=libcds`), or a package's file, which
is unpacked and not installed (`apt-get download libdpdk-dev`). Rows of DPDK are left out without one. The rows of libc++ are
compiled by clang++-19, or the CXX of --clang. FOLDER is for what is built. Exit status 1 if something is not as it should be, 3
if a package is missing.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests/unmodified"))
import door  # noqa: E402

# package, project, client, file, structure. A client with a dot is of a file with macros: file+MACRO=1+MACRO.
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
libc++-19-dev              libc++            wait_relaxed                 standard    std::atomic::wait, store relaxed
libc++-19-dev              libc++            wait_sequential              standard    std::atomic::wait, store seq_cst
libc++-19-dev              libc++            latch                        standard    std::latch
libc++-19-dev              libc++            barrier                      standard    std::barrier
libc++-19-dev              libc++            semaphore                    standard    std::counting_semaphore
libc++-19-dev              libc++            binary_semaphore             standard    std::binary_semaphore
libc++-19-dev              libc++            shared_ptr                   standard    std::shared_ptr, std::weak_ptr
libc++-19-dev              libc++            shared_ptr_last              standard    std::shared_ptr
libc++-19-dev              libc++            once                         standard    std::call_once
libc++-19-dev              libc++            shared_mutex                 standard    std::shared_mutex
libc++-19-dev              libc++            future                       standard    std::future
libc++-19-dev              libc++            stop_token                   standard    std::stop_token
libc++-19-dev              libc++            stop_callback                standard    std::stop_callback
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
libtbb-dev                 oneTBB            concurrent_queue_two_consumers tbb         concurrent_queue
libtbb-dev                 oneTBB            concurrent_vector            tbb         concurrent_vector
libtbb-dev                 oneTBB            concurrent_vector_grows      tbb         concurrent_vector
libcds-dev                 libcds            vyukov_two_consumers         cds         VyukovMPMCCycleQueue
libcds-dev                 libcds            two_locks                    cds         RWQueue
libcds-dev                 libcds            weak_ring                    cds         WeakRingBuffer
libcds-dev                 libcds            spin                         cds         sync::spin
libdpdk-dev                DPDK              ring_one_each                dpdk        rte_ring, SP, SC
libdpdk-dev                DPDK              ring_two_producers           dpdk        rte_ring
libdpdk-dev                DPDK              ring_two_consumers           dpdk        rte_ring
libdpdk-dev                DPDK              ring_full                    dpdk        rte_ring
libdpdk-dev                DPDK              ring_rts                     dpdk        rte_ring, RTS
libdpdk-dev                DPDK              ring_hts                     dpdk        rte_ring, HTS
libck-dev ConcurrencyKit x86_64.ring_one_each ck ck_ring, SPSC
libck-dev ConcurrencyKit x86_64.ring_two_producers ck ck_ring, MPMC
libck-dev ConcurrencyKit x86_64.stack_two_push ck ck_stack, UPMC
libck-dev ConcurrencyKit x86_64.fifo_one_each ck ck_fifo, SPSC
libck-dev ConcurrencyKit x86_64.spinlock_fas ck ck_spinlock_fas
libck-dev ConcurrencyKit x86_64.spinlock_ticket ck ck_spinlock_ticket
libck-dev ConcurrencyKit x86_64.spinlock_mcs ck ck_spinlock_mcs
libck-dev ConcurrencyKit x86_64.sequence_lock ck ck_sequence
libck-dev ConcurrencyKit x86_64.epoch_sections ck ck_epoch
libck-dev ConcurrencyKit builtins.ring_one_each ck+CK_USE_CC_BUILTINS=1+CK_MD_RMO ck_ring, SPSC, CK_USE_CC_BUILTINS
libck-dev ConcurrencyKit builtins.stack_two_push ck+CK_USE_CC_BUILTINS=1+CK_MD_RMO ck_stack, UPMC, CK_USE_CC_BUILTINS
libck-dev ConcurrencyKit builtins.spinlock_ticket ck+CK_USE_CC_BUILTINS=1+CK_MD_RMO ck_spinlock_ticket, CK_USE_CC_BUILTINS
libck-dev ConcurrencyKit port.ring_one_each ck+FIELD_PORT+CK_MD_RMO ck_ring, SPSC, a port by C11
libck-dev ConcurrencyKit port.ring_two_producers ck+FIELD_PORT+CK_MD_RMO ck_ring, MPMC, a port by C11
libck-dev ConcurrencyKit port.ring_two_consumers ck+FIELD_PORT+CK_MD_RMO ck_ring, MPMC, a port by C11
libck-dev ConcurrencyKit port.stack_two_push ck+FIELD_PORT+CK_MD_RMO ck_stack, UPMC, a port by C11
libck-dev ConcurrencyKit port.stack_push_and_pop ck+FIELD_PORT+CK_MD_RMO ck_stack, UPMC, a port by C11
libck-dev ConcurrencyKit port.fifo_one_each ck+FIELD_PORT+CK_MD_RMO ck_fifo, SPSC, a port by C11
libck-dev ConcurrencyKit port.spinlock_fas ck+FIELD_PORT+CK_MD_RMO ck_spinlock_fas, a port by C11
libck-dev ConcurrencyKit port.spinlock_ticket ck+FIELD_PORT+CK_MD_RMO ck_spinlock_ticket, a port by C11
libck-dev ConcurrencyKit port.spinlock_mcs ck+FIELD_PORT+CK_MD_RMO ck_spinlock_mcs, a port by C11
libck-dev ConcurrencyKit port.sequence_lock ck+FIELD_PORT+CK_MD_RMO ck_sequence, a port by C11
libck-dev ConcurrencyKit relaxed.fifo_one_each ck+FIELD_PORT+FIELD_POINTERS=__ATOMIC_RELAXED+CK_MD_RMO ck_fifo, SPSC, a port with relaxed pointers
libck-dev ConcurrencyKit relaxed.spinlock_mcs ck+FIELD_PORT+FIELD_POINTERS=__ATOMIC_RELAXED+CK_MD_RMO ck_spinlock_mcs, a port with relaxed pointers
liburcu-dev liburcu x86_64.queue_two_producers urcu cds_wfcq
liburcu-dev liburcu x86_64.wait_free_stack urcu cds_wfs
liburcu-dev liburcu x86_64.lock_free_stack urcu cds_lfs
liburcu-dev liburcu x86_64.rcu_queue urcu cds_lfq
liburcu-dev liburcu x86_64.read_section urcu urcu-mb
liburcu-dev liburcu builtins.queue_one_each urcu+FIELD_BUILTINS cds_wfcq, uatomic/gcc.h
liburcu-dev liburcu builtins.wait_free_stack urcu+FIELD_BUILTINS cds_wfs, uatomic/gcc.h
liburcu-dev liburcu port.queue_two_producers urcu+FIELD_PORT cds_wfcq, uatomic/gcc.h, with atomics
liburcu-dev liburcu port.queue_one_each urcu+FIELD_PORT cds_wfcq, uatomic/gcc.h, with atomics
liburcu-dev liburcu port.wait_free_stack urcu+FIELD_PORT cds_wfs, uatomic/gcc.h, with atomics
liburcu-dev liburcu port.lock_free_stack urcu+FIELD_PORT cds_lfs, uatomic/gcc.h, with atomics
liburcu-dev liburcu port.rcu_queue urcu+FIELD_PORT cds_lfq, uatomic/gcc.h, with atomics
""".strip().splitlines()]
LIBCXX = ["-stdlib=libc++", "-fexperimental-library"]
# What a package has compiled, as part of the program: as a shared library it would not be looked at.
ARCHIVES = {"ck": ["-l:libck.a"], "urcu": ["-l:liburcu-mb.a", "-l:liburcu-common.a"]}
# Packages that are not in packages.txt: their rows are made from a checkout.
NOT_INSTALLED = {"libdpdk-dev"}


PAGE = """\
# What `licit check` finds in published structures

`table.py table` ([README.md](README.md)) makes this page, with g++ 12 and the packages of Debian 12; the rows of libc++ are made
with clang++ 19. "Executions" includes the blocked ones; there is no number if the check stops at a violation. "4 of 26" means that
the audit tried 26 weaker orders, and that with 4 of them this client is still right. Below the table are the first line of each
report, and the orders that are not needed.

| code | structure | client | executions | verdict | orders not needed |
|---|---|---|---|---|---|"""


def asked():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("--cxx", default="g++")
    parser.add_argument("--clang", default="clang++-19", help="compiles the rows of libc++")
    parser.add_argument("--seconds", type=int, help="for one exploration (default 120); natively, for one client (default 20)")
    parser.add_argument("--only", default="", help="rows and planted orders that have this in their line")
    parser.add_argument("--checkout", action="append", default=[], metavar="PACKAGE=FOLDER|FILE")
    parser.add_argument("--runtime", type=pathlib.Path, required=True, help="liblicit_unmodified.so")
    parser.add_argument("what", choices=("table", "check", "planted", "native"))
    parser.add_argument("folder", type=pathlib.Path)
    args = parser.parse_args()
    args.seconds = args.seconds or (20 if args.what == "native" else 120)
    return args


def checkout(args, package):
    """What takes the place of the package: a folder or a package's file."""
    return next((pathlib.Path(one.split("=", 1)[1]) for one in args.checkout if one.split("=")[0] == package), None)


def headers(args, package):
    """The folders of a checkout's headers. Those of a package's file are where a search by pkg-config would find them."""
    of = checkout(args, package)
    if of is None or of.is_dir():
        return [of] if of else []
    unpacked = args.folder / package
    if not unpacked.exists():
        subprocess.run(["dpkg", "-x", of, unpacked], check=True)
    include = unpacked / "usr/include"
    return [include, *include.glob("*/"), *include.glob("*-linux-gnu/*/")]


def build(args, file, program, includes=(), libcxx=False):
    """Compiles a file of clients, those folders' headers before the installed ones."""
    program.parent.mkdir(parents=True, exist_ok=True)
    unmodified = HERE.parent / "unmodified/include"
    own = [folder for package in sorted({row[0] for row in ROWS if row[3] == file}) for folder in headers(args, package)]
    search = [f"-I{folder}" for folder in (*includes, *own, unmodified)]
    base = [args.clang, *LIBCXX] if libcxx else [args.cxx]
    runtime = args.runtime.resolve()
    name, *macros = file.split("+")
    source = next(HERE.glob(f"{name}.c*"))
    language = ["-x", "c", "-std=gnu17"] if source.suffix == ".c" else ["-std=c++20"]
    if args.what == "native":
        subprocess.run([*base, *language, *search, "-O2", "-pthread", "-DLICIT_FIELD_NATIVE", source, "-o", program, "-latomic"], check=True)
        return program
    made = program.with_suffix(".o")
    subprocess.run([*base, *language, *search, "-O1", "-g", "-UNDEBUG", "-w", "-fsanitize=thread",
                    *door.OWN[door.family(base[0])], *(f"-D{m}" for m in macros), "-c", source, "-o", made], check=True)
    subprocess.run([*base, made, "-o", program, *ARCHIVES.get(name, []), runtime, "-latomic", "-Wl,-z,now",
                    f"-Wl,-rpath,{runtime.parent}"], check=True)
    return program


def explore(args, program, client, words=""):
    environment = dict(os.environ, LICIT_CHECK=f"seconds={args.seconds} {words}")
    ran = subprocess.run([program.resolve(), client.split(".")[-1]], env=environment, capture_output=True, text=True, check=False)
    return ran.stdout + ran.stderr


def version(args, package):
    of = checkout(args, package)
    if of and of.is_dir():
        return "checkout"
    ask = ["dpkg-deb", "-f", of, "Version"] if of else ["dpkg-query", "-W", "-f", "${Version}", package]
    return subprocess.run(ask, capture_output=True, text=True, check=False).stdout.strip() or None


def refused(first):
    """What a report's first line says is not supported."""
    assembly = re.search(r" runs (inline assembly).*? \[\S+( in .+?)\]", first)
    if assembly:
        return f": {assembly[1]}{assembly[2]}"
    named = re.search(r" calls (.+?) \[", first) or re.search(r"\]: ([^][]+)$", first)
    return f": {named[1]}" if named else ""


def verdict(said):
    """(executions, verdict) of a report."""
    first = said.split("\n", 1)[0]
    count = re.search(r"(\d+) executions, (\d+) blocked", said)
    executions = f"{int(count[1]) + int(count[2]):,}" if count else ""
    if first.startswith("ok: "):
        return executions, "right"
    if first.startswith("limit: "):
        return "", "not decided"
    what = first.split(":", 1)[0]
    name = refused(first) if what == "not supported" else ""
    where = re.findall(r"[\w.]+:\d+", first.split("[", 1)[1]) if "[" in first else []
    return "", f"**{what}**{name}" + (f", {', '.join(where)}" if where else "")


def not_needed(said):
    """How many orders an audit asked of; how many are not needed, and a line for each place that has such."""
    asked_for = re.findall(r"^(\S+:[\d?]+ \S+(?: on failure)?) +(\S+) -> (\S+) +(.*)$", said, re.MULTILINE)
    unneeded = [(f"{where} {order}", weaker) for where, order, weaker, found in asked_for if found.startswith("not needed")]
    places = {}
    for place, weaker in unneeded:
        places.setdefault(place, []).append(weaker)
    return len(asked_for), len(unneeded), [f"{place} -> {', '.join(orders)}" for place, orders in places.items()]


def rows(args):
    """Each line of the table, and what stands under it: the orders that are not needed, or the report's first line."""
    built = {}
    for package, project, client, file, structure in ROWS:
        if args.only not in f"{project} {structure} {client}" or version(args, package) is None:
            continue
        libcxx = project == "libc++"
        name = f"{file}.libc++" if libcxx else file
        if name not in built:
            built[name] = build(args, file, args.folder / name, libcxx=libcxx)
        said = explore(args, built[name], client)
        executions, found = verdict(said)
        orders = below = ""
        if found == "right" and file != "standard":
            count, unneeded, places = not_needed(explore(args, built[name], client, "audit"))
            orders = f"{unneeded} of {count}"
            below = "\n".join([f"`{client}` does not need:", *(f"- {place}" for place in places), ""]) if places else ""
        elif found.startswith("**"):
            below = f"{client} of {project}: {said.split(chr(10), 1)[0]}\n"
        yield f"| {project} {version(args, package)} | `{structure}` | `{client}` | {executions} | {found} | {orders} |", below


def table(args):
    print(PAGE)
    unneeded, reports = [], []
    for line, below in rows(args):
        print(line, flush=True)
        (unneeded if below.startswith("`") else reports).append(below)
    if any(reports):
        print(f"\nThe first lines of the reports:\n\n```text\n{''.join(reports)}```")
    print("".join(f"\n{below}" for below in unneeded), end="")
    return 0


def row_of(line):
    """Project and client: there is one row of them."""
    cells = line.split(" | ")
    return cells[0].split()[1], cells[2]


def check(args):
    page = (HERE / "table.md").read_text()
    known = {row_of(line): line for line in page.splitlines() if line.startswith("| ")}
    differs = compared = 0
    for line, below in rows(args):
        of_table = known.get(row_of(line), "")
        if of_table.split(" | ")[0] != line.split(" | ")[0] and of_table:
            print(f"another version: {line}")
            continue
        compared += 1
        if of_table != line:
            differs += 1
            print(f"table.md: {of_table}\nnow:      {line}")
        elif below not in page:
            differs += 1
            print(f"table.md lacks under the table:\n{below}", end="")
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
    """Hangs are what is expected here: the program says so itself, and ends with status 1. They need two processors."""
    if len(os.sched_getaffinity(0)) < 2:
        print("table.py: one processor is not enough for clients that hang", file=sys.stderr)
        return 3
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
    lacking = sorted({row[0] for row in ROWS if version(arguments, row[0]) is None} - NOT_INSTALLED)
    if lacking:
        print(f"table.py: not installed: {', '.join(lacking)}", file=sys.stderr)
        sys.exit(3)
    sys.exit({"table": table, "check": check, "planted": planted, "native": native}[arguments.what](arguments))
