# A port of this working copy for vcpkg: `vcpkg install licit --overlay-ports=packaging/vcpkg`. Untried: vcpkg is not available
# where licit is tested.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DLICIT_TESTS=OFF -DLICIT_MODELS=OFF -DLICIT_BENCH=OFF -DLICIT_SHARED=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/licit)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
