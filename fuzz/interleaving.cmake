# The choices of the checker, by libFuzzer: who goes on, and what each access reads, in clients of the deque.
function(licit_interleaving_fuzz name)
  add_executable(${name} interleaving_fuzz.cpp)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/models)
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${name} PRIVATE licit::checker licit::warnings)
  # What is found wrong is dropped where it stands, and a good execution leaks nothing that the checker would not report.
  add_test(NAME fuzz.${name} COMMAND ${name} -runs=20000 -max_total_time=15 -seed=1 -max_len=128 -len_control=0
                                     -detect_leaks=0 -artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/${name}-)
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT 300)
endfunction()

licit_interleaving_fuzz(interleaving_fuzz)
# The proof that the target can fail, by its message.
licit_interleaving_fuzz(interleaving_planted_fuzz)
target_compile_definitions(interleaving_planted_fuzz PRIVATE LICIT_FUZZ_PLANTED="steal.fence")
set_tests_properties(fuzz.interleaving_planted_fuzz PROPERTIES
                     PASS_REGULAR_EXPRESSION "data race: thread [01] reads payload")
