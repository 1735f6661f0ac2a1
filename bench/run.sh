#!/bin/sh
# Builds and runs licit_bench with each compiler, and writes bench/results.md and bench/results.png.
#
#   bench/run.sh [compiler...]      default: g++ clang++-19, those that are installed
#   REPETITIONS=31 MIN_TIME=0.005 FILTER=. OUT=bench WORK=build/bench    what may be set
set -eu
cd "$(dirname "$0")/.."
command="bench/run.sh${*:+ $*}"
# What was not left as it is stands in the report with the command.
for setting in REPETITIONS=31 MIN_TIME=0.005 FILTER=.; do
  name=${setting%%=*}
  eval ": \"\${$name:=${setting#*=}}\"; value=\$$name"
  [ "$name=$value" = "$setting" ] || command="$name=$value $command"
done
: "${OUT:=bench}" "${WORK:=build/bench}"
[ $# -gt 0 ] || set -- g++ clang++-19

machine=$(lscpu 2>/dev/null | sed -n 's/^Model name: *//p' | tr ',=' '  ' | head -n 1)
list=$WORK/files
mkdir -p "$WORK"
: >"$list"
counted=
for compiler; do
  if ! command -v "$compiler" >/dev/null; then
    echo "run.sh: $compiler is not installed, left out" >&2
    continue
  fi
  build=$WORK/$compiler
  cmake -S . -B "$build" -DCMAKE_CXX_COMPILER="$compiler" -DLICIT_BENCH=ON -DCMAKE_BUILD_TYPE=Release \
    -DLICIT_TESTS=OFF -DLICIT_MODELS=OFF
  cmake --build "$build" --parallel
  label="$compiler $("$compiler" -dumpfullversion -dumpversion)"
  "$build/bench/licit_bench" --benchmark_filter="$FILTER" --benchmark_min_time="$MIN_TIME" \
    --benchmark_repetitions="$REPETITIONS" --benchmark_enable_random_interleaving=true \
    --benchmark_context=compiler="$label",machine="${machine:-unknown processor}" \
    --benchmark_out="$build/bench.json" --benchmark_out_format=json >"$build/bench.log"
  echo "$build/bench.json" >>"$list"
  counted="$counted $compiler=$build/bench/licit_operations"
done
[ -s "$list" ] || { echo "run.sh: no compiler, nothing was measured" >&2; exit 1; }

# The first python3 may be one without matplotlib.
for python in python3 /usr/bin/python3; do
  "$python" -c "import matplotlib" 2>/dev/null && break
done

# The names of our own build directories: no spaces.
# shellcheck disable=SC2046
"$python" bench/report.py $(cat "$list") --markdown "$OUT/results.md" --plot "$OUT/results.png" --command "$command"
if command -v valgrind >/dev/null; then
  # shellcheck disable=SC2086
  { echo; "$python" bench/instructions.py $counted; } >>"$OUT/results.md"
else
  echo "run.sh: without instruction counts (Debian: valgrind)" >&2
fi
echo "run.sh: wrote $OUT/results.md and $OUT/results.png"
