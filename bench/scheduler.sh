#!/bin/sh
# Builds and runs licit_scheduler_bench with each compiler, and writes bench/scheduler.md and bench/scheduler.png.
#
#   bench/scheduler.sh [compiler...]      default: g++ clang++-19, those that are installed
#   REPETITIONS=21 MIN_TIME=0.02 FILTER=. OUT=bench WORK=build/bench    what may be set
#   UNDER='chrt -r 10'    a command that runs the benchmark, here one that gives it the processors of a busy machine
set -eu
cd "$(dirname "$0")/.."
name=scheduler page=scheduler program=licit_scheduler_bench report=scheduler_report.py
repetitions=21 min_time=0.02
. bench/measure.sh
