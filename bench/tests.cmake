# What keeps the benchmarks from rotting: they run, the report digests their output, and the counts hold.
find_package(Python3 COMPONENTS Interpreter REQUIRED)
set(smoke ${CMAKE_CURRENT_BINARY_DIR}/smoke.json)
set(report ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/report.py)
set(instructions ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/instructions.py)

add_test(NAME bench.runs COMMAND licit_bench --benchmark_min_time=0.001 --benchmark_repetitions=2
                                             --benchmark_enable_random_interleaving=true
                                             --benchmark_out=${smoke} --benchmark_out_format=json)
# Alone: a thread that waits for another's turn takes a processor from it.
set_tests_properties(bench.runs PROPERTIES FIXTURES_SETUP licit_bench_json RUN_SERIAL ON TIMEOUT 300)

execute_process(COMMAND ${Python3_EXECUTABLE} -c "import matplotlib" RESULT_VARIABLE no_matplotlib ERROR_QUIET)
if(no_matplotlib)
  message(STATUS "bench: without plots (Debian: python3-matplotlib)")
else()
  set(plot --plot ${CMAKE_CURRENT_BINARY_DIR}/smoke.png)
endif()
# Twice the same file: several runs side by side are what the report is for.
add_test(NAME bench.report COMMAND ${report} ${smoke} ${smoke} ${plot})
set_tests_properties(bench.report PROPERTIES FIXTURES_REQUIRED licit_bench_json
                     PASS_REGULAR_EXPRESSION "licit-owner \\| [0-9.]+ \\([0-9.]+ to [0-9.]+\\)")

add_test(NAME bench.report_rejects COMMAND ${report} ${CMAKE_CURRENT_SOURCE_DIR}/report.py)
set_tests_properties(bench.report_rejects PROPERTIES PASS_REGULAR_EXPRESSION "not the JSON of a Google Benchmark run")

# Exact counts, which noise cannot touch; of x86-64's instructions. Sanitizers add some of their own.
find_program(LICIT_VALGRIND valgrind)
if(LICIT_VALGRIND AND NOT LICIT_SANITIZE AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  add_test(NAME bench.instructions COMMAND ${instructions} --check $<TARGET_FILE:licit_operations>)
endif()

# The same of the scheduler's workloads: a round of each. Whoever lost a task, or woke up for nothing, fails.
set(scheduler_smoke ${CMAKE_CURRENT_BINARY_DIR}/scheduler_smoke.json)
set(scheduler_report ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/scheduler_report.py)
add_test(NAME bench.scheduler_runs COMMAND licit_scheduler_bench --benchmark_min_time=0 --benchmark_repetitions=1
                                           --benchmark_out=${scheduler_smoke} --benchmark_out_format=json)
set_tests_properties(bench.scheduler_runs PROPERTIES FIXTURES_SETUP licit_scheduler_bench_json RUN_SERIAL ON TIMEOUT 300
                     FAIL_REGULAR_EXPRESSION "ERROR OCCURRED")
# Such a one is seen to fail.
add_executable(licit_scheduler_planted scheduler_planted.cpp)
target_link_libraries(licit_scheduler_planted PRIVATE licit_bench_common benchmark::benchmark)
add_test(NAME bench.scheduler_refuses.one_less COMMAND licit_scheduler_planted --benchmark_filter=one_less)
add_test(NAME bench.scheduler_refuses.restless COMMAND licit_scheduler_planted --benchmark_filter=restless)
set_tests_properties(bench.scheduler_refuses.one_less PROPERTIES
                     PASS_REGULAR_EXPRESSION "ERROR OCCURRED: 'tasks were lost or run twice'")
set_tests_properties(bench.scheduler_refuses.restless PROPERTIES
                     PASS_REGULAR_EXPRESSION "ERROR OCCURRED: 'idle workers woke up'")

if(NOT no_matplotlib)
  set(scheduler_plot --plot ${CMAKE_CURRENT_BINARY_DIR}/scheduler_smoke.png)
endif()
add_test(NAME bench.scheduler_report COMMAND ${scheduler_report} ${scheduler_smoke} ${scheduler_smoke} ${scheduler_plot})
set_tests_properties(bench.scheduler_report PROPERTIES FIXTURES_REQUIRED licit_scheduler_bench_json
                     PASS_REGULAR_EXPRESSION "lifo \\| [0-9.e+-]+ \\([0-9.e+-]+ to [0-9.e+-]+")
