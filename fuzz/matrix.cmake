# The kill matrix' column of fuzzing: every row's programs, the row chosen by an argument. Not among the tests of `fuzz`,
# and built when it is asked for: the structures' programs take minutes to compile. The catalogue without Relacy.
find_package(fmt REQUIRED)
set(matrix_models ${PROJECT_SOURCE_DIR}/models)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${matrix_models}/suites/CMakeLists.txt)
file(READ ${matrix_models}/suites/CMakeLists.txt text)
string(REGEX MATCH "set\\(licit_structures([^)]*)\\)" matched "${text}")
string(REGEX MATCHALL "[a-z_=]+" structures "${CMAKE_MATCH_1}")
set(declarations "")
set(entries "")
foreach(entry IN LISTS structures)
  string(REGEX REPLACE "=.*" "" structure ${entry})
  string(REGEX REPLACE ".*=" "" header ${entry})
  if(EXISTS ${matrix_models}/suites/${header}.hpp)
    configure_file(${matrix_models}/suites/entry.cpp.in matrix/${structure}.cpp @ONLY)
    list(APPEND matrix_entries ${CMAKE_CURRENT_BINARY_DIR}/matrix/${structure}.cpp)
    string(APPEND declarations "structure entry_of_${structure}();\n")
    string(APPEND entries "    made.push_back(entry_of_${structure}());\n")
  endif()
endforeach()
configure_file(${matrix_models}/suites/catalogue.cpp.in matrix/catalogue.cpp @ONLY)

add_executable(matrix_fuzz EXCLUDE_FROM_ALL
  matrix_fuzz.cpp ${matrix_entries} ${CMAKE_CURRENT_BINARY_DIR}/matrix/catalogue.cpp
  ${matrix_models}/machine/matrix/rows.cpp)
target_include_directories(matrix_fuzz PRIVATE ${matrix_models})
target_compile_options(matrix_fuzz PRIVATE -fsanitize=fuzzer)
target_link_options(matrix_fuzz PRIVATE -fsanitize=fuzzer)
target_link_libraries(matrix_fuzz PRIVATE licit::checker licit::audit licit::warnings fmt::fmt)
