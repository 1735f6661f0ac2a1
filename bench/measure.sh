# shellcheck shell=sh disable=SC2154
# What run.sh, scheduler.sh and fork_join.sh do: builds a benchmark with each compiler, runs it, and writes bench/PAGE.md
# and bench/PAGE.png. To be sourced in the root, with name (of the script), page, program, report, repetitions and min_time
# set; `targets` are built beside the program. Leaves in `builds` a compiler=folder each.
command="bench/$name.sh${*:+ $*}"
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
    echo "$name.sh: $compiler is not installed, left out" >&2
    continue
  fi
  build=$WORK/$compiler
  cmake -S . -B "$build" -DCMAKE_CXX_COMPILER="$compiler" -DLICIT_BENCH=ON -DCMAKE_BUILD_TYPE=Release \
    -DLICIT_TESTS=OFF -DLICIT_MODELS=OFF
  # shellcheck disable=SC2086
  cmake --build "$build" --parallel --target "$program" ${targets:-}
  label="$compiler $("$compiler" -dumpfullversion -dumpversion)"
  # shellcheck disable=SC2086
  $UNDER "$build/bench/$program" --benchmark_filter="$FILTER" --benchmark_min_time="$MIN_TIME" \
    --benchmark_repetitions="$REPETITIONS" --benchmark_enable_random_interleaving=true \
    --benchmark_context=compiler="$label",machine="${machine:-unknown processor}"${UNDER:+,under="$UNDER"} \
    --benchmark_out="$build/$page.json" --benchmark_out_format=json >"$build/$page.log"
  runs="$runs $build/$page.json"
  builds="$builds $compiler=$build"
done
[ -n "$runs" ] || { echo "$name.sh: no compiler, nothing was measured" >&2; exit 1; }

# The first python3 may be one without matplotlib.
for python in python3 /usr/bin/python3; do
  "$python" -c "import matplotlib" 2>/dev/null && break
done

# The names of our own build directories: no spaces.
# shellcheck disable=SC2086
"$python" "bench/$report" $runs --markdown "$OUT/$page.md" --plot "$OUT/$page.png" --command "$command"
echo "$name.sh: wrote $OUT/$page.md and $OUT/$page.png"
