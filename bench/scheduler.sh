#!/bin/sh
# Builds and runs licit_scheduler_bench with each compiler, and writes bench/scheduler.md and bench/scheduler.png.
#
#   bench/scheduler.sh [compiler...]      default: g++ clang++-19, those that are installed
#   REPETITIONS=21 MIN_TIME=0.02 FILTER=. OUT=bench WORK=build/bench    what may be set
set -eu
cd "$(dirname "$0")/.."
command="bench/scheduler.sh${*:+ $*}"
# What was not left as it is stands in the report with the command.
for setting in REPETITIONS=21 MIN_TIME=0.02 FILTER=.; do
  name=${setting%%=*}
  eval ": \"\${$name:=${setting#*=}}\"; value=\$$name"
  [ "$name=$value" = "$setting" ] || command="$name=$value $command"
done
: "${OUT:=bench}" "${WORK:=build/bench}"
[ $# -gt 0 ] || set -- g++ clang++-19

machine=$(lscpu 2>/dev/null | sed -n 's/^Model name: *//p' | tr ',=' '  ' | head -n 1)
mkdir -p "$WORK"
runs=
for compiler; do
  if ! command -v "$compiler" >/dev/null; then
    echo "scheduler.sh: $compiler is not installed, left out" >&2
    continue
  fi
  build=$WORK/$compiler
  cmake -S . -B "$build" -DCMAKE_CXX_COMPILER="$compiler" -DLICIT_BENCH=ON -DCMAKE_BUILD_TYPE=Release \
    -DLICIT_TESTS=OFF -DLICIT_MODELS=OFF
  cmake --build "$build" --parallel --target licit_scheduler_bench
  label="$compiler $("$compiler" -dumpfullversion -dumpversion)"
  "$build/bench/licit_scheduler_bench" --benchmark_filter="$FILTER" --benchmark_min_time="$MIN_TIME" \
    --benchmark_repetitions="$REPETITIONS" --benchmark_enable_random_interleaving=true \
    --benchmark_context=compiler="$label",machine="${machine:-unknown processor}" \
    --benchmark_out="$build/scheduler.json" --benchmark_out_format=json >"$build/scheduler.log"
  runs="$runs $build/scheduler.json"
done
[ -n "$runs" ] || { echo "scheduler.sh: no compiler, nothing was measured" >&2; exit 1; }

# The first python3 may be one without matplotlib.
for python in python3 /usr/bin/python3; do
  "$python" -c "import matplotlib" 2>/dev/null && break
done

# The names of our own build directories: no spaces.
# shellcheck disable=SC2086
"$python" bench/scheduler_report.py $runs --markdown "$OUT/scheduler.md" --plot "$OUT/scheduler.png" --command "$command"
echo "scheduler.sh: wrote $OUT/scheduler.md and $OUT/scheduler.png"
