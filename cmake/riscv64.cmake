# Cross-compiles for riscv64 Linux with Debian's compiler; what it builds runs under QEMU.
set(licit_processor riscv64)
set(licit_triplet riscv64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/emulated.cmake)
