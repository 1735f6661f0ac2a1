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
