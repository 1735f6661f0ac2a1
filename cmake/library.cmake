# licit::warnings: what every target of this project is compiled with; not installed.
add_library(licit_warnings INTERFACE)
add_library(licit::warnings ALIAS licit_warnings)
target_compile_options(licit_warnings INTERFACE -Wall -Wextra -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees an overlapping copy in `"text" + std::string` at -O3, which is not there (GCC bug 105651).
  target_compile_options(licit_warnings INTERFACE -Wno-restrict)
endif()

if(LICIT_SANITIZE)
  add_compile_options(-fsanitize=${LICIT_SANITIZE} -fno-omit-frame-pointer -g1)  # lines for the reports, no more
  add_link_options(-fsanitize=${LICIT_SANITIZE})
  if(LICIT_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()
# libstdc++ 12's stable_sort calls a function that it deprecates, and clang 19 reports that where the template is used.
target_compile_options(licit_warnings INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)

# The library: liblicit.a and its headers, <licit/…> in deque/include and scheduler/include. licit_include has what is
# generated; licit_headers is all of it, for commands that are given include folders.
set(licit_include ${PROJECT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${licit_include}/licit)
set(licit_headers ${PROJECT_SOURCE_DIR}/deque/include ${PROJECT_SOURCE_DIR}/scheduler/include ${licit_include})
list(JOIN licit_headers : licit_header_path)
# The checker's and the audit's: for commands that compile a program over checker::native.
set(licit_checker_headers ${PROJECT_SOURCE_DIR}/models/checker/include ${PROJECT_SOURCE_DIR}/models/audit/include)

include(GNUInstallDirs)
include(${CMAKE_CURRENT_LIST_DIR}/digest.cmake)
set(licit_sources
  deque/c_api.cpp
  deque/futex.cpp
  deque/library.cpp
  deque/membarrier.cpp
  scheduler/engine.cpp
  scheduler/fork/span_report.cpp
  scheduler/metrics/metrics_snapshot.cpp
  scheduler/metrics/metrics_text.cpp
  scheduler/processors.cpp
  scheduler/scheduler_options.cpp
  scheduler/sync/blocking_pool.cpp
  scheduler/time/manual_clock.cpp
  scheduler/threads.cpp
  scheduler/metrics/watchdog.cpp
  scheduler/metrics/trace.cpp)
find_package(Threads REQUIRED)
# Where the compiler calls a function to exchange a byte, as g++ 12 does for RISC-V, libatomic has it.
include(CheckCXXSourceCompiles)
check_cxx_source_compiles("#include <atomic>
                           std::atomic<bool> b;
                           int main(int n, char**) { return b.exchange(n > 1); }" LICIT_EXCHANGES_BYTES)
set(licit_libatomic "")
if(NOT LICIT_EXCHANGES_BYTES)
  set(licit_libatomic atomic)
endif()

# What each form of the library is compiled with, and what a program that links it.
function(licit_library target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${licit_headers}>" $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR})
  target_link_libraries(${target} PUBLIC Threads::Threads ${licit_libatomic} PRIVATE $<BUILD_INTERFACE:licit::warnings>)
  set_target_properties(${target} PROPERTIES VISIBILITY_INLINES_HIDDEN ON POSITION_INDEPENDENT_CODE ON
                                             UNITY_BUILD_BATCH_SIZE 0)
endfunction()
# With CMAKE_UNITY_BUILD one unit, which compiles in a third of the time; and two files that stand alone: the first has
# members of types without linkage, the second a name that another file has.
set_source_files_properties(deque/c_api.cpp scheduler/metrics/metrics_snapshot.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# The archive exports nothing: binaries that link it have a copy each, and never take another's.
if(NOT BUILD_SHARED_LIBS)
  add_library(licit STATIC ${licit_sources})
  licit_library(licit)
  if(NOT LICIT_SANITIZE)  # that one is not installed; a test's host exports it to its plug-in
    set_target_properties(licit PROPERTIES CXX_VISIBILITY_PRESET hidden)
  endif()
  # A file is an object of the archive, of which a program links what it calls: but not where only tests link it.
  if(LICIT_INSTALL OR NOT PROJECT_IS_TOP_LEVEL)
    set_target_properties(licit PROPERTIES UNITY_BUILD OFF)
  endif()
endif()

# The shared library exports each function that its sources define and its headers declare, and of templates and inline
# functions nothing. The digest's symbol is among them, so that a program runs with the library of its headers only.
if(LICIT_SHARED OR BUILD_SHARED_LIBS)
  add_library(licit_objects OBJECT ${licit_sources})
  licit_library(licit_objects)
  target_compile_options(licit_objects PRIVATE -fno-semantic-interposition)
  set_target_properties(licit_objects PROPERTIES CXX_VISIBILITY_PRESET default)  # whatever the build around it prefers
  set(licit_exports ${PROJECT_BINARY_DIR}/licit.map)
  add_library(licit_shared SHARED $<TARGET_OBJECTS:licit_objects>)
  add_custom_command(TARGET licit_shared PRE_LINK VERBATIM COMMAND_EXPAND_LISTS
    COMMAND sh -c "$0 -g --defined-only \"$@\" | awk '\
BEGIN { print \"{ global:\" } NF == 3 && $2 ~ /[BDRT]/ { print $3 \"\\073\" } END { print \"local: *\\073 }\\073\" }' >${licit_exports}"
            ${CMAKE_NM} $<TARGET_OBJECTS:licit_objects>)
  licit_library(licit_shared)
  target_link_options(licit_shared PRIVATE -Wl,--version-script=${licit_exports} -Wl,-Bsymbolic-functions)
  set_target_properties(licit_shared PROPERTIES OUTPUT_NAME licit EXPORT_NAME shared LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  add_library(licit::shared ALIAS licit_shared)
endif()
if(BUILD_SHARED_LIBS)
  add_library(licit INTERFACE)
  target_link_libraries(licit INTERFACE licit_shared)
endif()
add_library(licit::licit ALIAS licit)

# licit::asio: where Asio is installed. It needs no library of its own.
if(NOT CMAKE_CROSSCOMPILING)
  include(${CMAKE_CURRENT_LIST_DIR}/asio.cmake)
  if(licit_asio)
    add_library(licit_asio INTERFACE)
    licit_asio_target(licit_asio ${licit_asio})
    add_library(licit::asio ALIAS licit_asio)
  endif()
endif()
