# The library: liblicit.a and the headers, which are included as <licit/…> from the build tree and when installed.
set(licit_include ${PROJECT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${licit_include}/licit)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/deque ${licit_include}/licit/deque SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/scheduler ${licit_include}/licit/scheduler SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/models/checker ${licit_include}/licit/checker SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/models/audit ${licit_include}/licit/audit SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/models/live_orders.hpp ${licit_include}/licit/live_orders.hpp SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/deque/deque.hpp ${licit_include}/licit/deque.hpp SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/scheduler/scheduler.hpp ${licit_include}/licit/scheduler.hpp SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/deque/licit.h ${licit_include}/licit/licit.h SYMBOLIC)

include(${CMAKE_CURRENT_LIST_DIR}/digest.cmake)
add_library(licit STATIC
  deque/c_api.cpp
  deque/futex.cpp
  deque/library.cpp
  deque/membarrier.cpp
  scheduler/engine.cpp
  scheduler/metrics_snapshot.cpp
  scheduler/metrics_text.cpp
  scheduler/scheduler_options.cpp
  scheduler/threads.cpp
  scheduler/trace.cpp)
add_library(licit::licit ALIAS licit)
target_compile_features(licit PUBLIC cxx_std_20)
target_include_directories(licit PUBLIC $<BUILD_INTERFACE:${licit_include}> $<INSTALL_INTERFACE:include>)
target_include_directories(licit PRIVATE ${PROJECT_BINARY_DIR})
target_link_libraries(licit PRIVATE $<BUILD_INTERFACE:licit::warnings>)
set_target_properties(licit PROPERTIES
  CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON
  POSITION_INDEPENDENT_CODE ON)
