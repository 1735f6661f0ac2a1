# Cross-compiles for little-endian POWER Linux with Debian's compiler; what it builds runs under QEMU.
set(licit_processor ppc64le)
set(licit_triplet powerpc64le-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/emulated.cmake)
