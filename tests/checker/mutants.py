#!/usr/bin/env python3
"""Mutants of the checker itself: each takes something away, and one of its tests must fail.

usage: mutants.py SOURCE [PROGRAMS [WORD]]

SOURCE is the repository. PROGRAMS is the number of random programs that the oracles check; WORD picks the mutants in
whose name it is. Exit status 1 if a mutant passes or no longer applies.
"""
import concurrent.futures
import json
import os
import pathlib
import queue
import shutil
import subprocess
import sys
import tempfile

MUTANTS = [  # name, file, what stands there, what stands there instead
    ("psc is not looked at", "core/psc.cpp", "return !order_.has_cycle();", "return true;"),
    ("psc of fences ignores eco", "core/psc.cpp", "if (!strangers(g[sequential_[i]], g[sequential_[j]])) edge(i, j);", ""),
    ("light fences are strong", "core/psc.cpp", "bool strangers(const event& a, const event& b) {",
     "bool strangers(const event& a, const event& b) {\n  if (&a != &b) return false;"),
    ("light fences join accesses", "core/psc.cpp", "if (other.is_light()) continue;", ""),
    ("light fences are another location", "core/psc.cpp", "return e.is_ghost() || e.is_light() ||", "return e.is_ghost() ||"),
    ("no hb between other locations", "core/psc.cpp", "} else if (elsewhere_after_a != nullptr) {", "} else if (false) {"),
    ("any hb between accesses", "core/psc.cpp", "} else if (elsewhere_after_a != nullptr) {",
     "} else if (happens_before(a, b)) { edge(i, j); } else if (elsewhere_after_a != nullptr) {"),
    ("no edge from fence to access", "core/psc.cpp", "if (access.writes() && reach_[i].least_after < key) edge(i, s);", ""),
    ("no edge from access to fence", "core/psc.cpp", "if (reach_[i].most_write_before > key) edge(s, i);", ""),
    ("every read is maximal", "core/revisit.cpp", "if (g[e].reads()) return read_maximally(g, e, write);",
     "if (g[e].reads()) return true;"),
    ("every write is maximal", "core/revisit.cpp", "if (g[e].writes()) return written_maximally(g, e, write);", ""),
    ("readers do not matter to it", "core/revisit.cpp",
     "if (g[id].reads() && g[id].source == e && precedes(g, id, e, prefix)) return false;", ""),
    ("spurious failures are maximal", "core/revisit.cpp", "if (r.choice != 0) return false;", ""),
    ("no revisits", "core/revisit.cpp", "how.revisited = id;", "how.revisited = id; continue;"),
    ("a revisited update does not revisit", "core/revisit.cpp",
     "offer_revisits(w, {.how = way::revisit, .half = true, .size = size, .op = op});", "(void)size;"),
    ("psc is not looked at after revisits", "core/revisit.cpp", "if (ordered && readable(a.revisited) &&",
     "if (ordered && coherent(g, a.revisited) &&"),
    ("coherence is not looked at after revisits", "core/revisit.cpp", "if (ordered && readable(a.revisited) &&",
     "if (ordered && sequentially_consistent(a.revisited) &&"),
    ("no spurious failure of a revisited read", "core/revisit.cpp",
     "for (unsigned choice = choices(g, g[r], write.value); choice-- != 0;) {",
     "for (unsigned choice = 1; choice-- != 0;) {"),
    ("no atomicity", "core/coherence.cpp", "return next == initial || g[next].half != part::write;", "return true;"),
    ("coherence ignores what a read acquires", "core/coherence.cpp",
     "return g.rank(r.source) >= earliest(g, r.op.location, r.happened, read);", "return g.size() != read;"),
    ("updates do not continue release sequences", "core/coherence.cpp",
     "write.released.join(g[source].released);", ""),
    ("no acquire fences", "core/coherence.cpp",
     "if (acquires(fence.strength)) fence.happened.join(fence.acquirable.any);", ""),
    ("no release fences", "core/coherence.cpp", "if (releases(fence.strength)) fence.fenced.any = fence.happened;", ""),
    ("light fences release to none", "core/coherence.cpp", "fence.happened.join(fence.acquirable.of_light);", ""),
    ("light fences acquire from none", "core/coherence.cpp", "fence.happened.join(fence.acquirable.of_heavy);", ""),
    ("light fences release to all", "core/coherence.cpp", "fence.fenced.of_light = fence.happened;",
     "fence.fenced.of_light = fence.fenced.any = fence.happened;"),
    ("light fences acquire from all", "core/coherence.cpp", "fence.happened.join(fence.acquirable.of_heavy);",
     "fence.happened.join(fence.acquirable.any);"),
    ("C++11's sequences are C++20's", "core/coherence.cpp", "const bool ends = rule == release_sequences::cxx20;",
     "const bool ends = true;\n  (void)rule;"),
    ("no failure order", "core/coherence.cpp", "success ? read.op.success : read.op.failure", "read.op.success"),
    ("psc is not looked at when reads are added", "core/search.cpp", "&& readable(r)) {", "&& coherent(g, r)) {"),
    ("a sleeper need not have looked again", "core/exploration.cpp",
     "(g[read].op.how != change::sleep || may_sleep(g, read)) &&", ""),
    ("what is not awaited is read", "core/search.cpp", "unsigned choice = awaited(op, source) ?", "unsigned choice = true ?"),
    ("everybody is eligible", "core/queue.cpp", "if (notify.op.weak) return queue;", "return queue;"),
    ("nobody is eligible", "core/queue.cpp", "if (notify.op.weak) return queue;", "return 0;"),
    ("notify_one has no choice", "core/coherence.cpp", "if (read.op.how == change::wake_one) return std::max(",
     "if (false) return std::max("),
    ("a thread that only has to look again waits for ever", "core/waiting.cpp",
     "return g.last_write(read.op.location) == read.source;", "return read.op.location != nowhere;"),
    ("a time limit is waited for", "core/waiting.cpp", "case standing::asleep: return !threads_[t].timed;",
     "case standing::asleep: return true;"),
    ("a loop is a loop though it counts", "core/waiting.cpp", "if (!s.is_of(snapshot_) || !harmless(s.index)) continue;",
     "if (!harmless(s.index)) continue;"),
    ("nobody looks for loops", "core/waiting.cpp", "    suspects_.push_back({thread_, op.location, op.site});\n    search_.forget_images();  // which have none of its stacks\n    begin_again();\n",
     ""),
    ("a loop that would end waits for ever", "core/waiting.cpp", "case standing::spinning: return would_repeat(t);",
     "case standing::spinning: return true;"),
    ("retries are free", "core/waiting.cpp", "if (!others ||", "if (false && !others ||"),
    ("psc is not looked at for reads", "core/exploration.cpp", "may_sleep(g, read)) && sequentially_consistent(read);",
     "may_sleep(g, read));"),
    ("walks read what they may not", "walk/walk.cpp", "if (readable(r)) {", "if (true) {"),
    ("walks read the newest only", "walk/walk.cpp", "if (source == initial) break;", "break;"),
    ("walks never fail spuriously", "walk/walk.cpp", "choice != choices_here; ++choice",
     "choice < std::min(1U, choices_here); ++choice"),
    ("walks write the newest place only", "walk/walk.cpp", "while (predecessor != initial &&", "while (false &&"),
    ("walks write between updates", "walk/walk.cpp", "if (!vacant(events_, l, predecessor)) continue;", ""),
    ("walks ignore psc where they write", "walk/walk.cpp",
     "if (sequentially_consistent(write)) candidates_", "candidates_"),
    ("walks switch at no access", "walk/walk.cpp", "if (atomic || c.follows()) yield();", "if (c.follows()) yield();"),
    ("walks choose the first thread", "walk/chooser.cpp", "return numbers_.below(able.size()); }",
     "return able.size() - able.size(); }"),
    ("edges from outside: psc is not looked at", "core/access.cpp", "!contradicts(g, last, to) && psc().acyclic(told_graph(g, from, to).get())",
     "!contradicts(g, last, to)"),
    ("edges from outside: coherence is not looked at", "core/access.cpp", "return !contradicts(g, last, to) && ",
     "return "),
    ("edges from outside: they close cycles", "core/access.cpp",
     "if (last.prefix.count(to.thread) > to.index && causes(g, last).count(to.thread) > to.index) return false;", ""),
    ("lives: bytes are used again freely", "core/access.cpp",
     "for (const location_id former : memory_.sharing_bytes(l)) check_former(op, former);", ""),
    ("lives: their beginnings are unordered", "core/access.cpp", "race(\"its construction\", g.at(place.maker, place.born));", ""),
    ("lives: their ends are unordered", "core/access.cpp", "race(\"its end\", g.at(place.ender, place.ended));", ""),
    ("lives: their uses are unordered", "core/access.cpp", "if (!g[id].within(now)) race(\"an access\", id);", ""),
    ("lives: who lived before lives on", "core/access.cpp", "    former.dead = true;\n", ""),
    ("lives: a cell of the last execution is one", "core/memory.cpp", "  std::memset(b.address, 0, size);", ""),
    ("abandoned: memory is lost", "core/heap.cpp", "for (const piece& one : live_) std::free(one.at);", ""),
    ("abandoned: memory that is kept is given back", "core/heap.cpp", "keeps_ = keeps_ || !live_.empty();", ""),
    ("lives: the heap does not order them", "core/heap.cpp", "  freed_({p, malloc_usable_size(p)});\n", ""),
    ("reads do not race", "core/access.cpp", "if ((written || op.what == action::plain_write) && !e.within(now)) {",
     "if (written && !e.within(now)) {"),
    ("overwrites do not look at guesses", "core/ghost.cpp", "check_overwrite(op);\n  add(op);", "add(op);"),
    ("the construction of a ghost is in psc", "core/event.hpp", "op.what >= action::ghost_construct; }",
     "op.what >= action::ghost_write; }"),
    ("guesses are not forgotten", "core/ghost.cpp", "if (success) {\n    for (const", "{\n    for (const"),
    ("shares: all explore all", "core/search.cpp", "if (!goes_into(a)) continue;", "(void)goes_into(a);"),
    ("shares: all alternatives are at one level", "core/search.cpp", "a.level = level_ + 1;", "a.level = 1;"),
    ("shares: the level is not kept", "core/search.hpp", "    level_ = a.level;\n", ""),
    ("shares: all count what is above", "core/executor.cpp", "  if (!search_.counts()) return;\n", ""),
    ("shares: all count the blocked above", "core/waiting.cpp", "verdict_.blocked += search_.counts() ? 1U : 0U;",
     "++verdict_.blocked;"),
    ("shares: all count the rejected above", "core/revisit.cpp", "  reject();", "  ++rejected_;"),
    ("shares: all are the first", "parallel/split.cpp", "which.index == 0,", "true,"),
    ("shares: the limit comes early", "parallel/split.cpp", "++cut.max_executions;", "(void)cut;"),
    ("shares: missing pieces are not noticed", "parallel/split.cpp", "v.share.explored != due", "v.share.explored > due"),
    ("pictures: everything is shown", "show/picture.cpp", "if (!offending_.empty()) return;", ""),
    ("pictures: what was to come is not", "show/picture.cpp", "if (by.next != nullptr) {", "if (false) {"),
    ("pictures: a plain read reads any write", "show/picture.cpp",
     "if (e.op.what == action::plain_write && e.within(read.happened)) return id;", ""),
    ("pictures: all plain cells are shown", "show/picture.cpp", "return e.op.location < shared_.size() && shared_[e.op.location];",
     "return true;"),
    ("pictures: no race", "show/relations.cpp", "  r.races(offending);\n", ""),
    ("pictures: no fr", "show/relations.cpp", "  r.from_reads();\n", ""),
    ("pictures: happens-before by readings only", "show/relations.cpp", "  r.happens_before();\n", ""),
    ("pictures: every reading orders", "show/relations.cpp", "graph_[sources[s]].within(graph_[shown_[s]].happened)", "true"),
    ("pictures: any cycle will do", "show/relations.cpp", "distance[s] + cost > most", "false"),
    ("pictures: numbers have no sign", "show/words.cpp", "std::to_string(as_signed);", "std::to_string(number);"),
    ("pictures: blocks have no names", "show/words.cpp", "if (b != no_block && m.at(b).address == address)", "if (false)"),
    ("pictures: quotes are not escaped", "show/drawing.cpp", "if (c == '\"' || c == '\\\\') all += '\\\\';", ""),
    ("pictures: a failure of dot is not looked at", "show/drawing.cpp", "WEXITSTATUS(status) != 0", "false"),
    ("shrinking: any violation will do", "walk/shrink.cpp", "return a.kind != violation::assertion || a.message == b.message;",
     "return true;"),
    ("shrinking: one round", "walk/shrink.cpp", "  while (s.step(without, smallest)) {\n  }\n",
     "  s.step(without, smallest);\n"),
    ("jobs: the picture is lost", "parallel/jobs.cpp", "    total.picture = part.picture;\n", ""),
    ("jobs: the record is lost", "parallel/jobs.cpp", "    total.steps = part.steps;\n", ""),
    ("jobs: two take the same piece", "parallel/jobs.cpp", " || board_.taken[piece].exchange(true)", ""),
    ("jobs: all count what is above", "parallel/jobs.cpp", "w == 0 && share_.index == 0", "share_.index == 0"),
    ("jobs: a violation is not the whole's", "parallel/jobs.cpp", "if (part.outcome == outcome::ok) continue;", "continue;"),
    ("jobs: a signal is not looked at", "parallel/process_pool.cpp", "if (WIFSIGNALED(status)) return", "if (false) return"),
    ("pool: processes are left", "parallel/process_pool.cpp", "    ::kill(w.process, SIGKILL);\n    status_of(w.process);\n", ""),
    ("pool: processes outlive their parent", "parallel/process_pool.cpp", "    ::prctl(PR_SET_PDEATHSIG, SIGKILL);\n", ""),
    ("pool: an exception is a result", "parallel/process_pool.cpp", "if (w.output.front() == is_exception)", "if (false)"),
    ("verdicts: a share is the whole", "parallel/explore.cpp", "v.exhaustive && how.share.count == 1", "v.exhaustive"),
    ("verdicts: a sample has a share", "parallel/explore.cpp", "if (how.share.count != 1) throw", "if (false) throw"),
    ("rules: an earlier release is forgotten", "core/coherence.cpp", "head->teaches_more || !head->own.within(write.own)", "head->teaches_more"),
    ("rules: an acquire knows what a fence may", "core/coherence.cpp", "if (acquires(read.strength)) known.any = clock{};", ""),
    ("rules: only the store itself teaches", "core/coherence.cpp", "w != nullptr; w = earlier_write(g, *w))", "w == &write; w = earlier_write(g, *w))"),
    ("rules: a revisited read is not asked", "core/revisit.cpp", "  compare_rules(r);\n", ""),
    ("rules: a new read is not asked", "core/exploration.cpp", "  compare_rules(r);\n", ""),
    ("rules: of the last process", "parallel/split.cpp", "total.rules_differ || more.rules_differ", "more.rules_differ"),
    ("a representative counts for itself", "core/estimator.cpp", "one.weight += weight_;", "one.weight = weight_;"),
    ("the first represents all", "core/estimator.cpp", "(random_) >= weight_) continue;", "(random_) >= weight_ || one.weight != weight_) continue;"),
    ("a blocked execution is estimated", "core/estimator.cpp", "if (complete_) found_ += weight_;", "found_ += weight_;"),
    ("spawns and joins order nothing", "core/exploration.cpp", "e.happened.join(g[earlier].happened);", ""),
    ("a location begins as it did last", "core/search.hpp", "set_initial(a.op.location, a.began_as);", ""),
    ("a join does not wait", "core/spawning.cpp", "while (!has_finished(other)) {", "while (false) {"),
    ("psc: what a fence is before does not matter", "core/psc.cpp",
     "if (std::ranges::any_of(fences, [&](event_id f) { return newer.within(g[f].happened); })) return true;", ""),
    ("psc: newer accesses do not matter", "core/psc.cpp", "if (newer.sequential()) return true;", ""),
    ("psc: the access that is added does not matter", "core/psc.cpp", "bool leads = e.sequential();", "bool leads = false;"),
    ("psc: what the write of a revisit is does not matter", "core/psc.cpp", "leads = leads || g[e.source].sequential();", ""),
    ("psc: what is before the write of a revisit does not matter", "core/psc.cpp", "behind.join(g[e.source].happened);", ""),
    ("images: of another graph", "core/search.cpp", "shared = std::min(shared, f.shared);", ""),
    ("images: of a graph that was larger", "core/search.cpp", "f.images[kept - 1]->events() > a.size) --kept;",
     "f.images[kept - 1]->events() > a.size + 3) --kept;"),
    ("images: the memory stays as it is", "core/image.cpp", "  memory_.go_back(state);\n", ""),
    ("images: of what is on the heap", "core/image.cpp", "return heap_.is_empty() && std", "return std"),
    ("images: a thread that waits looks", "core/image.cpp",
     "if (has_begun && places[t].now != standing::running && places[t].cursor != g.thread(t).size()) return false;",
     "(void)has_begun;"),
    ("images: anyone goes on", "core/image.cpp", ": last_of_replay();", ": anyone;"),
    ("images: rounds have no turns", "core/event.hpp", "earlier.round + (earlier.thread() > thread() ? 1U : 0U)", "earlier.round + 0U"),
    ("images: who made it goes on", "core/image.cpp", "goes_on_ = is_alone(from->thread(), left_) ?", "goes_on_ = from->thread() != anyone ?"),
    ("graphs: modification order is not put back", "core/search.cpp", "if (std::exchange(f.is_lent, false)) f.events.restore_order();", ""),
    ("graphs: a revisited read is everybody's", "core/graph.cpp", "make_own(events_[kept], *events_[kept]).source = initial;",
     "events_[kept]->source = initial;"),
    ("images: of every program", "core/image.cpp", "return program_.self_contained && ", "return "),
    ("symmetry: what comes first is no cause", "core/symmetry.cpp",
     "e.prefix.join(first->half == part::read ? g[g.at(t, e.index + 1U)].prefix : first->prefix);", ""),
    ("symmetry: half an update comes first", "core/symmetry.cpp",
     "e.prefix.join(first->half == part::read ? g[g.at(t, e.index + 1U)].prefix : first->prefix);",
     "e.prefix.join(first->prefix);"),
    ("symmetry: what is read does not matter", "core/symmetry.cpp", "return a.source == b.source && a.choice == b.choice;",
     "return a.choice == b.choice;"),
    ("symmetry: spurious failures do not matter", "core/symmetry.cpp",
     "return a.source == b.source && a.choice == b.choice;", "return a.source == b.source;"),
    ("symmetry: writes are alike", "core/symmetry.cpp", "return !a.writes() && a.op.what", "return a.op.what"),
    ("symmetry: alike once, alike for ever", "core/symmetry.cpp",
     "return previous == nullptr ? lower_[e.thread()] : previous->alike;", "return g.size() == 0 || previous == nullptr || true ? lower_[e.thread()] : 0;"),
    ("symmetry: only first events are alike", "core/symmetry.cpp",
     "return previous == nullptr ? lower_[e.thread()] : previous->alike;", "return previous == nullptr ? lower_[e.thread()] : 0;"),
    ("symmetry: reads have no order", "core/symmetry.cpp",
     "ordered = ordered && (!before || must_wait(g, e, *first, others));", "(void)before;"),
    ("symmetry: the later write is read first", "core/symmetry.cpp", "const bool before = here < there ||",
     "const bool before = here > there ||"),
    ("symmetry: spurious failures have no order", "core/symmetry.cpp", "|| (here == there && e.choice > first->choice);", ";"),
    ("symmetry: writes have no order", "core/symmetry.cpp", "ordered = ordered && g.rank(e) > g.rank(*first);", ""),
    ("symmetry: nobody must wait", "core/symmetry.cpp", "(!before || must_wait(g, e, *first, others))", "!before"),
    ("symmetry: everybody may wait", "core/symmetry.cpp", "  return waits;", "  return waits || true;"),
    ("symmetry: one waits for anybody", "core/symmetry.cpp", "same_happened(*other, first) && other->within(",
     "other->within("),
    ("symmetry: the first is chosen", "core/symmetry.cpp", "return is_chosen(g) ? size : 0;", "return size;"),
    ("symmetry: nobody is out of turn", "core/symmetry.cpp", "g.rank(first->source)) e.out_of_turn = true;",
     "g.rank(first->source)) e.out_of_turn = false;"),
    ("symmetry: what is not possible is chosen", "core/symmetry.cpp", "return renamed_.size() == g.size();", "return true;"),
    ("symmetry: what is not in order is possible", "core/symmetry.cpp", "if (!in_order(renamed_, e)) return false;", ""),
    ("symmetry: causes may close a cycle", "core/symmetry.cpp",
     "if (places_[t].size() <= e.index + (update ? 1U : 0U)) return false;", "(void)update;"),
    ("symmetry: one group is permuted", "core/symmetry.cpp",
     "for (std::size_t n = 0; n != groups_.size(); ++n) {", "for (std::size_t n = 0; n != 1; ++n) {"),
    ("symmetry: orbits are as large as can be", "core/symmetry.cpp", "    size /= same;\n", ""),
    ("symmetry: an orbit is one execution", "core/symmetry.cpp", "size *= factorial(group.size());",
     "size *= factorial(group.size()) != 0;"),
    ("symmetry: shorter threads are alike", "core/symmetry.cpp", "  differ_ = differ_ || one.size() != other.size();\n", ""),
    ("symmetry: other operations are alike", "core/symmetry.cpp", "    differ_ = differ_ || !equal(first->op, e.op);\n", ""),
    ("symmetry: sleepers are not equal", "core/symmetry.cpp", "other.operand = a.operand;", ""),
    ("symmetry: a stopped thread is equal", "core/symmetry.cpp", "    std::erase(group, o.stalled.thread);\n", ""),
    ("symmetry: what is left out is not looked at", "core/symmetry.cpp", "if (!whole || group.size() < 2) continue;",
     "if ((!whole && group.empty()) || group.size() < 2) continue;"),
    ("symmetry: a thread that is not there", "core/symmetry.cpp", "if (!all.empty() && all.back() >= threads) {", "if (threads == 9) {"),
    ("symmetry: a thread twice", "core/symmetry.cpp", "if (twice != all.end()) {", "if (false) {"),
    ("symmetry: a read that is added has any place", "core/search.cpp", "if (equal_.in_order(g, g[r]) && readable(r)) {",
     "if (readable(r)) {"),
    ("symmetry: a write that is added has any place", "core/search.cpp", "if (!equal_.in_order(g, g[w])) {", "if (false) {"),
    ("symmetry: a revisiting write has any place", "core/revisit.cpp", "equal_.in_order(g, g[w]) && equal_.in_order(g, r);",
     "equal_.in_order(g, r);"),
    ("symmetry: a revisited read has any place", "core/revisit.cpp", "equal_.in_order(g, g[w]) && equal_.in_order(g, r);",
     "equal_.in_order(g, g[w]);"),
    ("symmetry: a revisited read is alike as before", "core/revisit.cpp", "  equal_.join(g, r);\n", ""),
    ("symmetry: reads are not compared", "core/exploration.cpp", "  equal_.join(g, r);\n", ""),
    ("symmetry: writes are not compared", "core/exploration.cpp", "  equal_.join(g, w);\n", ""),
    ("symmetry: fences are not compared", "core/exploration.cpp", "  if (e.is_fence()) bind(e);\n  equal_.join(g, e);\n",
     "  if (e.is_fence()) bind(e);\n"),
    ("symmetry: what comes first is a cause from outside", "core/access.cpp",
     " && causes(g, last).count(to.thread) > to.index) return false;", ") return false;"),
    ("symmetry: who is not chosen counts", "core/executor.cpp", "if (represented == 0) return;", ""),
    ("symmetry: each stands for itself", "core/executor.cpp", "verdict_.represented += represented;", "++verdict_.represented;"),
    ("symmetry: processes forget what they stand for", "parallel/split.cpp",
     "  total.represented += more.represented;\n", ""),
]
TESTS = ["abandoned", "counts", "engine", "estimator", "fences", "jobs", "lifetimes", "oracle", "outside", "picture", "process_pool", "shrink", "site_rules",
         "spawning", "split", "symmetry", "symmetry_waiting",
         "verdict", "waiting", "waiting_oracle", "walk"]

JOBS = os.cpu_count() or 1


def compile_to(target, source, include):
    return subprocess.run(["g++", "-std=c++20", "-O1", *include, "-c", str(source), "-o", str(target)],
                          capture_output=True, text=True)


def compile_or_exit(target, source, include):
    if (compiled := compile_to(target, source, include)).returncode != 0:
        sys.exit(f"{source} does not compile:\n{compiled.stderr}")


def linked(objects, exe):
    subprocess.run(["g++", *map(str, objects), "-lgtest_main", "-lgtest", "-lboost_context", "-lpthread", "-o", str(exe)],
                   check=True)
    return exe


def run(exe, chosen, programs, seconds, *options):
    environment = {**os.environ, "LICIT_PROGRAMS": str(programs), "GTEST_FILTER": chosen, "GTEST_FAIL_FAST": "1"}
    return subprocess.run([str(exe), *options], capture_output=True, text=True, timeout=seconds, env=environment)


def failed_test(ran):
    """The test that failed, if one did."""
    if ran.returncode == 0:
        return None
    failed = [line.split("] ")[1].split(" ")[0] for line in ran.stdout.splitlines() if line.startswith("[  FAILED  ] ") and "." in line]
    return failed[0] if failed else f"status {ran.returncode}"


def by_duration(exe, programs, work):
    """Filters of GoogleTest with their seconds, to be run in this order: the short tests together, then each of the others,
    the shortest first. A mutant fails in most cases among the first."""
    report = work / "durations.json"
    ran = run(exe, "-*_long.*", programs, 600, f"--gtest_output=json:{report}")
    if (failed := failed_test(ran)) is not None:
        sys.exit(f"the checker itself does not pass: {failed}")
    seconds = {f"{suite['name']}.{test['name']}": float(test["time"].rstrip("s"))
               for suite in json.loads(report.read_text())["testsuites"] for test in suite["testsuite"]}
    short = [name for name, s in seconds.items() if s < 0.2]
    rest = sorted(seconds.keys() - set(short), key=seconds.get)
    return [(":".join(short), sum(seconds[name] for name in short)), *((name, seconds[name]) for name in rest)]


def failure(exe, filters, programs):
    """The test that fails, if one does, or takes much longer than it does without the mutant."""
    for chosen, seconds in filters:
        try:
            ran = run(exe, chosen, programs, 60 + 10 * seconds, "--gtest_brief=1")
        except subprocess.TimeoutExpired:
            return "a test that does not end"
        if (failed := failed_test(ran)) is not None:
            return failed
    return None


class Judge:
    """Compiles mutants and runs them, one at a time, in a copy of the checker's folder."""

    def __init__(self, number, base, work):
        self.base, self.work = base, work / str(number)
        shutil.copytree(base.checker, self.work / "checker")
        self.include = [flag.replace(str(base.checker), str(self.work / "checker")) for flag in base.include]

    def verdict(self, file, old, new):
        """What is said of the mutant, and whether that is right."""
        path = self.work / "checker" / file
        text = path.read_text()
        if text.count(old) != 1:
            return "does not apply", False
        path.write_text(text.replace(old, new))
        # What includes a header are files of its folder, and tests that look into it.
        folder = file.split("/")[0]
        sources = [f for f in self.base.objects if f == file or file.endswith(".hpp") and f.split("/")[0] == folder]
        mutated = {f: self.work / f"mutated_{i}.o" for i, f in enumerate(sources)}
        compiled = [compile_to(mutated[f], self.work / "checker" / f, self.include).returncode for f in sources]
        path.write_text(text)
        if any(compiled):
            return "does not compile", False
        rest = [o for f, o in self.base.objects.items() if f not in mutated]
        exe = linked([*mutated.values(), *rest, *self.base.tests], self.work / "checker_test")
        caught = failure(exe, self.base.filters, self.base.programs)
        return ("caught by " + caught, True) if caught else ("PASSES", False)


class Base:
    """The checker as it is: objects, tests, and how long these take."""

    def __init__(self, source, programs, work):
        self.checker, self.programs = work / "checker", programs
        tests_from = source / "tests" / "checker"
        shutil.copytree(source / "models" / "checker", self.checker)
        self.include = [f"-I{self.checker}", f"-I{self.checker / 'include'}", f"-I{source / 'models'}", f"-I{tests_from}",
                        f"-I{source / 'tests'}", f"-I{source / 'deque' / 'include'}", f"-I{source / 'scheduler' / 'include'}",
                        f"-I{source / 'models' / 'audit' / 'include'}"]
        self.objects = {}
        for folder in ("core", "walk", "parallel", "show"):
            for file in sorted((self.checker / folder).glob("*.cpp")):
                self.objects[f"{folder}/{file.name}"] = work / f"{folder}_{file.stem}.o"
        self.tests = {tests_from / f"{name}.cpp": work / f"{name}.o" for name in [*(f"{t}_test" for t in TESTS), "oracle"]}
        to_compile = [*((self.checker / f, o) for f, o in self.objects.items()), *self.tests.items()]
        with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
            list(pool.map(lambda one: compile_or_exit(one[1], one[0], self.include), to_compile))
        self.tests = list(self.tests.values())
        self.filters = by_duration(linked([*self.objects.values(), *self.tests], work / "checker_test"), programs, work)


def main():
    source = pathlib.Path(sys.argv[1]).resolve()
    programs = int(sys.argv[2]) if len(sys.argv) > 2 else 4000
    word = sys.argv[3] if len(sys.argv) > 3 else ""
    with tempfile.TemporaryDirectory() as directory, concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        work = pathlib.Path(directory)
        base = Base(source, programs, work)
        judges = queue.SimpleQueue()
        for number in range(JOBS):
            judges.put(Judge(number, base, work))

        def judged(mutant):
            name, file, old, new = mutant
            judge = judges.get()
            try:
                verdict, right = judge.verdict(file, old, new)
            finally:
                judges.put(judge)
            print(f"{name:45} {verdict}", flush=True)
            return right

        right = list(pool.map(judged, [m for m in MUTANTS if word in m[0]]))
    sys.exit(0 if right and all(right) else 1)


if __name__ == "__main__":
    main()
