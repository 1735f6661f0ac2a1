# licit::checker as its users meet it: installed, by pkg-config, and as a part of their own build.

# What the examples print, to the letter; models/README.md shows it (tests/documents).
function(output_test name status)
  list(JOIN ARGN "." file)
  list(POP_FRONT ARGN program)
  add_test(NAME consumers.${name} COMMAND ${CMAKE_COMMAND} -Dprogram=${examples}/${program} "-Darguments=${ARGN}"
           -Dstatus=${status} -Dexpected=${CMAKE_CURRENT_SOURCE_DIR}/expected/${file}.txt
           -P ${CMAKE_CURRENT_SOURCE_DIR}/output.cmake)
  set_tests_properties(consumers.${name} PROPERTIES FIXTURES_REQUIRED examples)
endfunction()
output_test(ring 0 spsc_ring)
output_test(ring.planted 1 spsc_ring relaxed)
output_test(pool 0 pool_stack)
output_test(pool.planted 1 pool_stack untagged)
output_test(ring_orders 0 ring_orders)
output_test(mirrored_queue 0 mirrored_queue)

# That a wrong output and a wrong status would be seen.
add_test(NAME consumers.output.seeded COMMAND ${CMAKE_COMMAND} -Dprogram=${examples}/pool_stack -Dstatus=0
         -Dexpected=${CMAKE_CURRENT_SOURCE_DIR}/expected/spsc_ring.txt -P ${CMAKE_CURRENT_SOURCE_DIR}/output.cmake)
add_test(NAME consumers.status.seeded COMMAND ${CMAKE_COMMAND} -Dprogram=${examples}/spsc_ring -Dstatus=1
         -Dexpected=${CMAKE_CURRENT_SOURCE_DIR}/expected/spsc_ring.txt -P ${CMAKE_CURRENT_SOURCE_DIR}/output.cmake)
set_tests_properties(consumers.output.seeded consumers.status.seeded PROPERTIES FIXTURES_REQUIRED examples)
set_tests_properties(consumers.output.seeded PROPERTIES PASS_REGULAR_EXPRESSION "Not what is expected:")
set_tests_properties(consumers.status.seeded PROPERTIES PASS_REGULAR_EXPRESSION "The status is 0, not 1:")

pkg_config_test(pkg-config.checker ${CMAKE_CXX_COMPILER} c++20 ${PROJECT_SOURCE_DIR}/examples/spsc_ring.cpp
                licit-checker)
pkg_config_test(pkg-config.audit ${CMAKE_CXX_COMPILER} c++20 ${PROJECT_SOURCE_DIR}/examples/ring_orders.cpp
                licit-checker)
pkg_config_test(pkg-config.mirror ${CMAKE_CXX_COMPILER} c++20 ${PROJECT_SOURCE_DIR}/examples/mirrored_queue.cpp
                licit-checker)

# By add_subdirectory, which FetchContent does too: no install, and of the models only what is asked for is built. At
# night, because it compiles the checker again.
add_test(NAME consumers.subdirectory COMMAND ${CMAKE_CTEST_COMMAND}
         --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/project ${room}/subdirectory
         --build-generator ${CMAKE_GENERATOR} --build-makeprogram ${CMAKE_MAKE_PROGRAM} --build-target ring
         --build-options -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
                         -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER} -Dlicit=${PROJECT_SOURCE_DIR}
         --test-command ring)
set_tests_properties(consumers.subdirectory PROPERTIES FIXTURES_REQUIRED cleared)

# A licit that was built without its checker and its shared library: the folder of `elsewhere` has its objects already. At
# night, as that is.
set(bare ${room}/bare)
add_test(NAME consumers.bare COMMAND ${CMAKE_CTEST_COMMAND}
         --build-and-test ${PROJECT_SOURCE_DIR} ${elsewhere}/build --build-noclean
         --build-generator ${CMAKE_GENERATOR} --build-makeprogram ${CMAKE_MAKE_PROGRAM} --build-target install
         --build-options -DLICIT_SHARED=OFF -DCMAKE_INSTALL_PREFIX=${bare}/prefix -DCMAKE_INSTALL_INCLUDEDIR=include)
set_tests_properties(consumers.bare PROPERTIES FIXTURES_REQUIRED elsewhere FIXTURES_SETUP bare)

# What find_package says: name, prefix, what it must print, arguments of find_package; then options for cmake. At night if the
# prefix is that of the bare one.
function(component_test name from says asked)
  add_test(NAME consumers.component.${name} COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_SOURCE_DIR}/project
           -B ${room}/component.${name} -G ${CMAKE_GENERATOR} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
           -DCMAKE_PREFIX_PATH=${from} "-Dasked=${asked}" ${ARGN})
  set(needs installed)
  if(from STREQUAL "${bare}/prefix")
    set(needs bare)
    list(APPEND of_bare consumers.component.${name})
    set(of_bare ${of_bare} PARENT_SCOPE)
  endif()
  set_tests_properties(consumers.component.${name} PROPERTIES FIXTURES_REQUIRED ${needs} PASS_REGULAR_EXPRESSION "${says}")
endfunction()
set(of_bare consumers.bare)
set(no_boost -DCMAKE_DISABLE_FIND_PACKAGE_Boost=ON)
component_test(checker ${prefix} "-- deque: 1, checker: 1, " "REQUIRED;COMPONENTS;checker")
component_test(plain ${prefix} "-- deque: 1, checker: 0, " "REQUIRED" ${no_boost})
component_test(later ${prefix} "-- deque: 1, checker: 1, " "REQUIRED;COMPONENTS;checker" -Dtwice=ON)
component_test(absent ${bare}/prefix "this licit was installed without its checker" "REQUIRED;COMPONENTS;checker")
component_test(optional ${bare}/prefix "-- deque: 1, checker: 0, " "REQUIRED;OPTIONAL_COMPONENTS;checker")
component_test(boost ${prefix} "licit::checker needs Boost.Context" "REQUIRED;COMPONENTS;checker" ${no_boost})
component_test(shared ${prefix} "-- deque: 1, checker: 0, shared: 1\n" "REQUIRED;COMPONENTS;shared" ${no_boost})
component_test(without ${bare}/prefix "installed without its shared library" "REQUIRED;COMPONENTS;shared")
if(licit_asio STREQUAL standalone)
  component_test(asio ${prefix} "-- asio: LICIT_ASIO_BOOST=0\n" "REQUIRED;COMPONENTS;asio")
  component_test(asio.twice ${prefix} "-- asio: LICIT_ASIO_BOOST=0\n" "REQUIRED;COMPONENTS;asio" -Dtwice=ON)
endif()
if(LICIT_ASIO_BOOST_INCLUDE)
  component_test(asio.boost ${prefix} "-- asio: LICIT_ASIO_BOOST=1\n" "REQUIRED;COMPONENTS;asio" -DLICIT_ASIO=boost)
endif()
component_test(asio.absent ${prefix} "licit::asio needs Asio" "REQUIRED;COMPONENTS;asio" -DLICIT_ASIO=off)
component_test(unknown ${prefix} "licit has no component 'chequer'" "REQUIRED;COMPONENTS;chequer")

# licit_add_check, as models/unmodified/README.md shows it.
if(TARGET licit_unmodified)
  set(check ${CMAKE_CURRENT_BINARY_DIR}/check)
  file(WRITE ${check}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(check LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(licit REQUIRED COMPONENTS checker)
enable_testing()
licit_add_check(queue_check SOURCES ${PROJECT_SOURCE_DIR}/tests/unmodified/queue_check.cpp)
")
  add_test(NAME consumers.check COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${check} ${room}/check
           --build-generator ${CMAKE_GENERATOR} --build-makeprogram ${CMAKE_MAKE_PROGRAM}
           --build-options -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
                           -DCMAKE_PREFIX_PATH=${prefix}
           --test-command queue_check)
  set_tests_properties(consumers.check PROPERTIES FIXTURES_REQUIRED installed PASS_REGULAR_EXPRESSION
                       "data race: thread 0: read of 4 bytes")
endif()
