//! Tokio's multi-thread runtime under the scheduler's workloads, as C functions. Each of them is one round: it returns
//! how many tasks have run.

use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{mpsc, Arc};
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::task::yield_now;

#[no_mangle]
pub extern "C" fn tokio_make(workers: usize) -> *mut Runtime {
    let made = Builder::new_multi_thread().worker_threads(workers).build();
    Box::into_raw(Box::new(made.expect("a runtime")))
}

/// One whose tasks may sleep.
#[no_mangle]
pub extern "C" fn tokio_make_timed(workers: usize) -> *mut Runtime {
    let made = Builder::new_multi_thread().worker_threads(workers).enable_time().build();
    Box::into_raw(Box::new(made.expect("a runtime")))
}

/// # Safety
/// `runtime` comes from one of these, and nobody uses it any more.
#[no_mangle]
pub unsafe extern "C" fn tokio_free(runtime: *mut Runtime) {
    drop(Box::from_raw(runtime));
}

/// The same, which can wait for sockets.
#[no_mangle]
pub extern "C" fn tokio_make_with_net(workers: usize) -> *mut Runtime {
    let made = Builder::new_multi_thread().worker_threads(workers).enable_io().build();
    Box::into_raw(Box::new(made.expect("a runtime")))
}

/// An echo server on the loopback address, until the runtime is freed. Returns its port.
///
/// # Safety
/// `runtime` comes from `tokio_make_with_net`.
#[no_mangle]
pub unsafe extern "C" fn tokio_echo(runtime: *const Runtime) -> u16 {
    let from = (*runtime).block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
    let port = from.local_addr().expect("an address").port();
    (*runtime).spawn(async move {
        while let Ok((mut with, _)) = from.accept().await {
            tokio::spawn(async move {
                let mut place = [0; 4096];
                while let Ok(n @ 1..) = with.read(&mut place).await {
                    if with.write_all(&place[..n]).await.is_err() {
                        break;
                    }
                }
            });
        }
    });
    port
}

/// What Tokio's own benchmarks wait with: a counter, and a channel that the last one sends to.
#[derive(Clone)]
struct Countdown {
    left: Arc<AtomicU64>,
    end: mpsc::SyncSender<()>,
}

impl Countdown {
    fn new(number: u64) -> (Countdown, mpsc::Receiver<()>) {
        let (end, ended) = mpsc::sync_channel(1);
        (Countdown { left: Arc::new(AtomicU64::new(number)), end }, ended)
    }
    fn done(&self) {
        if self.left.fetch_sub(1, Relaxed) == 1 {
            self.end.send(()).unwrap();
        }
    }
    fn wait(&self, ended: &mpsc::Receiver<()>, number: u64) -> u64 {
        ended.recv().unwrap();
        number - self.left.load(Relaxed)
    }
}

/// # Safety
/// `runtime` comes from `tokio_make`; so for all below.
#[no_mangle]
pub unsafe extern "C" fn tokio_spawn_many_local(runtime: *const Runtime, tasks: u64) -> u64 {
    let (left, ended) = Countdown::new(tasks);
    (*runtime).block_on(async {
        for _ in 0..tasks {
            let left = left.clone();
            tokio::spawn(async move { left.done() });
        }
        left.wait(&ended, tasks)
    })
}

/// # Safety
/// See above.
#[no_mangle]
pub unsafe extern "C" fn tokio_spawn_many_on_worker(runtime: *const Runtime, tasks: u64) -> u64 {
    let (left, ended) = Countdown::new(tasks);
    let theirs = left.clone();
    (*runtime).spawn(async move {
        for _ in 0..tasks {
            let left = theirs.clone();
            tokio::spawn(async move { left.done() });
        }
    });
    left.wait(&ended, tasks)
}

/// # Safety
/// See above.
#[no_mangle]
pub unsafe extern "C" fn tokio_spawn_and_join(runtime: *const Runtime, tasks: u64) -> u64 {
    let handles: Vec<_> = (0..tasks).map(|_| (*runtime).spawn(async {})).collect();
    (*runtime).block_on(async {
        let mut done = 0;
        for handle in handles {
            handle.await.unwrap();
            done += 1;
        }
        done
    })
}

/// # Safety
/// See above.
#[no_mangle]
pub unsafe extern "C" fn tokio_remote_spawn(runtime: *const Runtime, tasks: u64, threads: u64) -> u64 {
    let (left, ended) = Countdown::new(tasks);
    let runtime = &*runtime;
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let left = left.clone();
            scope.spawn(move || {
                for _ in 0..tasks / threads {
                    let left = left.clone();
                    runtime.spawn(async move { left.done() });
                }
            });
        }
    });
    left.wait(&ended, tasks)
}

/// # Safety
/// See above.
#[no_mangle]
pub unsafe extern "C" fn tokio_yield_many(runtime: *const Runtime, tasks: u64, yields: u64) -> u64 {
    let (left, ended) = Countdown::new(tasks);
    for _ in 0..tasks {
        let left = left.clone();
        (*runtime).spawn(async move {
            for _ in 0..yields {
                yield_now().await;
            }
            left.done();
        });
    }
    left.wait(&ended, tasks)
}

async fn ping(left: Countdown) {
    let (to, there) = oneshot::channel();
    let (answer, back) = oneshot::channel();
    tokio::spawn(async move {
        there.await.unwrap();
        answer.send(()).unwrap();
    });
    to.send(()).unwrap();
    back.await.unwrap();
    left.done();
}

/// # Safety
/// See above.
#[no_mangle]
pub unsafe extern "C" fn tokio_ping_pong(runtime: *const Runtime, pairs: u64) -> u64 {
    let (left, ended) = Countdown::new(pairs);
    let theirs = left.clone();
    (*runtime).spawn(async move {
        for _ in 0..pairs {
            tokio::spawn(ping(theirs.clone()));
        }
    });
    left.wait(&ended, pairs)
}

fn spawn_next(left: Countdown, number: u64) {
    left.done();
    if number != 0 {
        tokio::spawn(async move { spawn_next(left, number - 1) });
    }
}

/// # Safety
/// See above.
#[no_mangle]
pub unsafe extern "C" fn tokio_chained_spawn(runtime: *const Runtime, tasks: u64) -> u64 {
    let (left, ended) = Countdown::new(tasks + 1);
    let theirs = left.clone();
    (*runtime).spawn(async move { spawn_next(theirs, tasks) });
    left.wait(&ended, tasks + 1) - 1
}

/// Items through a bounded channel, from so many tasks to one. Returns how many have arrived.
///
/// # Safety
/// See above.
#[no_mangle]
pub unsafe extern "C" fn tokio_channel(runtime: *const Runtime, senders: u64, items: u64, capacity: u64) -> u64 {
    let (to, mut from) = tokio::sync::mpsc::channel::<u64>(capacity as usize);
    let (end, ended) = mpsc::sync_channel(1);
    (*runtime).spawn(async move {
        let mut sum = 0;
        while let Some(item) = from.recv().await {
            sum += item;
        }
        end.send(sum).unwrap();
    });
    for _ in 0..senders {
        let to = to.clone();
        (*runtime).spawn(async move {
            for _ in 0..items / senders {
                to.send(1).await.unwrap();
            }
        });
    }
    drop(to);
    ended.recv().unwrap()
}

/// Polls a future once (`poll_fn` is newer than Debian 12's compiler).
struct Once<'a, F>(std::pin::Pin<&'a mut F>);
impl<F: Future> Future for Once<'_, F> {
    type Output = ();
    fn poll(mut self: std::pin::Pin<&mut Self>, context: &mut std::task::Context<'_>) -> Poll<()> {
        let _ = self.0.as_mut().poll(context);
        Poll::Ready(())
    }
}

/// Timeouts that do not happen: each timer is set by the first poll of its sleep, and cancelled as that is dropped.
/// Returns 1, the task.
///
/// # Safety
/// `runtime` comes from `tokio_make_timed`.
#[no_mangle]
pub unsafe extern "C" fn tokio_set_and_cancel(runtime: *const Runtime, timers: u64) -> u64 {
    let (left, ended) = Countdown::new(1);
    let theirs = left.clone();
    (*runtime).spawn(async move {
        for _ in 0..timers {
            let sleep = tokio::time::sleep(Duration::from_secs(30));
            tokio::pin!(sleep);
            Once(sleep).await;
        }
        theirs.done()
    });
    left.wait(&ended, 1)
}

/// Tasks that sleep for one to two seconds, and by how many microseconds each was late. Returns how many have slept.
///
/// # Safety
/// `runtime` comes from `tokio_make_timed`; there is room for `tasks` numbers at `late_us`.
#[no_mangle]
pub unsafe extern "C" fn tokio_many_sleepers(runtime: *const Runtime, tasks: u64, late_us: *mut f64) -> u64 {
    let late = std::slice::from_raw_parts_mut(late_us, tasks as usize);
    let handles: Vec<_> = (0..tasks)
        .map(|i| {
            (*runtime).spawn(async move {
                let until = Instant::now() + Duration::from_micros(1_000_000 + i * 10);
                tokio::time::sleep_until(until.into()).await;
                match Instant::now().checked_duration_since(until) {
                    Some(late) => late.as_nanos() as f64 * 1e-3,
                    None => -1.0,
                }
            })
        })
        .collect();
    (*runtime).block_on(async {
        let mut done = 0;
        for (each, handle) in late.iter_mut().zip(handles) {
            *each = handle.await.unwrap();
            done += 1;
        }
        done
    })
}

/// One task locks a mutex and unlocks it. Returns 1, the task, if that was done so many times.
///
/// # Safety
/// See above.
#[no_mangle]
pub unsafe extern "C" fn tokio_uncontended_mutex(runtime: *const Runtime, times: u64) -> u64 {
    let (end, ended) = mpsc::sync_channel(1);
    (*runtime).spawn(async move {
        let lock = tokio::sync::Mutex::new(0);
        for _ in 0..times {
            *lock.lock().await += 1;
        }
        end.send(lock.into_inner()).unwrap();
    });
    u64::from(ended.recv().unwrap() == times)
}

/// Nanoseconds from the spawn to the task's first instruction.
///
/// # Safety
/// See above.
#[no_mangle]
pub unsafe extern "C" fn tokio_wake_up(runtime: *const Runtime) -> u64 {
    let before = Instant::now();
    let began = (*runtime).block_on((*runtime).spawn(async { Instant::now() })).unwrap();
    began.duration_since(before).as_nanos() as u64
}

fn stall() {
    let now = Instant::now();
    while now.elapsed() < Duration::from_micros(10) {}
}

pub struct Busy(Arc<AtomicBool>);

/// # Safety
/// See above.
#[no_mangle]
pub unsafe extern "C" fn tokio_busy_yielding(runtime: *const Runtime, tasks: usize) -> *mut Busy {
    let on = Arc::new(AtomicBool::new(true));
    for _ in 0..tasks {
        let on = on.clone();
        (*runtime).spawn(async move {
            while on.load(Relaxed) {
                yield_now().await;
                stall();
            }
        });
    }
    Box::into_raw(Box::new(Busy(on)))
}

/// # Safety
/// `busy` comes from `tokio_busy_yielding`; once.
#[no_mangle]
pub unsafe extern "C" fn tokio_busy_end(busy: *mut Busy) {
    Box::from_raw(busy).0.store(false, Relaxed);
}

/// Tokio with as many tasks a look as one says, for busy2 (bench/rust.cmake).
#[cfg(feature = "taking")]
mod taking {
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use tokio_taking::runtime;

    extern "C" {
        static LICIT_TOKIO_CAP: AtomicUsize;
    }

    pub struct Chained(runtime::Runtime, Arc<AtomicBool>);

    fn link(on: Arc<AtomicBool>) {
        tokio_taking::spawn(async move {
            if on.load(Relaxed) {
                stall();
                link(on);
            }
        });
    }

    /// A runtime that takes at most `cap` tasks from its inject queue at once, and looks there every 10 polls, with a
    /// chain of tasks for each worker.
    #[no_mangle]
    pub extern "C" fn tokio_chained(workers: usize, cap: usize) -> *mut Chained {
        unsafe { LICIT_TOKIO_CAP.store(cap, Relaxed) };
        let made = runtime::Builder::new_multi_thread().worker_threads(workers).global_queue_interval(10).build();
        let made = made.expect("a runtime");
        let on = Arc::new(AtomicBool::new(true));
        for _ in 0..workers {
            let on = on.clone();
            made.spawn(async move { link(on) });
        }
        Box::into_raw(Box::new(Chained(made, on)))
    }

    /// # Safety
    /// `on` comes from `tokio_chained`.
    #[no_mangle]
    pub unsafe extern "C" fn tokio_chained_spawn_and_join(on: *const Chained, tasks: u64) -> u64 {
        let handles: Vec<_> = (0..tasks).map(|_| (*on).0.spawn(async {})).collect();
        (*on).0.block_on(async {
            let mut done = 0;
            for handle in handles {
                handle.await.unwrap();
                done += 1;
            }
            done
        })
    }

    /// # Safety
    /// The same; once.
    #[no_mangle]
    pub unsafe extern "C" fn tokio_chained_end(on: *mut Chained) {
        let all = Box::from_raw(on);
        all.1.store(false, Relaxed);
    }
}

/// Whether busy2 can be run.
#[no_mangle]
pub extern "C" fn tokio_can_take() -> bool {
    cfg!(feature = "taking")
}
