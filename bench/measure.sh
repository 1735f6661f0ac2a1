# shellcheck shell=sh disable=SC2154
# What scheduler.sh and fork_join.sh do: builds licit_NAME_bench with each compiler, runs it, and writes bench/NAME.md and
# bench/NAME.png. To be sourced in the root, with name, repetitions and min_time set.
command="bench/$name.sh${*:+ $*}"
# What was not left as it is stands in the report with the command.
for setting in "REPETITIONS=$repetitions" "MIN_TIME=$min_time" FILTER=.; do
  key=${setting%%=*}
  eval ": \"\${$key:=${setting#*=}}\"; value=\$$key"
  [ "$key=$value" = "$setting" ] || command="$key=$value $command"
done
: "${OUT:=bench}" "${WORK:=build/bench}"
[ $# -gt 0 ] || set -- g++ clang++-19

machine=$(lscpu 2>/dev/null | sed -n 's/^Model name: *//p' | tr ',=' '  ' | head -n 1)
mkdir -p "$WORK"
runs=
for compiler; do
  if ! command -v "$compiler" >/dev/null; then
    echo "$name.sh: $compiler is not installed, left out" >&2
    continue
  fi
  build=$WORK/$compiler
  cmake -S . -B "$build" -DCMAKE_CXX_COMPILER="$compiler" -DLICIT_BENCH=ON -DCMAKE_BUILD_TYPE=Release \
    -DLICIT_TESTS=OFF -DLICIT_MODELS=OFF
  cmake --build "$build" --parallel --target "licit_${name}_bench"
  label="$compiler $("$compiler" -dumpfullversion -dumpversion)"
  "$build/bench/licit_${name}_bench" --benchmark_filter="$FILTER" --benchmark_min_time="$MIN_TIME" \
    --benchmark_repetitions="$REPETITIONS" --benchmark_enable_random_interleaving=true \
    --benchmark_context=compiler="$label",machine="${machine:-unknown processor}" \
    --benchmark_out="$build/$name.json" --benchmark_out_format=json >"$build/$name.log"
  runs="$runs $build/$name.json"
done
[ -n "$runs" ] || { echo "$name.sh: no compiler, nothing was measured" >&2; exit 1; }

# The first python3 may be one without matplotlib.
for python in python3 /usr/bin/python3; do
  "$python" -c "import matplotlib" 2>/dev/null && break
done

# The names of our own build directories: no spaces.
# shellcheck disable=SC2086
"$python" bench/${name}_report.py $runs --markdown "$OUT/$name.md" --plot "$OUT/$name.png" --command "$command"
echo "$name.sh: wrote $OUT/$name.md and $OUT/$name.png"
