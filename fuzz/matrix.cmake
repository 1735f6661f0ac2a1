# The kill matrix' column of fuzzing: every row's programs, the row chosen by an argument. Not among the tests of `fuzz`,
# and built when it is asked for: the structures' programs take minutes to compile.
find_package(fmt REQUIRED)
set(matrix_models ${PROJECT_SOURCE_DIR}/models)
file(GLOB matrix_structures CONFIGURE_DEPENDS ${matrix_models}/structures/*.cpp)
add_executable(matrix_fuzz EXCLUDE_FROM_ALL
  matrix_fuzz.cpp ${matrix_models}/catalogue.cpp ${matrix_models}/exhaustive.cpp ${matrix_structures}
  ${matrix_models}/matrix/formulations.cpp ${matrix_models}/matrix/rows.cpp ${matrix_models}/matrix/weaker.cpp)
target_include_directories(matrix_fuzz PRIVATE ${matrix_models})
target_compile_options(matrix_fuzz PRIVATE -fsanitize=fuzzer -include ${CMAKE_CURRENT_SOURCE_DIR}/no_relacy.hpp)
target_link_options(matrix_fuzz PRIVATE -fsanitize=fuzzer)
target_link_libraries(matrix_fuzz PRIVATE licit::checker licit::audit licit::warnings fmt::fmt)
