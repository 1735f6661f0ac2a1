#!/usr/bin/env python3
"""How fast the exhaustive checker explores the same clients as an earlier commit's, side by side in one run.

usage: bench/checker_speed.py [--rounds N]

Builds the checker of both in build/speed, from clones of the repository. Their runs take turns, one process at a time. A figure is
processor time (user), the median of the rounds with the least and the most. The numbers of executions must be equal.
"""
import argparse
import pathlib
import resource
import statistics
import subprocess
import sys

BEFORE = "3c9c6ec7"  # of 2026-11-21
CLIENTS = ["growth_two_thieves", "lap_two_thieves", "crowd"]
OF_BEFORE = """
#include <cstdio>
#include <cstring>
#include <licit/checker/run.hpp>
#include "programs/chase_lev/crowd.hpp"
#include "programs/chase_lev/growth_two_thieves.hpp"
#include "programs/chase_lev/lap_two_thieves.hpp"
using namespace licit;
template <template <class> class Client>
void one(const char* wanted) {
  if (Client<checker::model>::about.name != wanted) return;
  std::printf("%llu", static_cast<unsigned long long>(checker::run<Client>({}).executions));
}
int main(int, char** names) {
  one<models::crowd>(names[1]);
  one<models::growth_two_thieves>(names[1]);
  one<models::lap_two_thieves>(names[1]);
}
"""
OF_NOW = """
#include <cstdio>
#include <licit/checker/run.hpp>
#include "suites/chase_lev.hpp"
using namespace licit;
int main(int, char** names) {
  using checker::model;
  for (const auto& each : suites::chase_lev_lines) {
    if (each.name != names[1]) continue;
    const auto l = suites::parse(each.text, suites::vocabulary_of<suites::chase_lev_client<model>>());
    using program = suites::line_program<suites::chase_lev_client, model>;
    std::printf("%llu", static_cast<unsigned long long>(checker::run_program_with<program>(l, l.threads, {}).executions));
  }
}
"""


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def built(folder, commit, source):
    """The program of this source over the checker at the commit."""
    if not folder.exists():
        run("git", "clone", "--quiet", ".", folder)
    run("git", "-C", folder, "fetch", "--quiet")
    run("git", "-C", folder, "checkout", "--quiet", commit)
    build = folder / "build/release"
    run("cmake", "-S", folder, "-B", build, "-G", "Ninja", "--log-level=ERROR", "-DCMAKE_BUILD_TYPE=Release",
        "-DLICIT_TESTS=OFF", "-DLICIT_BENCH=OFF", stdout=subprocess.DEVNULL)
    run("cmake", "--build", build, "--target", "licit_checker", "liblicit.a", stdout=subprocess.DEVNULL)
    program = folder / "speed"
    pathlib.Path(f"{program}.cpp").write_text(source, encoding="utf-8")
    places = ["models", "models/checker", "models/checker/include", "deque/include", "scheduler/include",
              "build/release/include"]
    run("g++", "-std=c++20", "-O3", "-DNDEBUG", *(f"-I{folder / place}" for place in places), f"{program}.cpp", "-o", program,
        build / "models/checker/liblicit_checker.a", build / "liblicit.a", "-lboost_context", "-pthread")
    return program


def timed(program, client):
    """(executions, seconds of processor time)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    said = run(program, client, capture_output=True, text=True).stdout
    return int(said), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def figure(times):
    return f"{statistics.median(times):.2f} ({min(times):.2f} to {max(times):.2f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=11)
    rounds = parser.parse_args().rounds
    place = pathlib.Path("build/speed")
    now = run("git", "rev-parse", "HEAD", capture_output=True, text=True).stdout.strip()
    before, after = built(place / "before", BEFORE, OF_BEFORE), built(place / "now", now, OF_NOW)
    print(f"| client | executions | {BEFORE}, s | now, s | times as fast |\n|---|---|---|---|---|")
    for client in CLIENTS:
        pairs = [(timed(before, client), timed(after, client)) for _ in range(rounds)]
        if len({count for pair in pairs for count, _ in pair}) != 1:
            sys.exit(f"{client}: the numbers of executions differ")
        old, new = ([pair[side][1] for pair in pairs] for side in (0, 1))
        ratio = [a / b for a, b in zip(old, new)]
        print(f"| `{client}` | {pairs[0][0][0]:,} | {figure(old)} | {figure(new)} | {figure(ratio)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
