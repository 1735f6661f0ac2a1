//! crossbeam-deque's LIFO worker as C functions, for the benchmarks. A null pointer stands for "none".

use crossbeam_deque::{Steal, Stealer, Worker};
use std::ffi::c_void;
use std::ptr::null_mut;

pub struct Deque {
    worker: Worker<*mut c_void>,
    stealer: Stealer<*mut c_void>,
}

#[no_mangle]
pub extern "C" fn crossbeam_make() -> *mut Deque {
    let worker = Worker::new_lifo();
    let stealer = worker.stealer();
    Box::into_raw(Box::new(Deque { worker, stealer }))
}

/// # Safety
/// `deque` comes from `crossbeam_make`, and nobody uses it any more.
#[no_mangle]
pub unsafe extern "C" fn crossbeam_free(deque: *mut Deque) {
    drop(Box::from_raw(deque));
}

/// # Safety
/// `deque` comes from `crossbeam_make`; one thread at a time pushes and pops.
#[no_mangle]
pub unsafe extern "C" fn crossbeam_push(deque: *const Deque, item: *mut c_void) {
    (*deque).worker.push(item);
}

/// # Safety
/// As `crossbeam_push`.
#[no_mangle]
pub unsafe extern "C" fn crossbeam_pop(deque: *const Deque) -> *mut c_void {
    (*deque).worker.pop().unwrap_or(null_mut())
}

/// # Safety
/// `deque` comes from `crossbeam_make`; any thread.
#[no_mangle]
pub unsafe extern "C" fn crossbeam_steal(deque: *const Deque) -> *mut c_void {
    match (*deque).stealer.steal() {
        Steal::Success(item) => item,
        Steal::Empty | Steal::Retry => null_mut(),
    }
}
