//! rayon as C functions. `rayon_fib` is Rust alone; the others call C++ through pointers, which costs a call a leaf.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ffi::c_void;

#[no_mangle]
pub extern "C" fn rayon_make(workers: usize) -> *mut ThreadPool {
    let made = ThreadPoolBuilder::new().num_threads(workers).build();
    Box::into_raw(Box::new(made.expect("a pool")))
}

/// # Safety
/// `pool` comes from `rayon_make`, and nobody uses it any more.
#[no_mangle]
pub unsafe extern "C" fn rayon_free(pool: *mut ThreadPool) {
    drop(Box::from_raw(pool));
}

/// A callable of C++. The caller promises that any thread may call it.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Callable {
    call: extern "C" fn(*mut c_void),
    with: *mut c_void,
}
unsafe impl Send for Callable {}
unsafe impl Sync for Callable {}
impl Callable {
    fn run(&self) {
        (self.call)(self.with)
    }
}

/// The same, called with an index.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Indexed {
    call: extern "C" fn(*mut c_void, usize),
    with: *mut c_void,
}
unsafe impl Send for Indexed {}
unsafe impl Sync for Indexed {}
impl Indexed {
    fn run(&self, i: usize) {
        (self.call)(self.with, i)
    }
}

/// # Safety
/// `pool` comes from `rayon_make`.
#[no_mangle]
pub unsafe extern "C" fn rayon_inside(pool: *const ThreadPool, f: Callable) {
    (*pool).install(move || f.run());
}

#[no_mangle]
pub extern "C" fn rayon_fork(f: Callable, g: Callable) {
    rayon::join(move || f.run(), move || g.run());
}

#[no_mangle]
pub extern "C" fn rayon_loop(n: usize, f: Indexed) {
    (0..n).into_par_iter().for_each(move |i| f.run(i));
}

/// # Safety
/// `values` are `n` numbers.
#[no_mangle]
pub unsafe extern "C" fn rayon_sum(values: *const u32, n: usize) -> u64 {
    std::slice::from_raw_parts(values, n).par_iter().map(|value| u64::from(*value)).sum()
}

/// # Safety
/// `values` are `n` numbers that nobody else uses.
#[no_mangle]
pub unsafe extern "C" fn rayon_sort(values: *mut u32, n: usize) {
    std::slice::from_raw_parts_mut(values, n).par_sort_unstable();
}

#[no_mangle]
pub extern "C" fn rayon_fib(n: i32) -> u64 {
    if n < 2 {
        return n as u64;
    }
    let (a, b) = rayon::join(|| rayon_fib(n - 1), || rayon_fib(n - 2));
    a + b
}

/// The plain calls, by the same compiler: what a fork of `rayon_fib` is beyond.
#[no_mangle]
#[inline(never)]
pub extern "C" fn rust_fib(n: i32) -> u64 {
    if n < 2 {
        return n as u64;
    }
    rust_fib(n - 1) + rust_fib(n - 2)
}
