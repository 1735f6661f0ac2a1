# A crate from Debian's Rust packages, as a static library behind bench/<crate>/lib.rs. Built while configuring, offline;
# what prevents it ends in a message and a run without it.
#   licit_bench_rust(<variable> <crate> <package>)   sets it to the archive's path, or to nothing
include(${CMAKE_CURRENT_LIST_DIR}/tokio/taking.cmake)
function(licit_bench_rust result crate package)
  set(${result} "" PARENT_SCOPE)
  set(registry /usr/share/cargo/registry)
  file(GLOB found ${registry}/${package}-[0-9]*)
  # Debian's own compiler first: it is the one that its crates are tested with.
  find_program(LICIT_CARGO cargo PATHS /usr/bin NO_DEFAULT_PATH)
  find_program(LICIT_CARGO cargo)
  find_program(LICIT_RUSTC rustc PATHS /usr/bin NO_DEFAULT_PATH)
  find_program(LICIT_RUSTC rustc)
  if(NOT found OR NOT LICIT_CARGO OR NOT LICIT_RUSTC)
    message(STATUS "bench: without ${crate} (Debian: librust-${package}-dev cargo rustc)")
    return()
  endif()

  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${crate})
  set(place ${CMAKE_CURRENT_BINARY_DIR}/${crate})  # cargo writes its lock file beside the manifest
  set(archive ${place}/target/release/liblicit_bench_${crate}.a)
  configure_file(${source}/Cargo.toml ${place}/Cargo.toml COPYONLY)
  configure_file(${source}/lib.rs ${place}/lib.rs COPYONLY)
  if(crate STREQUAL tokio)
    licit_bench_tokio_taking(${place})
  endif()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env RUSTC=${LICIT_RUSTC} CARGO_HOME=${place}/home CARGO_TARGET_DIR=${place}/target
            --unset=RUSTFLAGS --unset=RUSTC_WRAPPER
            ${LICIT_CARGO} build --quiet --release --offline
            --config "source.crates-io.replace-with='debian'" --config "source.debian.directory='${registry}'"
    WORKING_DIRECTORY ${place} RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(failed OR NOT EXISTS ${archive})
    message(STATUS "bench: without ${crate}, which did not build:\n${log}")
    return()
  endif()
  set(${result} ${archive} PARENT_SCOPE)
endfunction()
