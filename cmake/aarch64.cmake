# Cross-compiles for aarch64 Linux with Debian's compiler; what it builds runs under QEMU.
set(licit_processor aarch64)
set(licit_triplet aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/emulated.cmake)
