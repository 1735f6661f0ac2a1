#!/bin/sh
# Builds and runs licit_bench with each compiler, and writes bench/results.md and bench/results.png.
#
#   bench/run.sh [compiler...]      default: g++ clang++-19, those that are installed
#   REPETITIONS=31 MIN_TIME=0.005 FILTER=. OUT=bench WORK=build/bench    what may be set
#   UNDER='chrt -r 10'    a command that runs the benchmark, here one that gives it the processors of a busy machine
set -eu
cd "$(dirname "$0")/.."
name=run page=results program=licit_bench report=report.py targets=licit_operations
repetitions=31 min_time=0.005
. bench/measure.sh

counted=
for each in $builds; do
  counted="$counted $each/bench/licit_operations"
done
if command -v valgrind >/dev/null; then
  # shellcheck disable=SC2086
  { echo; "$python" bench/instructions.py $counted; } >>"$OUT/results.md"
else
  echo "run.sh: without instruction counts (Debian: valgrind)" >&2
fi
