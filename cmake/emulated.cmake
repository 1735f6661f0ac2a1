# Cross-compiles for Linux on LICIT_PROCESSOR with Debian's compiler; what it builds runs under qemu-user. LICIT_PROCESSOR
# is aarch64, riscv64 or ppc64le: CMake's, QEMU's and Linux's name.
if(NOT LICIT_PROCESSOR)
  message(FATAL_ERROR "licit: -DLICIT_PROCESSOR=aarch64, riscv64 or ppc64le is missing")
endif()
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LICIT_PROCESSOR)  # what CMake tries is for the same target
set(licit_triplet ${LICIT_PROCESSOR}-linux-gnu)
string(REPLACE ppc64le powerpc64le licit_triplet ${licit_triplet})  # as Debian has it
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${LICIT_PROCESSOR})
set(CMAKE_C_COMPILER ${licit_triplet}-gcc)
set(CMAKE_CXX_COMPILER ${licit_triplet}-g++)

# The cross packages put a target's libraries and loader there; QEMU looks there for what a program opens first.
set(licit_sysroot /usr/${licit_triplet})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${LICIT_PROCESSOR} -L ${licit_sysroot})

# Libraries and headers are the target's. Packages may be of headers alone, which are the same for all.
set(CMAKE_FIND_ROOT_PATH ${licit_sysroot})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
