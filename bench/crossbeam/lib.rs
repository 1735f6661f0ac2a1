//! crossbeam-deque's workers as C functions, for the benchmarks. A null pointer stands for "none".

use crossbeam_deque::{Steal, Stealer, Worker};
use std::ffi::c_void;
use std::ptr::null_mut;

pub struct Deque {
    worker: Worker<*mut c_void>,
    stealer: Stealer<*mut c_void>,
}

fn boxed(worker: Worker<*mut c_void>) -> *mut Deque {
    let stealer = worker.stealer();
    Box::into_raw(Box::new(Deque { worker, stealer }))
}

#[no_mangle]
pub extern "C" fn crossbeam_make() -> *mut Deque {
    boxed(Worker::new_lifo())
}

#[no_mangle]
pub extern "C" fn crossbeam_make_fifo() -> *mut Deque {
    boxed(Worker::new_fifo())
}

/// # Safety
/// `deque` comes from `crossbeam_make` or `crossbeam_make_fifo`, and nobody uses it any more.
#[no_mangle]
pub unsafe extern "C" fn crossbeam_free(deque: *mut Deque) {
    drop(Box::from_raw(deque));
}

/// # Safety
/// `deque` comes from `crossbeam_make` or `crossbeam_make_fifo`; one thread at a time pushes and pops.
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
/// `deque` comes from `crossbeam_make` or `crossbeam_make_fifo`; any thread.
#[no_mangle]
pub unsafe extern "C" fn crossbeam_steal(deque: *const Deque) -> *mut c_void {
    match (*deque).stealer.steal() {
        Steal::Success(item) => item,
        Steal::Empty | Steal::Retry => null_mut(),
    }
}

/// How many items the caller has got: one in its hand, which is not told, the others in `own`.
///
/// # Safety
/// As `crossbeam_steal`; `own` is another deque, and the caller's thread pushes and pops there.
#[no_mangle]
pub unsafe extern "C" fn crossbeam_steal_half(victim: *const Deque, own: *const Deque) -> usize {
    let before = (*own).worker.len();
    match (*victim).stealer.steal_batch_and_pop(&(*own).worker) {
        Steal::Success(_) => 1 + (*own).worker.len() - before,
        Steal::Empty | Steal::Retry => 0,
    }
}
