#!/usr/bin/env python3
"""Random programs by both doors: over the checker's policy, and as they are. Verdicts, counts and outcomes must be the same.

usage: random_programs.py --policy-library FILE... --seeds FIRST:LAST --cxx CXX... [--level=-O1]... [--plant OLD=>NEW]
                          --runtime LIBRARY --include DIR... FOLDER

All programs are one source, which compiles as either door. A program is a function of its seed. It has 2 or 3 threads, two
atomics of one type, two variables that are not atomic, and values that flow from loads into stores, updates and branches. --plant
replaces text in the programs as they are only: the difference must be seen. Exit status 1 if a program differs.
"""
import argparse
import collections
import pathlib
import random
import re
import subprocess
import sys

import door

PRELUDE = """
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
namespace {
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto consume = std::memory_order_consume;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto acq_rel = std::memory_order_acq_rel;
constexpr auto seq_cst = std::memory_order_seq_cst;
}
#ifdef LICIT_BY_POLICY
#include <cstdarg>
#include <map>
#include <string>
#include <licit/checker/run.hpp>
namespace {
using memory = licit::checker::model;
template <class T> using atomic = memory::atomic<T>;
using plain = memory::plain<int>;
int read(const plain& p) { return p.read(); }
void write(plain& p, int value) { p.write(value); }
void fence(std::memory_order o) { memory::fence(o); }
void light_fence() { memory::light_fence(); }
void heavy_fence() { memory::heavy_fence(); }
#define check(HOLDS) memory::check(HOLDS, #HOLDS)
bool weak_is_strong = false;
#define weak(X, ...) (weak_is_strong ? X.compare_exchange_strong(__VA_ARGS__) : X.compare_exchange_weak(__VA_ARGS__))
std::map<std::string, unsigned long> said;
void licit_outcome(const char* format, ...) {
  char text[256];
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  ++said[text];
}
template <class Program> void run(unsigned number) {
  said.clear();
  const auto v = licit::checker::run_program<Program>();
  std::printf("program %u\\n%s: %llu executions, %llu blocked\\n", number,
              v.outcome == licit::checker::outcome::violation ? name(v.kind).data() : name(v.outcome).data(),
              static_cast<unsigned long long>(v.executions), static_cast<unsigned long long>(v.blocked));
  for (const auto& [text, count] : said) std::printf("  %lu  %s\\n", count, text.c_str());
}
}
#else
#include <cassert>
#include <memory>
#include <thread>
#include <vector>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <licit/check.h>
namespace {
template <class T> using atomic = std::atomic<T>;
using plain = int;
int read(const plain& p) { return p; }
void write(plain& p, int value) { p = value; }
#define fence(ORDER) std::atomic_thread_fence(ORDER)  // a constant, without optimisation too
void light_fence() { std::atomic_signal_fence(seq_cst); }
void heavy_fence() { assert(syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0); }
#define check(HOLDS) assert(HOLDS)
#define weak(X, ...) X.compare_exchange_weak(__VA_ARGS__)
template <class Program> void threads_of(Program& p) {
  assert(syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i != Program::threads; ++i) threads.emplace_back([&p, i] { p.thread(i); });
  for (std::thread& t : threads) t.join();
  p.finish();
}
// On a stack, on the heap, or static.
template <class Program> void run(unsigned number) {
  if (number % 3 == 0) {
    Program p;
    threads_of(p);
  } else if (number % 3 == 1) {
    threads_of(*std::make_unique<Program>());
  } else {
    static Program p;
    threads_of(p);
  }
}
}
#endif
namespace {
"""
LOADS = ["relaxed", "relaxed", "acquire", "acquire", "seq_cst", "consume"]
STORES = ["relaxed", "relaxed", "release", "release", "seq_cst"]
UPDATES = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
FAILURES = ["relaxed", "acquire", "seq_cst"]
FENCES = ["acquire", "release", "acq_rel", "seq_cst", "seq_cst"]
TYPES = ["signed char", "short", "int", "int", "long", "unsigned"]


class Thread:
    """The statements of one."""

    def __init__(self, author, plain):
        self.author = author
        self.plain = plain  # how likely an access is to a variable that is not atomic
        self.registers = 0
        self.filled = []  # registers that have a value
        self.text = []
        self.indent = "    "

    def new_register(self):
        self.registers += 1
        return f"r{self.registers - 1}"

    def say(self, line):
        self.text.append(self.indent + line)

    def value(self):
        a = self.author
        constant = str(a.below(3) + 1)
        if not self.filled or a.below(2) == 0:
            return constant
        return f"static_cast<type>({a.one_of(self.filled)} + {constant})"

    def into_register(self, operation):
        register = self.new_register()
        self.say(f"{register} = {operation};")
        self.filled.append(register)
        return register

    def load(self):
        a = self.author
        return self.into_register(f"{a.location()}.load({a.one_of(LOADS)})")

    def store(self):
        a = self.author
        self.say(f"{a.location()}.store({self.value()}, {a.one_of(STORES)});")

    def update(self):
        a = self.author
        how = a.one_of(["fetch_add", "fetch_add", "fetch_sub", "fetch_or", "fetch_and", "fetch_xor", "exchange"])
        self.into_register(f"{a.location()}.{how}({self.value()}, {a.one_of(UPDATES)})")

    def compare_exchange(self):
        """The register is the value that was there where it fails."""
        a = self.author
        expected = a.one_of(self.filled) if self.filled and a.below(3) == 0 else str(a.below(2))
        how = "weak({}, " if a.below(3) == 0 else "{}.compare_exchange_strong("
        success = a.one_of(UPDATES)
        self.say("{")
        self.say(f"  type expected = static_cast<type>({expected});")
        self.say(f"  const bool done = {how.format(a.location())}expected, {self.value()}, {success}, {a.one_of(FAILURES)});")
        register = self.into_register("done ? 9 : expected")
        self.say("}")
        return register

    def fence(self):
        self.say(f"fence({self.author.one_of(FENCES)});")

    def asymmetric_fence(self):
        self.say(self.author.one_of(["light_fence();", "light_fence();", "heavy_fence();"]))

    def plain_access(self):
        variable = self.author.one_of(["p", "q"])
        if self.author.below(2) == 0:
            self.into_register(f"read({variable})")
        else:
            self.say(f"write({variable}, {self.author.below(3) + 1});")

    def branch(self, condition, body, both=False):
        """A register that is filled in one branch is zero in the other."""
        self.say(f"if ({condition}) {{")
        self.indent += "  "
        body()
        if both:
            self.text.append(self.indent[2:] + "} else {")
            body()
        self.indent = self.indent[2:]
        self.say("}")

    def any(self, depth=0):
        a = self.author
        if a.below(100) < self.plain:
            return self.plain_access()
        if depth == 0 and self.filled and a.below(4) == 0:
            return self.branch(f"{a.one_of(self.filled)} == {a.below(3)}", lambda: self.any(1), a.below(2) == 0)
        return a.one_of([self.load, self.load, self.load, self.store, self.store, self.store, self.update, self.update,
                         self.compare_exchange, self.fence, self.asymmetric_fence])()


class Author:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def below(self, n):
        return int(self.random.random() * n)  # the same in every version of Python

    def one_of(self, all_of_them):
        return all_of_them[self.below(len(all_of_them))]

    def location(self):
        return self.one_of(["x", "y"])

    def message(self, threads):
        """Data from the first thread to the others, by orders that may be too weak."""
        first, others = threads[0], threads[1:]
        first.say("write(p, 7);")
        if self.below(3) == 0:
            first.fence()
        first.say(self.one_of(["x.store(5, {});", "x.fetch_add(5, {});"]).format(self.one_of(STORES[1:])))
        for other in others:
            if self.below(2) == 0:
                other.any()
            seen = other.into_register(f"x.load({self.one_of(LOADS[1:])})")
            if self.below(3) == 0:
                other.fence()
            other.branch(f"{seen} >= 5", lambda other=other: other.into_register("read(p)"))
            if self.below(3) == 0:
                other.any()

    def program(self, number):
        kind = self.below(20)
        count = 2 if self.below(3) != 0 else 3
        threads = [Thread(self, 12 if kind < 3 else 0) for _ in range(count)]
        if kind in range(3, 9):
            self.message(threads)
        else:
            for thread in threads:
                for _ in range(9 - 2 * count + self.below(4 - count)):
                    thread.any()
        checked = kind >= 14
        return text_of(self, number, threads, checked)


def text_of(author, number, threads, checked):
    told = [(t, r) for t, thread in enumerate(threads) for r in range(thread.registers)]
    lines = [f"struct program{number} {{", f"  using type = {author.one_of(TYPES)};",
             f"  static constexpr unsigned threads = {len(threads)};", "  atomic<type> x{0}, y{0};",
             "  plain p{0}, q{0};", "  long seen[3][16] = {};"]
    for t, thread in enumerate(threads):
        lines.append(f"  void body{t}() {{")
        lines += [f"    type r{r} = 0;" for r in range(thread.registers)] + thread.text
        lines += [f"    seen[{t}][{r}] = r{r};" for r in range(thread.registers)] + ["  }"]
    lines.append("  void thread(unsigned i) {")
    lines += [f"    if (i == {t}) body{t}();" for t in range(len(threads))]
    lines += ["  }", "  void finish() {"]
    if checked and told:  # may fail
        fails = " || ".join(f"seen[{t}][{r}] != {author.below(4)}" for t, r in (author.one_of(told) for _ in range(2)))
        lines.append(f"    check({fails});")
    words = "".join(f" {t}:r{r}=%ld" for t, r in told) + " x=%ld y=%ld"
    values = "".join(f"seen[{t}][{r}], " for t, r in told)
    lines += [f'    licit_outcome("{words[1:]}", {values}static_cast<long>(x.load()), static_cast<long>(y.load()));',
              "  }", "};"]
    return "\n".join(lines) + "\n"


def source_of(seeds):
    lines = [PRELUDE] + [Author(seed).program(seed) for seed in seeds] + ["}", "int main(int argc, char** argv) {", "#ifdef LICIT_BY_POLICY",
                                                                        "  weak_is_strong = argc == 2;", "  argc = 1;", "#endif"]
    lines += [f'  if (argc < 2 || std::strcmp(argv[1], "{seed}") == 0) run<program{seed}>({seed});' for seed in seeds]
    return "\n".join(lines + ["}\n"])


Answer = collections.namedtuple("Answer", "verdict executions blocked outcomes")


def parsed(text):
    """What one door says about one program. Where something is wrong, how many executions came before is chance."""
    first, _, rest = text.partition("\n")
    verdict = first.split(":")[0]
    if verdict != "ok":
        return Answer(verdict, 0, 0, {})
    counts = re.search(r"(\d+) executions, (\d+) blocked", first)
    outcomes = {words: int(count) for count, words in re.findall(r"^ +(\d+)  (.*)$", rest, re.MULTILINE)}
    return Answer(verdict, int(counts[1]), int(counts[2]), outcomes)


def shown(answer, other):
    """What differs of the outcomes."""
    text = answer.verdict
    if text == "ok":
        text += f", {answer.executions} executions, {answer.blocked} blocked"
    return text + "".join(f", {count} times {words}" for words, count in answer.outcomes.items() if other.outcomes.get(words) != count)


def over_policy(options, source, seeds):
    """What it says where weak compare-exchanges are weak, and where the compiler makes them strong, as clang++ does."""
    program = options.folder / "policy"
    subprocess.run([options.cxx[0], "-std=c++20", "-O1", "-w", "-DLICIT_BY_POLICY",
                    *(f"-I{folder}" for folder in options.include), source, *options.policy_library, "-o", program], check=True)
    answers = {}
    for family, arguments in (("g++", []), ("clang++", ["strong"])):
        done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
        said = [parsed(one.partition("\n")[2]) for one in re.split(r"^program ", done.stdout, flags=re.MULTILINE)[1:]]
        answers[family] = dict(zip(seeds, said, strict=True))
    return answers


def as_it_is(program, seed):
    done = subprocess.run([program, str(seed)], capture_output=True, text=True, check=False, timeout=600)
    return parsed(done.stdout or done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy-library", action="append", required=True, help="what a program over the policy is linked with")
    parser.add_argument("--seeds", default="1:36")
    parser.add_argument("--level", action="append", help="of optimisation (default: all)")
    parser.add_argument("--plant", metavar="OLD=>NEW", help="in the programs as they are, to see that it is found")
    door.add_arguments(parser)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    first, last = map(int, options.seeds.split(":"))
    seeds = range(first, last + 1)
    source = options.folder / "random_programs.cpp"
    source.write_text(source_of(seeds))
    other_source = options.folder / "random_programs_as_they_are.cpp"
    text = source.read_text()
    if options.plant:
        head, tail = text[:len(PRELUDE)], text[len(PRELUDE):]
        text = head + tail.replace(*options.plant.split("=>"))
    other_source.write_text(text)
    answers = over_policy(options, source, seeds)
    wrong = 0
    for compiler in options.cxx:
        expected = answers[door.family(compiler)]
        for level in options.level or door.LEVELS:
            program = door.build(options, compiler, level, other_source, "random")
            verdicts = collections.Counter()
            executions = 0
            for seed in seeds:
                there, here = expected[seed], as_it_is(program, seed)
                verdicts[there.verdict] += 1
                executions += there.executions
                if there != here:
                    wrong += 1
                    print(f"{compiler} {level} program {seed}: {shown(here, there)}; over the policy {shown(there, here)}")
            counted = ", ".join(f"{n} {verdict}" for verdict, n in sorted(verdicts.items()))
            print(f"{compiler} {level}: {len(seeds)} programs, over the policy {counted}; {executions} executions")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
