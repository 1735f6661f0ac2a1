# The library: liblicit.a and its headers, <licit/…> in deque/include and scheduler/include. licit_include has what is
# generated; licit_headers is all of it, for commands that are given include folders.
set(licit_include ${PROJECT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${licit_include}/licit)
set(licit_headers ${PROJECT_SOURCE_DIR}/deque/include ${PROJECT_SOURCE_DIR}/scheduler/include ${licit_include})
list(JOIN licit_headers : licit_header_path)
# The checker's and the audit's: for commands that compile a program over checker::native.
set(licit_checker_headers ${PROJECT_SOURCE_DIR}/models/checker/include ${PROJECT_SOURCE_DIR}/models/audit/include)

include(${CMAKE_CURRENT_LIST_DIR}/digest.cmake)
add_library(licit STATIC
  deque/c_api.cpp
  deque/futex.cpp
  deque/library.cpp
  deque/membarrier.cpp
  scheduler/engine.cpp
  scheduler/metrics/metrics_snapshot.cpp
  scheduler/metrics/metrics_text.cpp
  scheduler/processors.cpp
  scheduler/scheduler_options.cpp
  scheduler/threads.cpp
  scheduler/metrics/trace.cpp)
add_library(licit::licit ALIAS licit)
target_compile_features(licit PUBLIC cxx_std_20)
target_include_directories(licit PUBLIC "$<BUILD_INTERFACE:${licit_headers}>" $<INSTALL_INTERFACE:include>)
target_include_directories(licit PRIVATE ${PROJECT_BINARY_DIR})
target_link_libraries(licit PRIVATE $<BUILD_INTERFACE:licit::warnings>)
set_target_properties(licit PROPERTIES
  CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON
  POSITION_INDEPENDENT_CODE ON)
