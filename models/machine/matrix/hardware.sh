#!/bin/sh
# The kill matrix' column of an arm64 processor: runs every stress executable there and writes <out>/<structure>.json,
# which names the processor. `make hardware` builds them and calls this.
#   models/machine/matrix/hardware.sh build/hardware build/release/arm64
set -eu
if [ $# -ne 2 ] || ! ls "$1"/licit_stress_* >/dev/null 2>&1; then
  echo "usage: $0 <folder of licit_stress_* executables> <folder for the results>" >&2
  exit 2
fi
mkdir -p "$2"
model=$(LC_ALL=C lscpu 2>/dev/null | sed -n 's/^ *Model name: *//p' | head -n 1)
machine="${model:-$(uname -m)}, $(getconf _NPROCESSORS_ONLN) processors"
for executable in "$1"/licit_stress_*; do
  status=0
  "$executable" --executions 50000 --seconds 1 --seeds 3 --machine "$machine" \
    --json "$2/${executable##*/licit_stress_}.json" || status=$?
  if [ "$status" -gt 1 ]; then  # 1: something was caught
    echo "$executable: status $status" >&2
    exit "$status"
  fi
done
