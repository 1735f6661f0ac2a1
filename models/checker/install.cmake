# cmake --install: the checker's archive and public headers, as the component `checker` of the package licit.
include(GNUInstallDirs)

install(TARGETS licit_checker EXPORT licit-checker-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT licit-checker-targets NAMESPACE licit:: DESTINATION ${licit_package})

configure_file(${PROJECT_SOURCE_DIR}/cmake/licit-checker.pc.in ${PROJECT_BINARY_DIR}/licit-checker.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/licit-checker.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
