#!/bin/sh
# Every control of the kill matrix under the weak-memory plugin, so many executions each, shared among its programs:
#   models/stress/controls.sh [executions (100000) [build folder (build/release) [structures...]]]
# A line for each; ends with status 1 at the first that raised an alarm, or could not be run.
executions=${1:-100000}
build=${2:-build/release}
json=$(mktemp)
trap 'rm -f "$json"' EXIT
[ $# -gt 2 ] && shift 2 || shift $#
structure=
"$build/licit" matrix --list | while IFS= read -r line; do
  case $line in
    '  '*' control '*) ;;
    [a-z]*) structure=$line && continue ;;
    *) continue ;;
  esac
  [ $# -eq 0 ] || case " $* " in *" $structure "*) ;; *) continue ;; esac
  row=$(printf '%s\n' "$line" | sed 's/^  \(.*[^ ]\)  *control  .*/\1/')
  guest=$build/stress/aarch64/licit_stress_$structure
  programs=$("$guest" --list 2>/dev/null || qemu-aarch64 "$guest" --list)
  programs=$(printf '%s\n' "$programs" | grep -c "^$row	")
  qemu-aarch64 -cpu max,sve=off -plugin "$build/models/qemu/licit_qemu.so,survey=20,history=off,shrink=off" "$guest" \
    --row "$row" --executions $(((executions + programs - 1) / programs)) --seconds 3600 --json "$json" \
    < /dev/null
  ended=$?
  total=$(grep -o '"executions": [0-9]*' "$json" | awk '{ n += $2 } END { print n }')
  echo "$structure/$row: $([ $ended -eq 0 ] && echo no alarm || echo "STATUS $ended") in $total executions of $programs programs"
  [ $ended -eq 0 ] || exit 1
done
