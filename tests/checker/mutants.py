#!/usr/bin/env python3
"""Mutants of the checker itself: each takes something away, and one of its tests must fail.

usage: mutants.py SOURCE BUILD [PROGRAMS [WORD]]

SOURCE is the repository, BUILD an existing build of it (for its include directory). PROGRAMS are what the oracle checks;
WORD picks the mutants in whose name it is. Takes some minutes. Exit status 1 if a mutant passes or no longer applies.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

MUTANTS = [  # name, file, what stands there, what stands there instead
    ("psc is not looked at", "psc.cpp", "return !has_cycle();", "return true;"),
    ("psc of fences ignores eco", "psc.cpp", "if (!strangers(g[sequential_[i]], g[sequential_[j]])) edge(i, j);", ""),
    ("light fences are strong", "psc.cpp", "bool strangers(const event& a, const event& b) {",
     "bool strangers(const event& a, const event& b) {\n  if (&a != &b) return false;"),
    ("light fences join accesses", "psc.cpp", "if (other.is_light()) continue;", ""),
    ("no hb between other locations", "psc.cpp", "} else if (elsewhere_after_a != nullptr) {", "} else if (false) {"),
    ("any hb between accesses", "psc.cpp", "} else if (elsewhere_after_a != nullptr) {",
     "} else if (happens_before(a, b)) { edge(i, j); } else if (elsewhere_after_a != nullptr) {"),
    ("no edge from fence to access", "psc.cpp", "if (access.writes() && reach_[i].least_after < key) edge(i, s);", ""),
    ("no edge from access to fence", "psc.cpp", "if (reach_[i].most_write_before > key) edge(s, i);", ""),
    ("every read is maximal", "revisit.cpp", "if (g[e].reads()) return read_maximally(g, e, write);",
     "if (g[e].reads()) return true;"),
    ("every write is maximal", "revisit.cpp", "if (g[e].writes()) return written_maximally(g, e, write);", ""),
    ("readers do not matter to it", "revisit.cpp",
     "if (g[id].reads() && g[id].source == e && precedes(g, id, e, prefix)) return false;", ""),
    ("spurious failures are maximal", "revisit.cpp", "if (r.choice != 0) return false;", ""),
    ("no revisits", "revisit.cpp", "how.revisited = id;", "how.revisited = id; continue;"),
    ("a revisited update does not revisit", "revisit.cpp",
     "offer_revisits(w, {.how = way::revisit, .half = true, .size = size, .op = op});", "(void)size;"),
    ("psc is not looked at after revisits", "revisit.cpp", "if (readable(a.revisited) &&",
     "if (coherent(g, a.revisited) &&"),
    ("coherence is not looked at after revisits", "revisit.cpp", "if (readable(a.revisited) &&",
     "if (sequentially_consistent(a.revisited) &&"),
    ("no spurious failure of a revisited read", "revisit.cpp",
     "for (unsigned choice = choices(g, g[r], write.value); choice-- != 0;) {",
     "for (unsigned choice = 1; choice-- != 0;) {"),
    ("no atomicity", "coherence.cpp", "return next == initial || g[next].half != part::write;", "return true;"),
    ("coherence ignores what a read acquires", "coherence.cpp",
     "return g.rank(r.source) >= earliest(g, r.op.location, r.happened, read);", "return g.size() != read;"),
    ("updates do not continue release sequences", "coherence.cpp",
     "if (source != initial) write.released.join(g[source].released);", "(void)source;"),
    ("no acquire fences", "coherence.cpp",
     "if (acquires(fence.strength)) fence.happened.join(fence.acquirable.any);", ""),
    ("no release fences", "coherence.cpp", "if (releases(fence.strength)) fence.fenced.any = fence.happened;", ""),
    ("light fences release to none", "coherence.cpp", "fence.happened.join(fence.acquirable.of_light);", ""),
    ("light fences acquire from none", "coherence.cpp", "fence.happened.join(fence.acquirable.of_heavy);", ""),
    ("light fences release to all", "coherence.cpp", "fence.fenced.of_light = fence.happened;",
     "fence.fenced.of_light = fence.fenced.any = fence.happened;"),
    ("light fences acquire from all", "coherence.cpp", "fence.happened.join(fence.acquirable.of_heavy);",
     "fence.happened.join(fence.acquirable.any);"),
    ("C++11's sequences are C++20's", "coherence.cpp", "if (rule == release_sequences::cxx11) {", "if (false) {"),
    ("no failure order", "coherence.cpp", "success ? read.op.success : read.op.failure", "read.op.success"),
    ("psc is not looked at when reads are added", "search.cpp", "if (readable(r)) {", "if (coherent(g, r)) {"),
    ("a sleeper need not have looked again", "exploration.cpp",
     "(g[read].op.how != change::sleep || may_sleep(g, read)) &&", ""),
    ("what is not awaited is read", "search.cpp", "unsigned choice = awaited(op, source) ?", "unsigned choice = true ?"),
    ("everybody is eligible", "queue.cpp", "if (notify.op.weak) return queue;", "return queue;"),
    ("nobody is eligible", "queue.cpp", "if (notify.op.weak) return queue;", "return 0;"),
    ("notify_one has no choice", "coherence.cpp", "if (read.op.how == change::wake_one) return std::max(",
     "if (false) return std::max("),
    ("a thread that only has to look again waits for ever", "waiting.cpp",
     "return g.last_write(read.op.location) == read.source;", "return read.op.location != nowhere;"),
    ("a time limit is waited for", "waiting.cpp", "case standing::asleep: return !threads_[t].timed;",
     "case standing::asleep: return true;"),
    ("a loop is a loop though it counts", "waiting.cpp", "if (s.state != snapshot_ || !harmless(s.index)) continue;",
     "if (!harmless(s.index)) continue;"),
    ("nobody looks for loops", "waiting.cpp", "    suspects_.push_back({thread_, op.location, op.site});\n    begin_again();\n",
     ""),
    ("a loop that would end waits for ever", "waiting.cpp", "case standing::spinning: return would_repeat(t);",
     "case standing::spinning: return true;"),
    ("retries are free", "waiting.cpp", "if (!others ||", "if (false && !others ||"),
    ("psc is not looked at for reads", "exploration.cpp", "may_sleep(g, read)) && sequentially_consistent(read);",
     "may_sleep(g, read));"),
    ("walks read what they may not", "walk.cpp", "if (readable(r)) {", "if (true) {"),
    ("walks read the newest only", "walk.cpp", "if (source == initial) break;", "break;"),
    ("walks never fail spuriously", "walk.cpp", "choice != choices_here; ++choice",
     "choice < std::min(1U, choices_here); ++choice"),
    ("walks write the newest place only", "walk.cpp", "while (predecessor != initial &&", "while (false &&"),
    ("walks write between updates", "walk.cpp", "if (!vacant(events_, l, predecessor)) continue;", ""),
    ("walks ignore psc where they write", "walk.cpp",
     "if (sequentially_consistent(write)) candidates_", "candidates_"),
    ("walks switch at no access", "walking.cpp", "if (atomic || c.follows()) yield();", "if (c.follows()) yield();"),
    ("walks choose the first thread", "chooser.cpp", "return numbers_.below(able.size()); }",
     "return able.size() - able.size(); }"),
    ("reads do not race", "access.cpp", "if ((written || op.what == action::plain_write) && !e.within(now)) {",
     "if (written && !e.within(now)) {"),
    ("overwrites do not look at guesses", "ghost.cpp", "check_overwrite(op);\n  add(op);", "add(op);"),
    ("guesses are not forgotten", "ghost.cpp", "if (success) {\n    for (const", "{\n    for (const"),
    ("shares: all explore all", "search.cpp", "if (!goes_into(a)) continue;", "(void)goes_into(a);"),
    ("shares: all alternatives are at one level", "search.cpp", "a.level = level_ + 1;", "a.level = 1;"),
    ("shares: the level is not kept", "search.cpp", "    level_ = a.level;\n", ""),
    ("shares: all count what is above", "engine.cpp", "  if (!search_.counts()) return;\n", ""),
    ("shares: all count the blocked above", "waiting.cpp", "verdict_.blocked += search_.counts() ? 1U : 0U;",
     "++verdict_.blocked;"),
    ("shares: all count the rejected above", "revisit.cpp", "  reject();", "  ++rejected_;"),
    ("shares: all are the first", "split.cpp", "which.index == 0,", "true,"),
    ("shares: the limit comes early", "split.cpp", "++cut.max_executions;", "(void)cut;"),
    ("shares: missing pieces are not noticed", "split.cpp", "v.taken != due", "v.taken > due"),
    ("pictures: everything is shown", "picture.cpp", "if (!offending_.empty()) return;", ""),
    ("pictures: what was to come is not", "picture.cpp", "if (by.next != nullptr) {", "if (false) {"),
    ("pictures: a plain read reads any write", "picture.cpp",
     "if (e.op.what == action::plain_write && e.within(read.happened)) return id;", ""),
    ("pictures: all plain cells are shown", "picture.cpp", "return e.op.location < shared_.size() && shared_[e.op.location];",
     "return true;"),
    ("pictures: no race", "relations.cpp", "  r.races(offending);\n", ""),
    ("pictures: no fr", "relations.cpp", "  r.from_reads();\n", ""),
    ("pictures: happens-before by readings only", "relations.cpp", "  r.happens_before();\n", ""),
    ("pictures: every reading orders", "relations.cpp", "graph_[sources[s]].within(graph_[shown_[s]].happened)", "true"),
    ("pictures: any cycle will do", "relations.cpp", "distance[s] + cost > most", "false"),
    ("pictures: numbers have no sign", "words.cpp", "std::to_string(as_signed);", "std::to_string(number);"),
    ("pictures: blocks have no names", "words.cpp", "if (b != no_block && m.at(b).address == address)", "if (false)"),
    ("pictures: quotes are not escaped", "drawing.cpp", "if (c == '\"' || c == '\\\\') all += '\\\\';", ""),
    ("pictures: a failure of dot is not looked at", "graphviz.cpp", "WEXITSTATUS(status) != 0", "false"),
    ("shrinking: any violation will do", "shrink.cpp", "return a.kind != violation::assertion || a.message == b.message;",
     "return true;"),
    ("shrinking: one round", "shrink.cpp", "  while (s.step(without, smallest)) {\n  }\n",
     "  s.step(without, smallest);\n"),
    ("jobs: the picture is lost", "jobs.cpp", "      total.picture = part.picture;\n", ""),
    ("jobs: the record is lost", "jobs.cpp", "      total.steps = part.steps;\n", ""),
    ("jobs: two take the same piece", "jobs.cpp", " || board_.taken[piece].exchange(true)", ""),
    ("jobs: all count what is above", "jobs.cpp", "w == 0 && share_.index == 0", "share_.index == 0"),
    ("jobs: a violation is not the whole's", "jobs.cpp", "if (part.outcome == outcome::ok) continue;", "continue;"),
    ("jobs: a signal is not looked at", "jobs.cpp", "if (WIFSIGNALED(status)) {", "if (false) {"),
    ("jobs: processes are left", "jobs.cpp", "  ~crew() { stop(); }", "  ~crew() {}"),
    ("jobs: processes outlive their parent", "jobs.cpp", "  ::prctl(PR_SET_PDEATHSIG, SIGKILL);\n", ""),
]
TESTS = ["oracle_test", "counts_test", "engine_test", "fences_test", "waiting_test", "waiting_oracle_test", "split_test",
         "jobs_test", "picture_test", "shrink_test", "walk_test"]


def compile_to(target, source, include):
    return subprocess.run(["g++", "-std=c++20", "-O1", *include, "-c", str(source), "-o", str(target)],
                          capture_output=True, text=True)


def passes(objects, tests, programs, work):
    for test, own in tests.items():
        exe = work / test
        subprocess.run(["g++", *map(str, [*own, *objects]), "-lgtest", "-lboost_context", "-lpthread", "-o", str(exe)],
                       check=True)
        arguments = [str(programs)] if test == "oracle_test" else []
        try:
            if subprocess.run([str(exe), *arguments], capture_output=True, timeout=300).returncode != 0:
                return test
        except subprocess.TimeoutExpired:
            return test + " (does not end)"
    return None


def main():
    source, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    programs = int(sys.argv[3]) if len(sys.argv) > 3 else 4000
    word = sys.argv[4] if len(sys.argv) > 4 else ""
    wrong = 0
    with tempfile.TemporaryDirectory() as directory:
        work = pathlib.Path(directory)
        shutil.copytree(source / "models", work / "models")
        tests_from = source / "tests" / "checker"
        include = [f"-I{build}/include", f"-I{work}/models", f"-I{tests_from}"]
        objects = {}
        for file in sorted((work / "models" / "checker").glob("*.cpp")):
            objects[file.name] = work / (file.stem + ".o")
            compile_to(objects[file.name], file, include).check_returncode()
        tests = {}
        for name in TESTS:
            own = [name + ".cpp"] + (["oracle.cpp"] if name == "oracle_test" else [])
            tests[name] = [work / (pathlib.Path(o).stem + "_of_test.o") for o in own]
            for o, target in zip(own, tests[name]):
                compile_to(target, tests_from / o, include).check_returncode()
            if not name.endswith("oracle_test"):
                tests[name].append("-lgtest_main")
        if passes(objects.values(), tests, programs, work) is not None:
            sys.exit("the checker itself does not pass")
        for name, file, old, new in [m for m in MUTANTS if word in m[0]]:
            path = work / "models" / "checker" / file
            text = path.read_text()
            if text.count(old) != 1:
                verdict, bad = "does not apply", True
            else:
                path.write_text(text.replace(old, new))
                mutated = work / "mutated.o"
                compiled = compile_to(mutated, path, include)
                path.write_text(text)
                if compiled.returncode != 0:
                    verdict, bad = "does not compile", True
                else:
                    rest = [o for f, o in objects.items() if f != file]
                    caught = passes([mutated, *rest], tests, programs, work)
                    verdict, bad = ("caught by " + caught, False) if caught else ("PASSES", True)
            wrong += bad
            print(f"{name:45} {verdict}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
