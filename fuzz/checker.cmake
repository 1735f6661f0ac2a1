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

# The reader of litmus files, compiled here so that libFuzzer sees its branches. Seeds: the corpus.
get_target_property(litmus_sources licit_litmus SOURCES)
list(TRANSFORM litmus_sources PREPEND ${PROJECT_SOURCE_DIR}/models/checker/litmus/)
add_library(litmus_reader STATIC ${litmus_sources})
target_include_directories(litmus_reader PUBLIC ${PROJECT_SOURCE_DIR}/models ${PROJECT_SOURCE_DIR}/models/checker)
target_compile_options(litmus_reader PRIVATE -fsanitize=fuzzer-no-link)
target_link_libraries(litmus_reader PUBLIC licit::checker PRIVATE licit::warnings)

# Each test of the corpus is a seed: the fuzzer reads one at a time.
set(litmus_seeds ${CMAKE_CURRENT_BINARY_DIR}/litmus_seeds)
file(MAKE_DIRECTORY ${litmus_seeds})
file(GLOB litmus_corpus CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/models/checker/litmus/corpus/*.litmus)
execute_process(COMMAND awk -v to=${litmus_seeds} "/^C /{close(file); file = to \"/\" $2} {print > file}" ${litmus_corpus}
                COMMAND_ERROR_IS_FATAL ANY)

function(licit_litmus_fuzz name)
  add_executable(${name} litmus_fuzz.cpp)
  target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${name} PRIVATE litmus_reader licit::warnings)
  # What the checker finds wrong it drops where it stands, so leaks are not looked for. The seeds are the second folder: the first one is where libFuzzer writes what it finds.
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name}_corpus)
  add_test(NAME fuzz.${name}
           COMMAND ${name} -max_total_time=10 -seed=1 -max_len=2000 -detect_leaks=0
                   -artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/${name}- ${CMAKE_CURRENT_BINARY_DIR}/${name}_corpus
                   ${litmus_seeds})
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT 300)
endfunction()

licit_litmus_fuzz(litmus_fuzz)
# The proof that it can fail.
licit_litmus_fuzz(planted_litmus_fuzz)
target_compile_definitions(planted_litmus_fuzz PRIVATE LICIT_FUZZ_PLANTED)
set_tests_properties(fuzz.planted_litmus_fuzz PROPERTIES PASS_REGULAR_EXPRESSION
                     "litmus reader: an error at line 0, column 1")
