# What the toolchain files of the emulated targets share: Debian's cross compiler and qemu-user. Each sets
# licit_processor (CMake's and QEMU's name, which is also that of Linux) and licit_triplet (Debian's).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${licit_processor})
set(CMAKE_C_COMPILER ${licit_triplet}-gcc)
set(CMAKE_CXX_COMPILER ${licit_triplet}-g++)

# The cross packages put a target's libraries and loader there; QEMU looks there for what a program opens first.
set(licit_sysroot /usr/${licit_triplet})
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${licit_processor} -L ${licit_sysroot})

# Libraries and headers are the target's. Packages may be of headers alone, which are the same for all.
set(CMAKE_FIND_ROOT_PATH ${licit_sysroot})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE BOTH)
