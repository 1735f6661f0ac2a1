#!/bin/sh
# Builds and runs licit_fork_join_bench with each compiler, and writes bench/fork_join.md and bench/fork_join.png.
#
#   bench/fork_join.sh [compiler...]      default: g++ clang++-19, those that are installed
#   REPETITIONS=9 MIN_TIME=0.05 FILTER=. OUT=bench WORK=build/bench    what may be set
#   UNDER='chrt -r 10'    a command that runs the benchmark, here one that gives it the processors of a busy machine
set -eu
cd "$(dirname "$0")/.."
name=fork_join page=fork_join program=licit_fork_join_bench report=fork_join_report.py
repetitions=9 min_time=0.05
. bench/measure.sh
