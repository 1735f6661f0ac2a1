# A crate from Debian's Rust packages, as a static library behind bench/<crate>/lib.rs. Built while configuring, offline;
# what prevents it ends in a message and a run without it.
#   licit_bench_rust(<variable> <crate> <package>)   sets it to the archive's path, or to nothing
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

# A copy of Debian's Tokio that takes several tasks at a look at its inject queue, as a dependency `tokio_taking` of
# bench/tokio: two places of its source are replaced while configuring. No LIFO slot, since Tokio 1.24 counts a row of
# 128 polls from it as one. Without these places in its source the benchmark is built without the copy.
#   licit_bench_tokio_taking(<place>)   appends to <place>/Cargo.toml
function(licit_bench_tokio_taking place)
  file(GLOB found /usr/share/cargo/registry/tokio-1.[0-9]*)
  if(NOT found)
    return()
  endif()
  list(GET found 0 original)
  file(REMOVE_RECURSE ${place}/tokio_taking)
  file(COPY ${original}/ DESTINATION ${place}/tokio_taking)

  function(replaced result path from to)
    file(READ ${place}/tokio_taking/${path} text)
    string(REPLACE "${from}" "${to}" changed "${text}")
    if(changed STREQUAL text)
      message(STATUS "bench: without busy2 of Tokio, whose ${path} is another")
      set(${result} OFF PARENT_SCOPE)
    endif()
    file(WRITE ${place}/tokio_taking/${path} "${changed}")
  endfunction()
  set(patched ON)
  replaced(patched src/runtime/builder.rs "disable_lifo_slot: false," "disable_lifo_slot: true,")
  replaced(patched src/runtime/scheduler/multi_thread/worker.rs
    "worker.inject().pop().or_else(|| self.next_local_task())"
    "let first = worker.inject().pop();
            let share = worker.inject().len() / worker.handle.shared.remotes.len() + 1;
            let cap = LICIT_TOKIO_CAP.load(std::sync::atomic::Ordering::Relaxed);
            for _ in 1..share.min(cap) {
                match worker.inject().pop() {
                    Some(task) => self.run_queue.push_back(task, worker.inject(), &mut self.metrics),
                    None => break,
                }
            }
            first.or_else(|| self.next_local_task())")
  if(NOT patched)
    return()
  endif()
  file(APPEND ${place}/tokio_taking/src/runtime/scheduler/multi_thread/worker.rs
    "\n/// The most tasks of a look at the inject queue.\n"
    "#[no_mangle]\n"
    "pub static LICIT_TOKIO_CAP: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(1);\n")
  file(APPEND ${place}/Cargo.toml
    "\n[dependencies.tokio_taking]\npackage = \"tokio\"\npath = \"tokio_taking\"\nfeatures = [\"rt-multi-thread\"]\n"
    "\n[features]\ndefault = [\"taking\"]\ntaking = []\n")
endfunction()
