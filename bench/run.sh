#!/bin/sh
# Builds and runs a benchmark with each compiler, and writes bench/PAGE.md and bench/PAGE.png.
#
#   bench/run.sh deques|scheduler|fork_join [compiler...]      default: g++ clang++-19, those that are installed
#   REPETITIONS=31 MIN_TIME=0.005 FILTER=. OUT=bench WORK=build/bench    what may be set; the numbers are those of the deques
#   UNDER='chrt -r 10'    a command that runs the benchmark, here one that gives it the processors of a busy machine
# shellcheck disable=SC2153,SC2154  # `eval` sets them
set -eu
cd "$(dirname "$0")/.."
which=${1-}
targets=  # built beside the program
case $which in
  deques) page=results program=licit_bench report=report.py targets=licit_operations repetitions=31 min_time=0.005 ;;
  scheduler) page=scheduler program=licit_scheduler_bench report=scheduler_report.py repetitions=21 min_time=0.02 ;;
  fork_join) page=fork_join program=licit_fork_join_bench report=fork_join_report.py repetitions=9 min_time=0.05 ;;
  *) echo "usage: bench/run.sh deques|scheduler|fork_join [compiler...]" >&2; exit 2 ;;
esac
shift
command="bench/run.sh $which${*:+ $*}"
# What was not left as it is stands in the report with the command.
for setting in "REPETITIONS=$repetitions" "MIN_TIME=$min_time" FILTER=.; do
  key=${setting%%=*}
  eval ": \"\${$key:=${setting#*=}}\"; value=\$$key"
  [ "$key=$value" = "$setting" ] || command="$key=$value $command"
done
: "${OUT:=bench}" "${WORK:=build/bench}" "${UNDER:=}"
[ -z "$UNDER" ] || command="UNDER='$UNDER' $command"
[ $# -gt 0 ] || set -- g++ clang++-19

# A virtual machine's processor often has no more of a name than its maker's.
machine=$(LC_ALL=C lscpu 2>/dev/null | awk -F': *' '
  /^Model name:/ { name = $2 } /^CPU family:/ { family = $2 } /^Model:/ { model = $2 }
  END { gsub(/[,=]/, " ", name); if (name) print name " (family " family " model " model ")" }')
mkdir -p "$WORK"
runs=
builds=
for compiler; do
  if ! command -v "$compiler" >/dev/null; then
    echo "run.sh: $compiler is not installed, left out" >&2
    continue
  fi
  build=$WORK/$compiler
  cmake -S . -B "$build" -DCMAKE_CXX_COMPILER="$compiler" -DLICIT_BENCH=ON -DCMAKE_BUILD_TYPE=Release \
    -DLICIT_TESTS=OFF -DLICIT_MODELS=OFF
  # shellcheck disable=SC2086
  cmake --build "$build" --parallel --target "$program" $targets
  label="$compiler $("$compiler" -dumpfullversion -dumpversion)"
  # shellcheck disable=SC2086
  $UNDER "$build/bench/$program" --benchmark_filter="$FILTER" --benchmark_min_time="$MIN_TIME" \
    --benchmark_repetitions="$REPETITIONS" --benchmark_enable_random_interleaving=true \
    --benchmark_context=compiler="$label",machine="${machine:-unknown processor}"${UNDER:+,under="$UNDER"} \
    --benchmark_out="$build/$page.json" --benchmark_out_format=json >"$build/$page.log"
  runs="$runs $build/$page.json"
  builds="$builds $compiler=$build"
done
[ -n "$runs" ] || { echo "run.sh: no compiler, nothing was measured" >&2; exit 1; }

# The first python3 may be one without matplotlib.
for python in python3 /usr/bin/python3; do
  "$python" -c "import matplotlib" 2>/dev/null && break
done

# The names of our own build directories: no spaces.
# shellcheck disable=SC2086
"$python" "bench/$report" $runs --markdown "$OUT/$page.md" --plot "$OUT/$page.png" --command "$command"
echo "run.sh: wrote $OUT/$page.md and $OUT/$page.png"

[ "$which" = deques ] || exit 0
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
