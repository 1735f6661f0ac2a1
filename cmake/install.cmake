# cmake --install: the archive, the shared library, the headers, and what find_package(licit) and pkg-config need.
include(CMakePackageConfigHelpers)

install(TARGETS licit EXPORT licit-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET licit_shared)
  install(TARGETS licit_shared EXPORT licit-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY deque/include/ scheduler/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${licit_include}/licit/digest.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/licit)

set(licit_package ${CMAKE_INSTALL_LIBDIR}/cmake/licit)
install(EXPORT licit-targets NAMESPACE licit:: DESTINATION ${licit_package})
configure_package_config_file(cmake/licit-config.cmake.in ${PROJECT_BINARY_DIR}/licit-config.cmake
                              INSTALL_DESTINATION ${licit_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/licit-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/licit-config.cmake ${PROJECT_BINARY_DIR}/licit-config-version.cmake
        cmake/asio.cmake DESTINATION ${licit_package})

# In the .pc files an absolute folder stays what it is.
foreach(folder IN ITEMS libdir includedir)
  string(TOUPPER CMAKE_INSTALL_${folder} chosen)
  set(licit_${folder} ${${chosen}})
  if(NOT IS_ABSOLUTE "${${chosen}}")
    set(licit_${folder} \${prefix}/${${chosen}})
  endif()
endforeach()
# From such a file up to the prefix: two steps, or three below lib/<architecture>.
set(licit_prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  file(RELATIVE_PATH licit_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  set(licit_prefix \${pcfiledir}/${licit_up})
endif()
function(licit_pkg_config name description requires libs)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.pc CONTENT [[
prefix=@licit_prefix@
libdir=@licit_libdir@
includedir=@licit_includedir@

Name: @name@
Description: @description@
Version: @PROJECT_VERSION@
Requires: @requires@
Cflags: -I${includedir} -pthread
Libs: @libs@ -pthread
]] @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()
set(libs "-L\${libdir} -llicit")
if(TARGET licit_shared)
  licit_pkg_config(licit-shared "${PROJECT_DESCRIPTION}" "" "${libs}")
endif()
if(NOT BUILD_SHARED_LIBS)
  set(libs "\${libdir}/liblicit.a -lstdc++")  # -llicit would find the shared library first; C links no C++ library itself
  if(licit_libatomic)
    string(APPEND libs " -l${licit_libatomic}")
  endif()
  if("c++" IN_LIST CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
    string(REPLACE -lstdc++ -lc++ libs "${libs}")
  endif()
endif()
licit_pkg_config(licit "${PROJECT_DESCRIPTION}" "" "${libs}")
