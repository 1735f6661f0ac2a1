# cmake --install: the archive, the headers, and what find_package(licit) and pkg-config need.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS licit EXPORT licit-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY deque/include/ scheduler/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${licit_include}/licit/digest.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/licit)

set(licit_package ${CMAKE_INSTALL_LIBDIR}/cmake/licit)
install(EXPORT licit-targets NAMESPACE licit:: DESTINATION ${licit_package})
configure_package_config_file(cmake/licit-config.cmake.in ${PROJECT_BINARY_DIR}/licit-config.cmake
                              INSTALL_DESTINATION ${licit_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/licit-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/licit-config.cmake ${PROJECT_BINARY_DIR}/licit-config-version.cmake
        DESTINATION ${licit_package})

# From the .pc file up to the prefix: two steps, or three below lib/<architecture>.
file(RELATIVE_PATH licit_up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/licit.pc.in ${PROJECT_BINARY_DIR}/licit.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/licit.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
