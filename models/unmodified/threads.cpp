/// The program's threads: fibers of the engine, each with the thread-local storage of a thread of the system that is
/// parked for good. So thread_local variables have addresses of their own, which programs use as names.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#if defined(__x86_64__)
#include <asm/prctl.h>
#endif

#include "runtime.hpp"
#include "show/words.hpp"

namespace licit::unmodified {

namespace {

constexpr unsigned most = checker::max_threads;
constexpr pthread_t first_handle = 0x1000;

struct cleanup {
  void (*run)(void*);
  void* argument;
};

struct parked {
  std::byte* pointer = nullptr;  ///< what the thread has in its register for thread-local storage
  std::vector<std::byte> image = {};
};

struct thread_facts {
  void* (*routine)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  bool joined = false;
  bool detached = false;
  bool has_values = false;
  bool has_woken_for_nothing = false;
  int cancel_state = PTHREAD_CANCEL_ENABLE;
  int cancel_type = PTHREAD_CANCEL_DEFERRED;
  int error_number = 0;          ///< errno, while the engine runs
  const site* at = nullptr;      ///< where it called the runtime last, by what other threads can see
  const site* thrown = nullptr;  ///< where it threw last
  std::int64_t now = 0;
};

struct key {
  enum class stage : std::uint8_t {
    fresh,
    used,
    free,  ///< again, since the thread that made it has deleted it
    gone,  ///< for good: another thread has deleted it, or has values of it
  };
  stage is = stage::fresh;
  bool of_others = false;  ///< other threads than its maker have set values
  void (*destroy)(void*) = nullptr;
};
/// What the model knows of a key. Nothing orders a thread's end and another's pthread_key_delete: that is an atomic
/// word. A key may not be used while it is made or deleted: that is a race on a word that is not atomic.
struct key_words {
  alignas(8) std::uint32_t is_gone = 0;
  alignas(8) std::uint32_t is_used = 0;
};
constexpr unsigned keys_of_thread = 16;  ///< the first of them belong to what ran before main
constexpr std::size_t all_keys = std::size_t{keys_of_thread} * (most + 1);

struct thread : thread_facts {
  std::vector<cleanup> cleanups = {};
  std::vector<address> locks = {};  ///< those that it has; one that it has several times is there several times
  std::array<void*, all_keys> values = {};
};

std::array<parked, most> parks;
std::array<thread, most> threads;
std::array<key, all_keys> keys;
std::array<key, all_keys> keys_before_main;
std::array<key_words, all_keys> words_of_keys;
std::array<void*, all_keys> values_before_main;
bool had_values_before_main = false;
alignas(8) std::uint32_t registered = 0;  ///< by membarrier, a bit for each command that registers
std::uint32_t registered_before_main = 0;
unsigned in_use = most;     ///< threads with lower numbers only have been started or entered since they were put back
bool keys_changed = false;  ///< since then
std::vector<cleanup> at_exit;
std::byte* own_pointer = nullptr;
std::ptrdiff_t error_number_at = 0;  ///< where errno lies beside what the register points to
bool share_register = false;         ///< the program's threads and the engine do
parked engines;                      ///< then, while a thread runs: what the engine has of the libraries' variables
bool are_engines = true;             ///< those that are at the register
std::atomic<unsigned> parked_threads = 0;

// The register for thread-local storage, and where the executable's variables lie beside what it points to.
#if defined(__x86_64__)
/// Whether an instruction may set it, as the kernel says (Linux 5.9; not under Valgrind). Otherwise a system call does.
bool sets_by_instruction() {
  constexpr unsigned long instruction = 2;  // of HWCAP2
  static const bool allowed = (getauxval(AT_HWCAP2) & instruction) != 0;
  return allowed;
}
void set_thread_pointer(const std::byte* p) {
  if (sets_by_instruction()) {
    asm volatile("wrfsbase %0" : : "r"(p) : "memory");
  } else {
    long result = SYS_arch_prctl;  // NOLINT(misc-const-correctness): the instruction writes it
    asm volatile("syscall" : "+a"(result) : "D"(ARCH_SET_FS), "S"(p) : "rcx", "r11", "memory");
  }
}
std::byte* variables_of(std::byte* pointer) { return pointer - thread_local_size(); }
#elif defined(__aarch64__)
void set_thread_pointer(const std::byte* p) { asm volatile("msr tpidr_el0, %0" : : "r"(p) : "memory"); }
std::byte* variables_of(std::byte* pointer) {
  constexpr std::size_t head = 2 * sizeof(void*);
  const std::size_t alignment = std::max<std::size_t>(thread_local_alignment(), 1);
  return pointer + (head + alignment - 1) / alignment * alignment;
}
#else
#error "licit: the runtime of `licit check` is for x86-64 and AArch64"
#endif

/// Once it is parked it calls nothing of this library, which would take the call for one of the program that is
/// explored.
void* park(void* where) {
  const auto wait = real<decltype(&pause)>("pause");
  const auto call = real<decltype(&syscall)>("syscall");
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  static_cast<parked*>(where)->pointer = static_cast<std::byte*>(__builtin_thread_pointer());
  parked_threads.fetch_add(1);
  call(SYS_futex, &parked_threads, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
  for (;;) wait();
}

/// Which of the program's threads a handle is of.
unsigned thread_of(pthread_t handle) {
  const auto t = static_cast<unsigned>(handle - first_handle);
  if (handle < first_handle || t >= most) {
    const inside in;
    refuse("names a thread that there is not");
  }
  return t;
}

thread& current() { return threads[engine().thread()]; }

/// The newest first; each may add others.
void run_all(std::vector<cleanup>& all) {
  for (;;) {
    cleanup next{};
    {
      const inside in;
      if (all.empty()) return;
      next = all.back();
      all.pop_back();
    }
    next.run(next.argument);
  }
}

/// Relaxed, as POSIX orders nothing here.
answer perform_on_gone(std::size_t k, action what, site& s) {
  std::uint32_t& word = words_of_keys[k].is_gone;
  return perform_atomic(reinterpret_cast<address>(&word), sizeof word, {.what = what, .operand = 1}, s);
}

/// Whether a value's destructor runs when its thread ends.
bool has_destructor(std::size_t k) {
  const inside in;
  const key& it = keys[k];
  if (it.destroy == nullptr || it.is == key::stage::free) return false;
  return perform_on_gone(k, action::load, site_named("its end")).value == 0;
}

/// Again where a destructor has set values, as often as POSIX has it.
void destroy_values() {
  if (!current().has_values) return;
  bool any = true;
  for (int round = 0; any && round != PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    any = false;
    for (std::size_t k = 0; k != keys.size(); ++k) {
      void* const value = std::exchange(current().values[k], nullptr);
      if (value == nullptr || !has_destructor(k)) continue;
      keys[k].destroy(value);
      any = true;
    }
  }
}

}  // namespace

namespace {

/// A variable that libc++ makes when the first thread begins. Its later threads look whether it is there by an atomic
/// load that nobody is told of, so it is there before any of them.
void make_thread_data() {
  if (void* const make = dlsym(RTLD_DEFAULT, "_ZNSt3__119__thread_local_dataEv"); make != nullptr) {
    reinterpret_cast<void* (*)()>(make)();
  }
}

/// From one thread's block to another's.
void copy_library_variables(std::byte* to, const std::byte* from) {
  constexpr std::size_t usual = 32;  // what libstdc++ has: for so few, a call would take longer
  for (const auto [offset, size] : library_thread_parts()) {
    if (size == usual) {
      __builtin_memcpy(to + offset, from + offset, usual);
    } else {
      std::copy_n(from + offset, size, to + offset);
    }
  }
}
void park_one(parked& it) {
  pthread_t handle{};
  const unsigned before = parked_threads;
  if (real<decltype(&pthread_create)>("pthread_create")(&handle, nullptr, &park, &it) != 0) throw std::bad_alloc();
  while (parked_threads == before) {
    syscall(SYS_futex, &parked_threads, FUTEX_WAIT_PRIVATE, before, nullptr, nullptr, 0);
  }
}

}  // namespace

void park_threads() {
  make_thread_data();
  own_pointer = static_cast<std::byte*>(__builtin_thread_pointer());
  error_number_at = reinterpret_cast<const std::byte*>(&errno) - own_pointer;
  for (unsigned t = 0; t != most; ++t) {
    park_one(parks[t]);
    const std::byte* const from = variables_of(t == 0 ? own_pointer : parks[t].pointer);
    parks[t].image.assign(from, from + thread_local_size());
  }
  // The program has no thread_local variables, and it is known which the libraries have. They are few: to copy them is
  // faster than to change the register.
  share_register = thread_local_size() == 0 && !has_other_libraries();
  if (share_register) park_one(engines);
  keys_before_main = keys;
  values_before_main = threads[0].values;
  had_values_before_main = threads[0].has_values;
  registered_before_main = registered;
}

void watch_thread_locals() {
  for (unsigned t = 0; t != most; ++t) {
    watch_memory(thread_locals_of(t), "thread " + std::to_string(t) + "'s thread_local");
  }
  watch_memory(std::as_bytes(std::span(words_of_keys)), "the keys' end");
  watch_memory(std::as_bytes(std::span(&registered, 1)), "the registrations' end");
}

std::span<const std::byte> thread_locals_of(unsigned t) {
  return {variables_of(parks[t].pointer), thread_local_size()};
}

std::span<const std::byte> values_of(unsigned t) { return std::as_bytes(std::span(threads[t].values)); }

std::uint32_t& registrations() { return registered; }

std::string word_name(address a) {
  if (a == reinterpret_cast<address>(&registered)) return "membarrier's registrations";
  const address offset = a - reinterpret_cast<address>(words_of_keys.data());
  return offset < sizeof words_of_keys ? "key " + std::to_string(offset / sizeof(key_words)) : "";
}

namespace {

/// As it was before it was started.
void reset_thread(unsigned t) {
  if (!parks[t].image.empty()) {
    std::memcpy(variables_of(parks[t].pointer), parks[t].image.data(), parks[t].image.size());
  }
  threads[t].joined = threads[t].detached = threads[t].has_woken_for_nothing = false;
  threads[t].cancel_state = PTHREAD_CANCEL_ENABLE;
  threads[t].cancel_type = PTHREAD_CANCEL_DEFERRED;
  threads[t].error_number = 0;
  threads[t].now = 0;
  threads[t].at = threads[t].thrown = nullptr;
  threads[t].cleanups.clear();
  threads[t].locks.clear();
  if (std::exchange(threads[t].has_values, false)) threads[t].values = {};
  if (t != 0 || !had_values_before_main) return;
  threads[0].values = values_before_main;
  threads[0].has_values = true;
}

void reset_keys() {
  if (!std::exchange(keys_changed, false)) return;
  keys = keys_before_main;
  words_of_keys = {};
}

}  // namespace

void reset_threads() {
  for (unsigned t = 0; t != in_use; ++t) reset_thread(t);
  in_use = 0;
  reset_keys();
  registered = registered_before_main;
  at_exit.clear();
}

unsigned threads_in_use() { return in_use; }

void keep_threads(image& in) {
  in.put(in_use);
  for (unsigned t = 0; t != in_use; ++t) {
    const thread& it = threads[t];
    in.put(static_cast<const thread_facts&>(it));
    const bool has_more = !it.cleanups.empty() || !it.locks.empty() || it.has_values;
    in.put(has_more);
    if (has_more) {
      in.put(it.cleanups);
      in.put(it.locks);
      if (it.has_values) in.put(it.values);
    }
    if (thread_local_size() != 0) in.put_bytes(thread_locals_of(t));
    for (const thread_part& p : library_thread_parts()) in.put_few({parks[t].pointer + p.offset, p.size});
  }
  in.put(keys_changed);
  if (keys_changed) in.put(keys);
  in.put(at_exit);
}

namespace {

/// What most threads have nothing of.
void get_more(thread& it, image::reader& from) {
  bool has_more = false;
  from.get(has_more);
  if (!has_more) {
    it.cleanups.clear();
    it.locks.clear();
    return;
  }
  from.get(it.cleanups);
  from.get(it.locks);
  if (it.has_values) from.get(it.values);
}

}  // namespace

void put_back_threads(image::reader& to) {
  const unsigned in_use_before = std::exchange(in_use, 0);
  to.get(in_use);
  for (unsigned t = in_use; t < in_use_before; ++t) reset_thread(t);
  for (unsigned t = 0; t != in_use; ++t) {
    thread& it = threads[t];
    const bool had_values = it.has_values;
    to.get(static_cast<thread_facts&>(it));
    get_more(it, to);
    if (had_values && !it.has_values) it.values = {};
    if (thread_local_size() != 0) to.get_bytes({variables_of(parks[t].pointer), thread_local_size()});
    for (const thread_part& p : library_thread_parts()) to.get_few({parks[t].pointer + p.offset, p.size});
  }
  reset_keys();
  registered = registered_before_main;  // what has changed since is put back with the other atomics
  to.get(keys_changed);
  if (keys_changed) to.get(keys);
  to.get(at_exit);
}

namespace {

/// Not by the macro: a compiler may keep the address while the register changes.
int& error_number_of(unsigned t) {
  return *reinterpret_cast<int*>((share_register ? own_pointer : parks[t].pointer) + error_number_at);
}

}  // namespace

/// The engine runs on with the thread's register, and uses nothing thread-local but errno and the libraries'.
void enter_thread(unsigned t) {
  in_use = std::max(in_use, t + 1);
  if (share_register) {
    if (std::exchange(are_engines, false)) copy_library_variables(engines.pointer, own_pointer);
    copy_library_variables(own_pointer, parks[t].pointer);
  } else if (__builtin_thread_pointer() != parks[t].pointer) {
    set_thread_pointer(parks[t].pointer);
  }
  error_number_of(t) = threads[t].error_number;
}
void leave_thread(unsigned t) {
  threads[t].error_number = error_number_of(t);
  if (share_register) copy_library_variables(parks[t].pointer, own_pointer);
}
void return_register() {
  if (!share_register) {
    set_thread_pointer(own_pointer);
  } else if (!std::exchange(are_engines, true)) {
    copy_library_variables(own_pointer, engines.pointer);
  }
}

std::int64_t virtual_time() {
  constexpr std::int64_t beginning = 1'000'000'000'000'000'000;
  return beginning + current().now;
}
std::int64_t nanoseconds(const timespec& t) {
  constexpr std::int64_t second = 1'000'000'000;
  std::int64_t all = 0;
  if (__builtin_mul_overflow(std::int64_t{t.tv_sec}, second, &all) || __builtin_add_overflow(all, t.tv_nsec, &all)) {
    all = std::numeric_limits<std::int64_t>::max();
  }
  return t.tv_sec < 0 ? 0 : all;
}
bool is_time(const timespec& t) { return t.tv_nsec >= 0 && t.tv_nsec < 1'000'000'000; }
void pass_time(std::int64_t from, std::int64_t span) {
  std::int64_t until = 0;
  if (__builtin_add_overflow(from, span, &until)) until = std::numeric_limits<std::int64_t>::max();
  current().now += std::max<std::int64_t>(0, until - virtual_time());
}

namespace {

/// Its stack and its thread_local variables end with a thread: whoever still uses them does so after a free. Of a
/// stack, and of many variables, only what was used before is looked at.
void end_memory() {
  const inside in;
  constexpr std::size_t few = 4096;
  const unsigned t = engine().thread();
  static const site& end = site_named("its end");
  note_end(reinterpret_cast<address>(engine().stack_bottom(t) - checker::detail::fiber::stack_size), end);
  const auto variables = thread_locals_of(t);
  if (variables.empty()) return;
  const auto begin = reinterpret_cast<address>(variables.data());
  if (variables.size() > few) return note_end(begin, end);
  note(begin, variables.size(), touch::free, end);
}

}  // namespace

void come_to(const site& s) { current().at = &s; }
const site* last_place_of(unsigned t) { return threads[t].at; }
void remember_throw(const void* caller) {
  if (!is_explored()) return;
  const inside in;
  current().thrown = &site_of(caller);
}
const site* last_throw_of(unsigned t) { return threads[t].thrown; }

bool& has_woken_for_nothing() { return current().has_woken_for_nothing; }

void hold(address lock) {
  const inside in;
  current().locks.push_back(lock);
}
bool let_go(address lock) {
  const inside in;
  std::vector<address>& mine = current().locks;
  // NOLINTNEXTLINE(modernize-use-ranges): base() is needed of what is found
  const auto last = std::find(mine.rbegin(), mine.rend(), lock);
  if (last == mine.rend()) return false;
  mine.erase(std::next(last).base());
  return true;
}

namespace {

[[gnu::cold, gnu::noinline]] void object_to_locks() {
  const inside in;
  name_sites();
  object(violation::assertion, " ends while it has locked " + place_name(current().locks.back()));
}

/// The standard leaves it undefined, and nobody can ever lock that again.
void check_locks() {
  if (!current().locks.empty()) object_to_locks();
}

[[gnu::cold, gnu::noinline]] void object_to_status(int status) {
  const inside in;
  engine().fail(violation::assertion, "main returns " + std::to_string(status));
}

}  // namespace

void run_thread(void* /*program*/, unsigned t) {
  if (t == 0) {
    const int status = run_main();
    run_all(current().cleanups);
    run_all(at_exit);  // the values of its keys stay, as POSIX has it: the process ends
    if (status != 0) object_to_status(status);
  } else {
    engine().begin();
    current().result = current().routine(current().argument);
    run_all(current().cleanups);
    destroy_values();
    check_locks();
    end_memory();
  }
  engine().finish();
}

void check_detached() {
  const checker::detail::graph& g = engine().current();
  const auto of_main = g.thread(0);
  for (unsigned t = 1; t != most; ++t) {
    const auto events = g.thread(t);
    if (!threads[t].detached || events.empty()) continue;
    if (g[events.back()].within(g[of_main.back()].happened)) continue;
    name_sites();
    const char* const started = g[g[events.front()].source].op.site;
    engine().fail(violation::unsupported,
                  checker::detail::thread_name(t) +
                      " is detached, and may still run when main returns: that is not explored [started at " + started +
                      "]",
                  {{events.back(), of_main.back()}});
  }
}

}  // namespace licit::unmodified

using namespace licit::unmodified;  // NOLINT(google-build-using-namespace): what follows is its interface

LICIT_INTERPOSED int pthread_create(pthread_t* handle, const pthread_attr_t* how, void* (*routine)(void*),
                                    void* argument) noexcept {
  if (!is_explored()) {
    if (is_before_main() && !is_of_libc(reinterpret_cast<address>(LICIT_CALLER))) {
      dprintf(STDERR_FILENO, "not supported: a constructor starts a thread before main\n");
      _exit(violated);
    }
    return real<decltype(&pthread_create)>("pthread_create")(handle, how, routine, argument);
  }
  note_plain(handle, sizeof *handle, touch::write, LICIT_CALLER);
  const inside in;
  int detached = PTHREAD_CREATE_JOINABLE;
  if (how != nullptr) pthread_attr_getdetachstate(how, &detached);
  const site& s = site_of(LICIT_CALLER);
  come_to(s);
  const unsigned t = engine().spawn(s.text.data());
  in_use = std::max(in_use, t + 1);
  threads[t].routine = routine;
  threads[t].argument = argument;
  threads[t].detached = detached == PTHREAD_CREATE_DETACHED;
  threads[t].now = current().now;
  *handle = first_handle + t;
  return 0;
}

namespace {

[[gnu::cold, gnu::noinline]] void object_to_join(unsigned t) {
  object(violation::assertion, " joins " + licit::checker::detail::thread_name(t) + ", which is " +
                                   (threads[t].joined ? "joined already" : "detached"));
}

}  // namespace

LICIT_INTERPOSED int pthread_join(pthread_t handle, void** result) {
  if (!is_explored()) return real<decltype(&pthread_join)>("pthread_join")(handle, result);
  const unsigned t = thread_of(handle);
  const inside in;
  if (threads[t].joined || threads[t].detached) object_to_join(t);
  if (t == engine().thread()) return EDEADLK;
  const site& s = site_of(LICIT_CALLER);
  come_to(s);
  engine().join(t, s.text.data());
  threads[t].joined = true;
  current().now = std::max(current().now, threads[t].now);
  if (result != nullptr) {
    note(reinterpret_cast<address>(result), sizeof *result, touch::write, s);
    *result = threads[t].result;
  }
  return 0;
}

LICIT_INTERPOSED int pthread_detach(pthread_t handle) noexcept {
  if (!is_explored()) return real<decltype(&pthread_detach)>("pthread_detach")(handle);
  const unsigned t = thread_of(handle);
  if (threads[t].joined || threads[t].detached) {
    const inside in;
    object(violation::assertion, " detaches " + licit::checker::detail::thread_name(t) + ", which is " +
                                     (threads[t].joined ? "joined" : "detached") + " already");
  }
  threads[t].detached = true;
  return 0;
}

LICIT_INTERPOSED pthread_t pthread_self() noexcept {
  if (is_explored()) return first_handle + engine().thread();
  static const auto system = real<decltype(&pthread_self)>("pthread_self");
  return system();
}

/// The stack is the fiber's.
LICIT_INTERPOSED int pthread_getattr_np(pthread_t handle, pthread_attr_t* found) noexcept {
  if (!is_explored()) return real<decltype(&pthread_getattr_np)>("pthread_getattr_np")(handle, found);
  constexpr std::size_t size = licit::checker::detail::fiber::stack_size;
  const std::byte* const end = engine().stack_bottom(thread_of(handle));
  const inside in;
  pthread_attr_init(found);
  return pthread_attr_setstack(found, const_cast<std::byte*>(end) - size, size);
}

namespace {

/// To cancel is refused, so what a thread says of being cancelled is only given back.
int set_cancel(int& of, int value, std::array<int, 2> allowed, int* before, const void* caller) {
  if (std::ranges::find(allowed, value) == allowed.end()) return EINVAL;
  const int was = std::exchange(of, value);
  if (before == nullptr) return 0;
  note_plain(before, sizeof *before, touch::write, caller);
  *before = was;
  return 0;
}

}  // namespace

LICIT_INTERPOSED int pthread_setcancelstate(int state, int* before) {
  if (!is_explored()) return real<decltype(&pthread_setcancelstate)>("pthread_setcancelstate")(state, before);
  return set_cancel(current().cancel_state, state, {PTHREAD_CANCEL_ENABLE, PTHREAD_CANCEL_DISABLE}, before,
                    LICIT_CALLER);
}
LICIT_INTERPOSED int pthread_setcanceltype(int type, int* before) {
  if (!is_explored()) return real<decltype(&pthread_setcanceltype)>("pthread_setcanceltype")(type, before);
  return set_cancel(current().cancel_type, type, {PTHREAD_CANCEL_DEFERRED, PTHREAD_CANCEL_ASYNCHRONOUS}, before,
                    LICIT_CALLER);
}

/// Signals are refused; so there is none to block.
LICIT_INTERPOSED int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  if (!is_explored()) return real<decltype(&pthread_sigmask)>("pthread_sigmask")(how, set, before);
  if (before != nullptr) sigemptyset(before);
  return 0;
}

LICIT_INTERPOSED pid_t gettid() noexcept {
  constexpr pid_t first = 100'000;
  return is_explored() ? first + static_cast<pid_t>(engine().thread()) : real<decltype(&gettid)>("gettid")();
}

namespace {

/// So that which number a key gets depends on the thread alone that makes it.
key* keys_made_by_this_thread() {
  return keys.data() + std::size_t{keys_of_thread} * (is_explored() ? engine().thread() + 1 : 0);
}
bool is_made_by_this_thread(const key& k) {
  const key* const mine = keys_made_by_this_thread();
  return &k >= mine && &k < mine + keys_of_thread;
}
bool is_key(pthread_key_t number) { return number < keys.size() && keys[number].is == key::stage::used; }

void note_key(pthread_key_t number, touch how, const void* caller) {
  if (number >= keys.size()) return;
  const std::uint32_t& word = words_of_keys[number].is_used;
  note_plain(&word, sizeof word, how, caller);
}

}  // namespace

LICIT_INTERPOSED int pthread_key_create(pthread_key_t* made, void (*destroy)(void*)) noexcept {
  key* const mine = keys_made_by_this_thread();
  key* const found = std::find_if(mine, mine + keys_of_thread,
                                  [](const key& k) { return k.is == key::stage::fresh || k.is == key::stage::free; });
  if (found == mine + keys_of_thread) {
    if (!is_explored()) return EAGAIN;
    const inside in;
    refuse("has more than " + std::to_string(keys_of_thread) + " keys of one thread (pthread_key_create)");
  }
  const auto number = static_cast<pthread_key_t>(found - keys.data());
  note_key(number, touch::write, LICIT_CALLER);
  note_plain(made, sizeof *made, touch::write, LICIT_CALLER);
  *found = {.is = key::stage::used, .destroy = destroy};
  keys_changed = true;
  *made = number;
  for (thread& t : threads) {
    if (t.has_values) t.values[number] = nullptr;
  }
  return 0;
}
LICIT_INTERPOSED int pthread_key_delete(pthread_key_t number) noexcept {
  note_key(number, touch::write, LICIT_CALLER);
  if (!is_key(number)) return EINVAL;
  key& it = keys[number];
  keys_changed = true;
  if (is_made_by_this_thread(it) && !it.of_others) {
    it.is = key::stage::free;
    return 0;
  }
  it.is = key::stage::gone;
  if (!is_explored()) return 0;
  const inside in;
  perform_on_gone(number, action::store, site_of(LICIT_CALLER));
  return 0;
}
LICIT_INTERPOSED void* pthread_getspecific(pthread_key_t number) noexcept {
  note_key(number, touch::read, LICIT_CALLER);
  if (!is_key(number)) return nullptr;
  return is_explored() ? current().values[number] : threads[0].values[number];
}
LICIT_INTERPOSED int pthread_setspecific(pthread_key_t number, const void* value) noexcept {
  note_key(number, touch::read, LICIT_CALLER);
  if (!is_key(number)) return EINVAL;
  if (!is_made_by_this_thread(keys[number]) && !std::exchange(keys[number].of_others, true)) keys_changed = true;
  thread& t = is_explored() ? current() : threads[0];
  t.values[number] = const_cast<void*>(value);
  t.has_values = true;
  return 0;
}

LICIT_INTERPOSED int __cxa_thread_atexit(void (*run)(void*), void* argument, void* library) noexcept {
  if (!is_explored()) {
    static const auto system = real<int (*)(void (*)(void*), void*, void*)>("__cxa_thread_atexit_impl");
    return system(run, argument, library);
  }
  const inside in;
  current().cleanups.push_back({run, argument});
  return 0;
}

LICIT_INTERPOSED int __cxa_atexit(void (*run)(void*), void* argument, void* library) noexcept {
  if (!is_explored()) {
    static const auto system = real<int (*)(void (*)(void*), void*, void*)>("__cxa_atexit");
    return system(run, argument, library);
  }
  const inside in;
  at_exit.push_back({run, argument});
  return 0;
}
