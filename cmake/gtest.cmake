# GTest::gtest_main: the system's, or where it has none for the target, built from Debian's packaged source.
find_package(GTest QUIET)
if(NOT GTest_FOUND)
  set(LICIT_GTEST_SOURCE /usr/src/googletest CACHE PATH "GoogleTest's source, for targets that have no GoogleTest")
  if(NOT EXISTS ${LICIT_GTEST_SOURCE}/CMakeLists.txt)
    message(FATAL_ERROR "licit: no GoogleTest for ${CMAKE_SYSTEM_PROCESSOR}, and no source of it in "
                        "${LICIT_GTEST_SOURCE} (LICIT_GTEST_SOURCE; Debian's package googletest)")
  endif()
  set(BUILD_GMOCK OFF)
  set(INSTALL_GTEST OFF)
  add_subdirectory(${LICIT_GTEST_SOURCE} ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL SYSTEM)
endif()
