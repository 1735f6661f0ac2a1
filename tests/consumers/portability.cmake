# The compilers, C++ libraries, standards and options with which licit promises to compile. By syntax alone in the short
# tests; at night the library's tests are built and run with each. A compiler that is missing fails its test.

# The public headers: name, compiler, options. What is not in the build is taken from it.
function(portable_test name compiler)
  list(TRANSFORM licit_headers PREPEND -I OUTPUT_VARIABLE includes)
  add_test(NAME consumers.portable.${name} COMMAND ${compiler} ${ARGN} -Wall -Wextra -Wpedantic -Werror ${includes}
           ${CMAKE_CURRENT_SOURCE_DIR}/portable.cpp)
endfunction()
set(without_exceptions -std=c++20 -fno-exceptions -DLICIT_DEQUES_ALONE -fsyntax-only)
set(libc++ -stdlib=libc++ -fexperimental-library)  # std::stop_token: libc++ 19 holds it back without
foreach(compiler IN ITEMS clang++-14 clang++-19 g++)
  portable_test(${compiler}.c++23 ${compiler} -std=c++2b -fsyntax-only)
  portable_test(${compiler}.no-rtti ${compiler} -std=c++20 -fno-rtti -fsyntax-only)
  portable_test(${compiler}.no-exceptions ${compiler} ${without_exceptions})
endforeach()
portable_test(libc++.c++20 clang++-19 -std=c++20 ${libc++} -fsyntax-only)
portable_test(libc++.c++23 clang++-19 -std=c++2b ${libc++} -fno-rtti -fsyntax-only)
portable_test(libc++.no-exceptions clang++-19 -stdlib=libc++ ${without_exceptions})

# Two compilations say which option is missing.
portable_test(seeded.no-exceptions ${CMAKE_CXX_COMPILER} -std=c++20 -fno-exceptions -fsyntax-only)
set_tests_properties(consumers.portable.seeded.no-exceptions PROPERTIES
                     PASS_REGULAR_EXPRESSION "error: .*compile it with exceptions")
portable_test(seeded.libc++ clang++-19 -std=c++20 -stdlib=libc++ -fsyntax-only)
set_tests_properties(consumers.portable.seeded.libc++ PROPERTIES
                     PASS_REGULAR_EXPRESSION "error: .*needs std::stop_token")

# g++ warns of fences under ThreadSanitizer where it generates code, unless the header prevents that.
portable_test(tsan g++ -std=c++20 -O1 -fsanitize=thread -c -o ${CMAKE_CURRENT_BINARY_DIR}/portable.tsan.o)

# Programs without exceptions, with the archive: what would throw says so and terminates.
add_executable(portable_deques portable.cpp)
target_compile_definitions(portable_deques PRIVATE LICIT_DEQUES_ALONE)
target_compile_options(portable_deques PRIVATE -fno-exceptions -fno-rtti)
target_link_libraries(portable_deques PRIVATE licit::licit licit::warnings)
add_test(NAME consumers.portable.deques COMMAND portable_deques)
add_test(NAME consumers.portable.full COMMAND sh -c "$<TARGET_FILE:portable_deques> full || true")
set_tests_properties(consumers.portable.full PROPERTIES
                     PASS_REGULAR_EXPRESSION "licit: push on a full deque: it holds 2 items, which is its maximum_capacity")

# At night. GoogleTest is built with the same options, from its source.
function(portable_build name c cxx flags)
  add_test(NAME consumers.build.${name} COMMAND ${CMAKE_CTEST_COMMAND}
           --build-and-test ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/portability/${name}
           --build-generator ${CMAKE_GENERATOR} --build-makeprogram ${CMAKE_MAKE_PROGRAM}
           --build-options -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=${c} -DCMAKE_CXX_COMPILER=${cxx}
                           "-DCMAKE_CXX_FLAGS=${flags}" -DLICIT_MODELS=OFF -DLICIT_BENCH=OFF
                           -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON ${ARGN}
           --test-command ${CMAKE_CTEST_COMMAND} --output-on-failure --no-tests=error -j 2 -LE "consumers|documents")
  list(APPEND nightly_consumers consumers.build.${name})
  set(nightly_consumers ${nightly_consumers} PARENT_SCOPE)
endfunction()
set(nightly_consumers "")
portable_build(clang-14 clang-14 clang++-14 "")
portable_build(libc++ clang-19 clang++-19 "-stdlib=libc++ -fexperimental-library")
portable_build(c++23 gcc g++ "" -DCMAKE_CXX_STANDARD=23)
portable_build(no-rtti gcc g++ -fno-rtti)
