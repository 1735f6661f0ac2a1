# The reader of litmus files, compiled here so that libFuzzer sees its branches. Seeds: the corpus.
get_target_property(litmus_fuzz_sources licit_litmus SOURCES)
list(TRANSFORM litmus_fuzz_sources PREPEND ${PROJECT_SOURCE_DIR}/models/litmus/)
add_executable(litmus_fuzz litmus_fuzz.cpp ${litmus_fuzz_sources})
target_include_directories(litmus_fuzz PRIVATE ${PROJECT_SOURCE_DIR}/models)
target_compile_options(litmus_fuzz PRIVATE -fsanitize=fuzzer)
target_link_options(litmus_fuzz PRIVATE -fsanitize=fuzzer)
target_link_libraries(litmus_fuzz PRIVATE licit::checker licit::warnings)
# The seeds are the second folder: the first one is where libFuzzer writes what it finds.
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/litmus_corpus)
add_test(NAME fuzz.litmus_fuzz
         COMMAND litmus_fuzz -runs=20000 -max_total_time=10 -seed=1 -max_len=2000
                 -artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/litmus_fuzz- ${CMAKE_CURRENT_BINARY_DIR}/litmus_corpus
                 ${PROJECT_SOURCE_DIR}/models/litmus/corpus)
set_tests_properties(fuzz.litmus_fuzz PROPERTIES LABELS fuzz TIMEOUT 300)
