// Where threads, stacks and the program end: programs as a user writes them. The argument says which.
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <pthread.h>
#include <shared_mutex>
#include <string>
#include <system_error>
#include <thread>
#include <ucontext.h>
#include <unistd.h>

#include <licit/check.h>

namespace {

/// A thread's own variables are gone when it has ended, whether it was joined or not.
void uses_a_stack_that_ended() {
  std::atomic<int*> left{nullptr};
  std::thread other([&] {
    int own = 1;
    left.store(&own, std::memory_order_relaxed);
  });
  other.join();
  licit_outcome("%d", *left.load(std::memory_order_relaxed) == 1);
}
void uses_a_thread_local_that_ended() {
  int* left = nullptr;
  std::thread other([&] {
    static thread_local int own = 1;
    left = &own;
  });
  other.join();
  licit_outcome("%d", *left);
}
void waits_for_no_end() {
  std::atomic<int*> left{nullptr};
  std::thread other([&] {
    int own = 1;
    left.store(&own, std::memory_order_release);
  });
  if (const int* const p = left.load(std::memory_order_acquire); p != nullptr) licit_outcome("%d", *p == 1);
  other.join();
}
/// Here the thread waits until nobody uses its variable any more.
void waits_for_its_users() {
  std::atomic<int*> shown{nullptr};
  std::thread other([&] {
    int own = 1;
    shown.store(&own, std::memory_order_release);
    while (shown.load(std::memory_order_acquire) != nullptr) std::this_thread::yield();
    assert(own == 2);
  });
  int* p = nullptr;
  while ((p = shown.load(std::memory_order_acquire)) == nullptr) std::this_thread::yield();
  *p = 2;
  shown.store(nullptr, std::memory_order_release);
  other.join();
}

void joins_itself() {
  pthread_t self = pthread_self();
  assert(pthread_join(self, nullptr) == EDEADLK);
}
void joins_twice() {
  std::thread other([] {});
  const pthread_t handle = other.native_handle();
  other.join();
  pthread_join(handle, nullptr);
}
void does_not_join() {
  std::thread([] {});
}  // NOLINT(bugprone-unused-raii): std::terminate

/// The compiler has to have a frame of this size.
void need(char* frame) { asm volatile("" : : "r"(frame) : "memory"); }
int descend(int depth) {
  char frame[1000];
  need(frame);
  const int below = depth == 0 ? 0 : descend(depth - 1);
  need(frame);
  return below + 1;
}
void needs_a_deep_stack() { licit_outcome("%d", descend(2000)); }
void needs_a_wide_stack() {
  char frame[400 << 10];
  need(frame);
  licit_outcome("%d", descend(1));
  need(frame);
}

ucontext_t outer;
ucontext_t inner;
char stack_of_inner[1 << 16];
void makes_a_stack() {
  getcontext(&inner);
  inner.uc_stack = {.ss_sp = stack_of_inner, .ss_flags = 0, .ss_size = sizeof stack_of_inner};
  inner.uc_link = &outer;
  makecontext(&inner, [] { descend(1); }, 0);
  swapcontext(&outer, &inner);
}

void writes_to_null() {
  struct pair {
    int first;
    int second;
  };
  std::atomic<pair*> p{nullptr};
  p.load()->second = 1;
}
void writes_to_nowhere() {
  std::atomic<std::uintptr_t> p{0x123456789000};
  *reinterpret_cast<int*>(p.load()) = 1;
}

/// Threads that others wait for without an atomic.
void spins_on_a_plain_variable() {
  static volatile bool ready = false;
  std::thread other([] { ready = true; });
  while (!ready) {
  }
  other.join();
}

void unlocks_what_another_writes() {
  std::shared_mutex m;
  std::atomic<bool> locked{false};
  std::thread other([&] {
    m.lock();
    locked.store(true);
    while (locked.load()) std::this_thread::yield();
    m.unlock();
  });
  while (!locked.load()) std::this_thread::yield();
  m.unlock();
  locked.store(false);
  other.join();
}

void resizes_to_nothing() {
  void* const p = std::malloc(8);
  void* volatile none = std::realloc(p, 0);  // NOLINT(bugprone-suspicious-realloc-usage)
  assert(none == nullptr);
}

/// What libc allocates for the program is the program's: raced for, and lost.
void races_for_a_copy() {
  char* const copy = strdup("abc");
  std::thread other([&] { copy[0] = 'x'; });
  copy[0] = 'y';
  other.join();
  std::free(copy);
}
void loses_a_copy() {
  char* volatile copy = nullptr;
  if (asprintf(const_cast<char**>(&copy), "%d", 5) < 0) std::abort();
  copy = nullptr;
}

thread_local int* volatile only_pointer = nullptr;

/// What a thread has for itself ends with the thread.
void leaks_at_the_end_of_a_thread() {
  std::thread([] { only_pointer = new int(1); }).join();
}

void sleeps() { assert(sleep(1) == 0); }

/// A function of libc's that is linked into each program, and is not compiled with the instrumentation.
void says_at_exit() {
  if (std::atexit([] { licit_outcome("at exit"); }) != 0) std::abort();
  if (pthread_atfork(nullptr, nullptr, nullptr) != 0) std::abort();
}

const std::map<std::string, void (*)()> programs{
    {"stack", uses_a_stack_that_ended},
    {"thread_local", uses_a_thread_local_that_ended},
    {"unjoined", waits_for_no_end},
    {"awaited", waits_for_its_users},
    {"joins_itself", joins_itself},
    {"joins_twice", joins_twice},
    {"joinable", does_not_join},
    {"deep", needs_a_deep_stack},
    {"wide", needs_a_wide_stack},
    {"context", makes_a_stack},
    {"null", writes_to_null},
    {"nowhere", writes_to_nowhere},
    {"plain_spin", spins_on_a_plain_variable},
    {"foreign_unlock", unlocks_what_another_writes},
    {"realloc", resizes_to_nothing},
    {"copy", races_for_a_copy},
    {"copy_lost", loses_a_copy},
    {"leak", leaks_at_the_end_of_a_thread},
    {"sleep", sleeps},
    {"at_exit", says_at_exit},
};

}  // namespace

int main(int argc, char** argv) {
  const auto found = programs.find(argc == 2 ? argv[1] : "");
  if (found == programs.end()) return 3;
  found->second();
}
