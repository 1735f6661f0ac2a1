#!/usr/bin/env python3
"""Mutants of the sources whose proofs `licit prove` makes: each alters a header, and then no proof must come about.

usage: mutants.py SOURCE INCLUDES ARCHIVE... [--only WORD]

SOURCE is the repository. INCLUDES are the folders of headers that models/proof needs, separated by semicolons; the
archives have its objects. WORD picks the mutants in whose name it is. For each mutant it prints what keeps it from being
proved: a condition that stays open, a clause of the file of invariants that finds no step (a gap), or that the source does
what a symbolic run cannot follow (refused). Exit status 1 if one is proved or no longer applies.
"""
import concurrent.futures
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile

DEQUE, SCHEDULER = "deque/include/licit/deque/", "scheduler/include/licit/scheduler/"
CHASE_LEV, RING, RUN_QUEUE, STEAL_HALF = (DEQUE + name for name in ("chase_lev.hpp", "ring.hpp", "run_queue.hpp", "steal_half.hpp"))
CREW, IDLE_SET, KEPT, PARKER, WORKER = (
    SCHEDULER + name for name in ("crew.hpp", "idle/idle_set.hpp", "inject/kept.hpp", "idle/parker.hpp", "worker.hpp"))

MUTANTS = [  # name, structure, file, what stands there, what stands there instead
    ("a theft of half claims one more than half", "chase-lev", STEAL_HALF,
     "const index end = t + halves::share(b - t, most);",
     "const index end = t + halves::share(b - t, most) + 1;"),
    ("a theft of half claims all it saw", "chase-lev", STEAL_HALF,
     "const index end = t + halves::share(b - t, most);",
     "halves::share(b - t, most); const index end = b;"),
    ("a theft of half makes no room", "chase-lev", STEAL_HALF,
     "    if (rules.makes_room && !own_.make_room_for_one()) return false;\n",
     ""),
    ("a theft of half goes on at bottom", "chase-lev", STEAL_HALF,
     "rules.looks_again && t >= victim_.bottom_",
     "rules.looks_again && t > victim_.bottom_"),
    ("pop_if does not compare", "chase-lev", CHASE_LEV,
     'return b >= drained_.read() && mine_.slot(b).load(at<"pop.item">) == item && pop().has_value();',
     "static_cast<void>(item); return b >= drained_.read() && pop().has_value();"),
    ("pop_if compares another slot", "chase-lev", CHASE_LEV,
     'mine_.slot(b).load(at<"pop.item">) == item',
     'mine_.slot(b - 1).load(at<"pop.item">) == item'),
    ("pop_if takes another item", "chase-lev", CHASE_LEV,
     'mine_.slot(b).load(at<"pop.item">) == item && pop',
     '!(mine_.slot(b).load(at<"pop.item">) == item) && pop'),
    ("pop_if takes nothing", "chase-lev", CHASE_LEV,
     'return b >= drained_.read() && mine_.slot(b).load(at<"pop.item">) == item && pop().has_value();',
     'return b >= drained_.read() && mine_.slot(b).load(at<"pop.item">) == item && false;'),
    ("pop takes the last item without a claim", "chase-lev", CHASE_LEV,
     "if (t < b) [[likely]]\n      return mine_",
     "if (t <= b) [[likely]]\n      return mine_"),
    ("the limit is one too high", "chase-lev", CHASE_LEV,
     "mine_.set_limit(t + mine_.length());",
     "mine_.set_limit(t + mine_.length() + 1);"),
    ("growth forgets the oldest item", "chase-lev", CHASE_LEV,
     "        t, b, [&](index i)",
     "        t + 1, b, [&](index i)"),
    ("drained is too high", "chase-lev", CHASE_LEV,
     "drained_.write(b + 1);",
     "drained_.write(b + 2);"),
    ("pop gives up at drained", "chase-lev", CHASE_LEV,
     "if (b < drained_.read()) return none;",
     "if (b <= drained_.read()) return none;"),
    ("steal goes on at bottom", "chase-lev", CHASE_LEV,
     'const index b = bottom_.load(at<"steal.bottom">);\n    if (t >= b)',
     'const index b = bottom_.load(at<"steal.bottom">);\n    if (t > b)'),
    ("steal says empty when it has lost", "chase-lev", CHASE_LEV,
     "return stolen<T>::lost();",
     "return stolen<T>::empty();"),
    ("a theft of half passes over an item", "chase-lev", STEAL_HALF,
     "halves::each(t + 1, end",
     "halves::each(t + 2, end"),
    ("a theft of half says that it has moved nothing", "chase-lev", STEAL_HALF,
     "return stolen<T>::taken(*first, moved);\n  }\n\n  /// For light",
     "return stolen<T>::taken(*first, 0);\n  }\n\n  /// For light"),
    ("a theft of half says empty when it has lost", "chase-lev", STEAL_HALF,
     "if (!first) return stolen<T>::lost();",
     "if (!first) return stolen<T>::empty();"),
    ("make_room_for_one does not grow", "chase-lev", CHASE_LEV,
     "return detail::succeeds([this] { make_room(mine_.limit()); });",
     "return false;"),
    ("a ring is published before it is filled", "chase-lev", CHASE_LEV,
     '    detail::addressing<T, Policy>::each(\n        t, b, [&](index i) { wider.slot(i).store(mine_.slot(i).load(at<"grow.read">), at<"grow.copy">); });\n    ring_.store(&wider, at<"grow.publish">);  // read by steal.ring\n',
     '    ring_.store(&wider, at<"grow.publish">);  // read by steal.ring\n    detail::addressing<T, Policy>::each(\n        t, b, [&](index i) { wider.slot(i).store(mine_.slot(i).load(at<"grow.read">), at<"grow.copy">); });\n'),
    ("the mask stays that of the first ring", "chase-lev", RING,
     "    mask_.write(r.capacity() - 1);\n  }",
     "    if (mask_.read() == 0 && r.capacity() == 1) mask_.write(r.capacity() - 1);\n  }"),
    ("the next ring is not wider", "chase-lev", RING,
     "capacity() * 2, newest",
     "capacity() * 1, newest"),
    ("a theft of half claims one more than half of a run queue", "run-queue", RUN_QUEUE,
     "(static_cast<number>(seen) + 1) / 2",
     "(static_cast<number>(seen) + 2) / 2"),
    ("copies are one place off", "run-queue", RUN_QUEUE,
     "own.slot(after(end, i - 1))",
     "own.slot(after(end, i))"),
    ("an overflow reserves nothing", "run-queue", RUN_QUEUE,
     "sink.reserve(half + 1);",
     "sink.reserve(half - half);"),
    ("a batch has what the last one had", "run-queue", RUN_QUEUE,
     "    batch_.clear();\n",
     ""),
    ("an overflow hands over the item twice", "run-queue", RUN_QUEUE,
     "    batch_.push_back(item);\n",
     "    batch_.push_back(item);\n    batch_.push_back(item);\n"),
    ("an overflow hands over each item twice", "run-queue", RUN_QUEUE,
     'batch_.push_back(slot(after(oldest, i)).load(at<"overflow.item">)); });',
     'batch_.push_back(slot(after(oldest, i)).load(at<"overflow.item">)); batch_.push_back(batch_.back()); });'),
    ("the limit behind an overflow is too high", "run-queue", RUN_QUEUE,
     "limit_.write(after(t, half));",
     "limit_.write(after(t, half + 1));"),
    ("steal goes on at the tail", "run-queue", RUN_QUEUE,
     'const position t = tail_.load(at<"steal.tail">);\n    if (items(h, t) <= 0)',
     'const position t = tail_.load(at<"steal.tail">);\n    if (items(h, t) < 0)'),
    ("a batch does not turn", "run-queue", RUN_QUEUE,
     "      own.turn(after(end, n - 1));\n",
     ""),
    ("a batch does not look for room", "run-queue", RUN_QUEUE,
     "places::claims(1 + own.room(end, wish - 1))",
     "places::claims(wish)"),
    ("try_push refuses, and says that it has pushed", "run-queue", RUN_QUEUE,
     "if (room(t, 1) == 0) return false;",
     "if (room(t, 1) == 0) return true;"),
    ("a post wakes before it pushes", "wake-up", CREW,
     "    members_[to]->inbox.push(one);\n    if (rules.wakes_for_posts) members_[to]->sleep.unpark();",
     "    if (rules.wakes_for_posts) members_[to]->sleep.unpark();\n    members_[to]->inbox.push(one);"),
    ("a worker leaves the idle set for its inbox without a word", "wake-up", WORKER,
     "    while (!crew_.idle().retract(self_) && crew_.idle().is_parked(self_)) {\n    }\n    return true;",
     "    return true;"),
    ("nobody is woken while somebody is awake", "wake-up", IDLE_SET,
     "return searching_in(h) != 0 && searching_in(h) *",
     "if (bool(awake != 0)) return true; return searching_in(h) != 0 && searching_in(h) *"),
    ("park judges by the count before it", "wake-up", IDLE_SET,
     "return searching_in(before + change) == 0;",
     "return searching_in(before) == 0;"),
    ("the last searcher does not know that it is", "wake-up", IDLE_SET,
     "return searching_in(before) == 1;",
     "return searching_in(before) == 2;"),
    ("unpark wakes who is not parked", "wake-up", PARKER,
     "if (before == parked) word_",
     "if (before == empty) word_"),
    ("park believes every wake-up", "wake-up", PARKER,
     'if (word_.compare_exchange(token, empty, at<"park.take">)) return;  // reads',
     'if (word_.compare_exchange(token, empty, at<"park.take">)) return; return; // reads'),
    ("the last searcher announces nothing", "wake-up", WORKER,
     "rules.passes_on && last &&",
     "rules.passes_on && !last &&"),
    ("a worker looks before it parks", "wake-up", WORKER,
     "    const bool last = crew_.idle().park(self_, searching_);\n",
     "    const bool early = crew_.sees_work(); const bool last = crew_.idle().park(self_, searching_) && early;\n"),
    ("a look passes over the inject queue", "wake-up", CREW,
     "return !injected_.empty() ||\n           std::ranges",
     "return std::ranges"),
    ("a post pushes nothing", "wake-up", CREW,
     "members_[to]->inbox.push(one);",
     ""),
    ("a claimed worker is not counted", "wake-up", WORKER,
     "searching_ = true;  // the claim has counted it",
     "searching_ = false;"),
    ("a post wakes another worker", "wake-up", CREW,
     "if (rules.wakes_for_posts) members_[to]->sleep.unpark();",
     "if (rules.wakes_for_posts) members_[to - 1]->sleep.unpark();"),
    ("a post to a worker that is awake is dropped", "wake-up", CREW,
     "    members_[to]->inbox.push(one);",
     "    if (!idle_.is_parked(to)) return;\n    members_[to]->inbox.push(one);"),
    ("a post wakes only who is parked", "wake-up", CREW,
     "if (rules.wakes_for_posts) members_",
     "if (idle_.is_parked(to)) members_"),
    ("a claim that fails is not tried again", "wake-up", IDLE_SET,
     '    do {\n      if (parked_in(h) == 0 || (!always && enough_search(h))) return std::nullopt;\n    } while (!head_.compare_exchange(h, claimed(h), at<"claim.take">));',
     '    if (parked_in(h) == 0 || (!always && enough_search(h))) return std::nullopt;\n    if (!head_.compare_exchange(h, claimed(h), at<"claim.take">)) return std::nullopt;'),
    ("a post to an inbox that has something is dropped", "wake-up", KEPT,
     '    T top = top_.load(at<"keep.top">);\n',
     '    T top = top_.load(at<"keep.top">);\n    if (!(top == T{})) return;\n'),
    ("make_room_for_one takes a full ring for one with room", "chase-lev", CHASE_LEV,
     "if (items() < mine_.length()) return true;",
     "if (items() <= mine_.length()) return true;"),
    ("push at the end of a lap drops the item", "chase-lev", CHASE_LEV,
     "    b == mine_.limit() ? make_room(b) : turn(b);\n    push(item);",
     "    if (b != mine_.limit()) return turn(b);\n    make_room(b);\n    push(item);"),
    ("push pushes twice", "chase-lev", CHASE_LEV,
     "    b == mine_.limit() ? make_room(b) : turn(b);\n    push(item);",
     "    b == mine_.limit() ? make_room(b) : turn(b);\n    push(item);\n    push(item);"),
    ("steal takes without a claim when there are many", "chase-lev", CHASE_LEV,
     '    index t = top_.load(at<"steal.top">);\n',
     '    if (size() > 3) return stolen<T>::taken(ring_.load(at<"steal.ring">)->slot(top_.load(at<"steal.top">)).load(at<"steal.item">));\n    index t = top_.load(at<"steal.top">);\n'),
    ("a run queue drops an item, and says that it has pushed", "run-queue", RUN_QUEUE,
     "    turn(t);\n    put(t, item);",
     "    turn(t);\n    if (seen_.read() == t) return true;\n    put(t, item);"),
    ("an overflow hands over everything twice", "run-queue", RUN_QUEUE,
     'batch_.push_back(slot(after(oldest, i)).load(at<"overflow.item">)); });\n    batch_.push_back(item);',
     'batch_.push_back(slot(after(oldest, i)).load(at<"overflow.item">)); batch_.push_back(batch_.back()); });\n    batch_.push_back(item);\n    batch_.push_back(item);'),
    ("a theft of half asks for one more", "chase-lev", STEAL_HALF,
     "const index end = t + halves::share(b - t, most);",
     "const index end = t + halves::share(b - t, most + 1);"),
    ("make_room_for_one says yes at the maximum capacity", "chase-lev", CHASE_LEV,
     "if (mine_.at_maximum()) return false;",
     "if (mine_.at_maximum()) return true;"),
    ("a ring grows beyond the maximum capacity", "chase-lev", RING,
     "    if (at_maximum()) raise(capacity_error(maximum_));\n",
     ""),
    ("bottom begins at 1", "chase-lev", CHASE_LEV,
     "bottom_{index{0}}",
     "bottom_{index{1}}"),
    ("a thief writes what is the owner's", "chase-lev", CHASE_LEV,
     "    if (t >= b) return stolen<T>::empty();\n    const T guess",
     "    if (t >= b) return drained_.write(drained_.read()), stolen<T>::empty();\n    const T guess"),
    ("slots of a ring by half of its mask", "chase-lev", RING,
     "decltype(auto) slot(index i) { return addresses::slot(slots(), i, mask_.read()); }",
     "decltype(auto) slot(index i) { return addresses::slot(slots(), i, mask_.read() / 2); }"),
    ("the owner's slots by half of their mask", "chase-lev", RING,
     "addresses::slot(slots_.read(), i, mask_.read()); }",
     "addresses::slot(slots_.read(), i, mask_.read() / 2); }"),
    ("pop_or drops what it pops", "chase-lev", CHASE_LEV,
     "{ return pop_as<T>(none); }",
     "{ return pop_as<T>(none), none; }"),
    ("a pop that claims apart looks at another item", "chase-lev", CHASE_LEV,
     "Result pop_last_apart(index b, index t, Result none) {\n    return pop_last(b, t, none);",
     "Result pop_last_apart(index b, index t, Result none) {\n    return pop_last(b, t + 1, none);"),
    ("steal_if claims what it then does not admit", "chase-lev", CHASE_LEV,
     '    if (!admit(guess)) return stolen<T>::empty();\n    if (!top_.compare_exchange(t, t + 1, at<"steal.claim">)) return stolen<T>::lost();  // read by push.room\n',
     '    if (!top_.compare_exchange(t, t + 1, at<"steal.claim">)) return stolen<T>::lost();  // read by push.room\n    if (!admit(guess)) return stolen<T>::empty();\n'),
    ("a theft of half that asks for nothing takes one", "chase-lev", STEAL_HALF,
     "  if (most == 0) return stolen<T>::empty();\n",
     ""),
    ("a theft of half passes on one more", "chase-lev", STEAL_HALF,
     "return thief.steal(most);",
     "return thief.steal(most + 1);"),
    ("a ring forgets the one before", "chase-lev", RING,
     "capacity() * 2, newest_.read())",
     "capacity() * 2, nullptr)"),
    ("size is too low", "chase-lev", CHASE_LEV,
     "static_cast<std::size_t>(items()); }",
     "static_cast<std::size_t>(items()) / 2; }"),
    ("pop finds nothing every thousandth time", "chase-lev", CHASE_LEV,
     "  template <class Result>\n  [[gnu::always_inline]] Result pop_as(Result none) {\n",
     "  std::size_t pops_ = 0;\n  template <class Result>\n  [[gnu::always_inline]] Result pop_as(Result none) {\n    if (++pops_ % 1000 == 0) return none;\n"),
    ("the tail of a run queue begins at 1", "run-queue", RUN_QUEUE,
     "        tail_{rules.start},",
     "        tail_{rules.start + 1},"),
    ("a run queue's pop_or drops what it pops", "run-queue", RUN_QUEUE,
     "T pop_or(T none) { return pop_as<T>(none); }",
     "T pop_or(T none) { return pop_as<T>(none), none; }"),
    ("a run queue's thief writes what is the owner's", "run-queue", RUN_QUEUE,
     '    if (items(h, t) <= 0) return stolen<T>::empty();\n    const T guess = slot(h).load(at<"steal.item">);',
     '    if (items(h, t) <= 0) return seen_.write(seen_.read()), stolen<T>::empty();\n    const T guess = slot(h).load(at<"steal.item">);'),
    ("a run queue keeps its ring", "run-queue", RUN_QUEUE,
     "~run_queue() { ring_type::destroy(memory_, ring_); }",
     "~run_queue() = default;"),
    ("unpark leaves no token where it sees one", "wake-up", PARKER,
     "    const std::uint32_t before = word_.exchange(notified,",
     '    if (word_.load(at<"park.sleep">) == notified) return;\n    const std::uint32_t before = word_.exchange(notified,'),
    ("park returns without a token when it is woken", "wake-up", PARKER,
     'if (word_.compare_exchange(token, empty, at<"park.take">)) return;  // reads',
     'if (word_.compare_exchange(token, empty, at<"park.take">) || token != notified) return;  // reads'),
    ("a parker begins parked", "wake-up", PARKER,
     "parker() : word_{empty} {}",
     "parker() : word_{parked} {}"),
    ("a post that loses its compare-exchange is dropped", "wake-up", KEPT,
     '    do {\n      link::set(oldest, top);\n    } while (!top_.compare_exchange(top, newest, at<"keep.push">));',
     '    link::set(oldest, top);\n    static_cast<void>(top_.compare_exchange(top, newest, at<"keep.push">));'),
    ("a post is linked once", "wake-up", KEPT,
     "    do {\n      link::set(oldest, top);\n    } while (",
     "    link::set(oldest, top);\n    do {\n    } while ("),
    ("a post pushes no item", "wake-up", CREW,
     "members_[to]->inbox.push(one);",
     "members_[to]->inbox.push(T{});"),
    ("a worker empties its inbox to look", "wake-up", WORKER,
     "own_.inbox.any())",
     "own_.inbox.any() && own_.inbox.take_all() == item{})"),
    ("a look is at two workers only", "wake-up", CREW,
     "std::ranges::any_of(members_,",
     "std::ranges::any_of(std::span(members_).first(2),"),
    ("a crew that begins asleep leaves out a worker", "wake-up", CREW,
     "for (std::size_t i = 0; asleep_ &&",
     "for (std::size_t i = 1; asleep_ &&"),
    ("a claimed worker leaves by the look of its retract", "wake-up", IDLE_SET,
     "if (narrow_ ? (h & own_bit(self)) == 0 : parked_in(h) == 0) return false;",
     "if (narrow_ ? (h & own_bit(self)) == 0 : parked_in(h) == 0) return true;"),
    ("all may search", "wake-up", IDLE_SET,
     "if (searching_in(h) >= (workers_ + 1) / 2) return false;",
     "if (searching_in(h) >= workers_) return false;"),
]
JOBS = len(os.sched_getaffinity(0))


def compiled(source, target, folders, mutated=None):
    """Compiles a file of the project, with the mutated headers before the others."""
    include = [f"-I{mutated / part}" for part in ("deque/include", "scheduler/include")] if mutated else []
    subprocess.run(["g++", "-std=c++20", "-O1", *include, *(f"-I{f}" for f in folders), "-c", str(source), "-o", str(target)],
                   check=True, capture_output=True, text=True)
    return target


def linked(objects, archives, target):
    subprocess.run(["g++", *map(str, objects), *archives, "-lboost_context", "-lfmt", "-lpthread", "-o", str(target)],
                   check=True)
    return target


def unit_of(structure):
    """The file of models/proof that runs its source."""
    return "wake_up.cpp" if structure == "wake-up" else "chase_lev.cpp"


class Judge:
    """Compiles and proves mutants, one at a time, in a folder of its own."""

    def __init__(self, base, number):
        self.base, self.work = base, base.work / str(number)
        for part in ("deque/include", "scheduler/include"):
            shutil.copytree(base.source / part, self.work / part)

    def verdict(self, structure, file, old, new):
        """What keeps the mutant from being proved, and whether something does."""
        path = self.work / file
        text = path.read_text()
        if text.count(old) != 1:
            return "does not apply", False
        path.write_text(text.replace(old, new))
        unit = unit_of(structure)
        try:
            mutant = compiled(self.base.source / "models" / "proof" / unit, self.work / "mutant.o", self.base.folders, self.work)
        except subprocess.CalledProcessError as error:
            return "does not compile: " + error.stderr.partition("error:")[2][:200], False
        finally:
            path.write_text(text)
        exe = linked([self.base.driver, mutant], self.base.archives, self.work / "mutant")
        ran = subprocess.run([str(exe), structure, str(self.base.shipped[structure])], capture_output=True, text=True)
        said = (ran.stdout + ran.stderr).strip()
        return said, ran.returncode == 0 and said.startswith(("an open condition: ", "a gap: ", "refused: "))


class Base:
    """The driver, and the conditions of the structures as they are, which are proved first."""

    def __init__(self, source, folders, archives, work, structures):
        self.source, self.folders, self.archives, self.work = source, folders, archives, work
        self.driver = compiled(source / "tests" / "proof" / "mutant.cpp", work / "driver.o", folders)
        exe = linked([self.driver], archives, work / "shipped")
        self.shipped = {}
        for structure in sorted(structures):
            self.shipped[structure] = work / f"{structure}.txt"
            said = subprocess.run([str(exe), structure, str(self.shipped[structure]), "write"], capture_output=True, text=True).stdout
            if said.strip() != "proved":
                sys.exit(f"{structure} itself is not proved: {said}")


def main():
    arguments = sys.argv[1:]
    word = ""
    if "--only" in arguments:
        at = arguments.index("--only")
        word = arguments[at + 1]
        del arguments[at:at + 2]
    source, folders, archives = pathlib.Path(arguments[0]).resolve(), arguments[1].split(";"), arguments[2:]
    chosen = [m for m in MUTANTS if word in m[0]]
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        base = Base(source, folders, archives, pathlib.Path(directory), {m[1] for m in chosen})
        judges = queue.SimpleQueue()
        for number in range(JOBS):
            judges.put(Judge(base, number))

        def judged(mutant):
            name, *what = mutant
            judge = judges.get()
            try:
                said, right = judge.verdict(*what)
            finally:
                judges.put(judge)
            print(f"{name:58} {'' if right else 'NOT CAUGHT: '}{said}", flush=True)
            return right

        right = list(pool.map(judged, chosen))
    sys.exit(0 if right and all(right) else 1)


if __name__ == "__main__":
    main()
