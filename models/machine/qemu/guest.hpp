/// The guest's side of the weak-memory plugin: how a program under qemu-aarch64 speaks to it.
///
/// A request is a system call with a number that no kernel has: Linux refuses it (ENOSYS), a plugin that listens
/// answers by writing into an `answer` of the guest's. So the same binary runs natively and under plain QEMU, where
/// nobody is `present()` and nothing else here may be called.
///
///     main thread                                    worker i, created before the first execution, persistent
///       if (!guest::present()) ...                     while (guest::next(i)) client->thread(i);
///       guest::region(begin, end);
///       guest::stacks(begin, end);                    // if threads share what lies on their stacks
///       do {
///         construct the client in the region
///         guest::execute(threads, seed);             // workers run, one at a time; returns when all have finished
///         client->finish()
///       } while (guest::verdict(failed, message));    // the same execution again, for the plugin to make it smaller
///       guest::leave();                              // `next` returns false; join the workers
///
/// Between `execute` and its return, what workers do in the region is Armv8's memory; before and after it is plain
/// memory, that the main thread alone uses: what it writes is there for all workers, and it sees all that they wrote.
/// Threads may not be created during an execution. Memory outside the region belongs to one thread at a time; a thread
/// whose frames others access runs on a stack in the region (`on_stack`).
#ifndef LICIT_MODELS_QEMU_GUEST_HPP
#define LICIT_MODELS_QEMU_GUEST_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace licit::qemu {

/// What both sides agree on.
inline constexpr std::uint64_t protocol = 3;
inline constexpr std::int64_t request_number = 0x6c696369;  // far above every system call's number

/// The emulator's exit status when the plugin cannot go on soundly: no verdict may come of it, whatever the guest
/// found.
inline constexpr int gave_up = 97;
/// The same, because the axioms forbid the execution that the guest found to be wrong.
inline constexpr int forbidden = 98;

enum class request : std::uint64_t { hello, region, next, execute, verdict, leave, name, freed, stacks };

/// What each byte of freed memory becomes.
inline constexpr unsigned char spoilt = 0xa5;

/// What the plugin writes; it stays as it is when nobody listens.
struct answer {
  std::uint64_t heard = 0;  ///< the protocol's version
  std::uint64_t value = 0;
};

/// How an execution ended.
enum class ending : std::uint64_t {
  finished,  ///< all threads ran to their end
  blocked,   ///< those that have not finished wait for a futex that nobody wakes: say so and exit, they will not return
  endless,   ///< the limit of steps was reached: say so and exit, likewise
};

namespace guest {

/// One request; the plugin's answer, or none.
inline answer ask(request what, std::uint64_t a = 0, std::uint64_t b = 0, std::uint64_t c = 0) {
  answer reply;
#if defined(__aarch64__)
  register std::uint64_t x0 asm("x0") = static_cast<std::uint64_t>(what);
  register auto x1 asm("x1") = reinterpret_cast<std::uint64_t>(&reply);
  register std::uint64_t x2 asm("x2") = a;
  register std::uint64_t x3 asm("x3") = b;
  register std::uint64_t x4 asm("x4") = c;
  register std::uint64_t x8 asm("x8") = static_cast<std::uint64_t>(request_number);
  asm volatile("svc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x8) : "memory", "cc");
#else
  (void)what, (void)a, (void)b, (void)c;
#endif
  return reply;
}

/// Whether the plugin is there, and speaks this protocol. Any thread.
inline bool present() { return ask(request::hello, protocol).heard == protocol; }

/// Main thread, outside executions: where memory is shared. A later call replaces it.
inline void region(const void* begin, const void* end) {
  (void)ask(request::region, reinterpret_cast<std::uint64_t>(begin), reinterpret_cast<std::uint64_t>(end));
}

/// Main thread, after `region`: that part of it, to be divided by 16 bytes at both ends, is stacks. Most of a stack is
/// one thread's alone, and costs no more than memory outside the region. What two threads access there is found out:
/// from the next execution on it is shared memory as the rest of the region. The execution in which it is found out
/// goes on with sequential consistency.
inline void stacks(const void* begin, const void* end) {
  (void)ask(request::stacks, reinterpret_cast<std::uint64_t>(begin), reinterpret_cast<std::uint64_t>(end));
}

/// A worker, in an execution: calls `body(with)` on another stack, which ends at `top`, a multiple of 16. `body` does
/// not throw.
inline void on_stack(void* top, void (*body)(void*) noexcept, void* with) {
#if defined(__aarch64__)
  register void* x0 asm("x0") = with;
  register auto x1 asm("x1") = body;
  register void* x2 asm("x2") = top;
  asm volatile("mov x19, sp\n\tmov sp, x2\n\tblr x1\n\tmov sp, x19"
               : "+r"(x0), "+r"(x1), "+r"(x2)
               :
               : "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
                 "x18", "x19", "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12",
                 "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26",
                 "v27", "v28", "v29", "v30", "v31", "memory", "cc");
#else
  (void)top;
  body(with);
#endif
}

/// Main thread, after `region`: what histories call that place of it. A later name replaces an earlier one.
inline void name(const void* address, std::size_t bytes, const char* text) {
  (void)ask(request::name, reinterpret_cast<std::uint64_t>(address), bytes, reinterpret_cast<std::uint64_t>(text));
}

/// A worker, number `thread` from 0: it has finished what it did, and waits for the next execution that it takes part
/// in (those with more threads than its number). False when it shall end.
inline bool next(unsigned thread) { return ask(request::next, thread).value != 0; }

/// Main thread: one execution of workers 0 to threads - 1. Waits for workers that are still on their way. The seed and
/// the plugin's own determine the execution.
inline ending execute(unsigned threads, std::uint64_t seed) {
  return static_cast<ending>(ask(request::execute, threads, seed).value);
}

/// Main thread, after each execution: what was found. True: the plugin wants the client once more, from its
/// construction (the seed is not looked at), to make the failing execution smaller or to show it.
inline bool verdict(bool failed, const char* message = "") {
  return ask(request::verdict, failed ? 1 : 0, reinterpret_cast<std::uint64_t>(message), std::strlen(message)).value !=
         0;
}

/// Any thread, of memory of the region that nobody may use any more: it is overwritten. In an execution those locations
/// of it that some thread has accessed are, each by a plain store of the caller's in the size that they were accessed
/// in; what nobody has accessed stays as it is.
inline void freed(const void* begin, std::size_t bytes) {
  (void)ask(request::freed, reinterpret_cast<std::uint64_t>(begin), bytes);
}

/// Main thread: workers that wait, or come to `next` later, end.
inline void leave() { (void)ask(request::leave); }

/// Threads that take part in executions, made once, before the first; each runs `body(i)` in every execution that it
/// takes part in.
class workers {
 public:
  workers(unsigned count, std::function<void(unsigned)> body) : body_{std::move(body)} {
    for (unsigned i = 0; i != count; ++i) {
      threads_.emplace_back([this, i] {
        while (next(i)) body_(i);
      });
    }
  }
  ~workers() { leave(); }  // the threads are joined after it

  workers(const workers&) = delete;
  workers& operator=(const workers&) = delete;

 private:
  std::function<void(unsigned)> body_;
  std::vector<std::jthread> threads_;
};

}  // namespace guest
}  // namespace licit::qemu

#endif
