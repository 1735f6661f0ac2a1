// Code that the compiler does not instrument, in programs that run it and in programs that do not. Compiled twice: with
// LICIT_UNSEEN as a unit of its own, without the instrumentation. The argument is the program's name.
#include <atomic>
#include <cassert>
#include <cstring>
#include <locale>
#include <sstream>
#include <sys/syscall.h>
#include <thread>

struct pair {
  int first = 0;
  int second = 0;
};
int square(int n);
int prime(int i);
int sum_of_squares(int n);
void count(int& n);
void count_global();
extern int global;
struct numbers {
  long all[20] = {};
};
numbers first_numbers(int n);
int own_numbers(int n);
int by_way(int way, int n);
long& add_one(long& n);
long& set_to(long& n, long value);

#ifdef LICIT_UNSEEN

/// What a unit may do without the instrumentation: nothing that another thread could see.
int square(int n) { return n * n; }
int prime(int i) {
  static const int primes[]{2, 3, 5, 7, 11, 13, 17, 19};
  return primes[i];
}
int sum_of_squares(int n) {
  volatile int sum = 0;
  for (int i = 1; i <= n; ++i) sum = sum + square(i);
  return sum;
}
void count(int& n) { ++n; }
int global = 0;
void count_global() { ++global; }
/// The object that the caller gets. g++ tells nothing of it in instrumented code either.
numbers first_numbers(int n) {
  numbers some;
  for (int i = 0; i != 20; ++i) some.all[i] = i < n ? i : 0;
  return some;
}
int own_numbers(int n) {
  int some[64];
  for (int i = 0; i != 64; ++i) some[i] = i * n;
  int sum = 0;
  for (int i = 63; i >= 0; --i) sum += some[i] + some[(i + n) % 64];
  return sum;
}
int by_way(int way, int n) {
  switch (way) {
    case 0: return n * 3;
    case 1: return n / 77;
    case 2: return n << 9;
    case 3: return n % 1234;
    case 4: return prime(n);
    case 5: return prime(n) + prime(n + 1);
    default: return n;
  }
}
long& add_one(long& n) {
  ++n;
  return n;
}
long& set_to(long& n, long value) {
  n = value;
  return n;
}

#else

namespace {

std::atomic<int> flag{0};
int data = 0;

/// Two threads do it. If that is a race that nobody sees, the program is not right, and is not to be called so.
template <class F>
void beside(const F& run) {
  std::thread other(run);
  run();
  other.join();
}

void pure() {
  beside([] {
    assert(square(3) == 9);
    assert(sum_of_squares(3) == 14);
    assert(prime(3) == 7);
  });
}
void by_reference() {
  static int n = 0;
  beside([] { count(n); });
}
void by_name() { beside(&count_global); }
void wrong_count() {
  static int n = 0;
  count(n);
  assert(n == 2);
}
void own_memory() {
  beside([] {
    assert(own_numbers(1) == 4032);
    assert(by_way(2, 1) == 512 && by_way(4, 3) == 7 && by_way(7, 1) == 1);
  });
}
void result() {
  beside([] { assert(first_numbers(9).all[8] == 8); });
}
/// These return their first argument, as a function does that builds what it returns. What is read first was there.
void argument_returned() {
  static long n = 0;
  beside([] { add_one(n); });
}
void argument_written() {
  static long n = 0;
  beside([] { set_to(n, 1); });
}

struct shape {
  virtual ~shape() = default;
  virtual int sides() const { return 0; }
  virtual const shape* self() const { return this; }
};
struct square_shape : virtual shape {
  int sides() const override { return 4; }
  const square_shape* self() const override { return this; }
  int length = 3;
};
int later(int n) {
  flag.load();
  return n;
}
/// Of what cannot be shared the compiler tells nothing: here it tells of functions alone.
[[gnu::noinline]] numbers told_result(int n) {
  numbers some;
  some.all[0] = later(n);
  for (int i = 1; i != 20; ++i) some.all[i] = some.all[i - 1] + n;
  return some;
}
[[gnu::noinline]] int told_array(int n) {
  int some[64];
  for (int i = 0; i != 64; ++i) some[i] = i * n;
  later(n);
  int sum = 0;
  for (int i = 63; i >= 0; --i) sum += some[i];
  return sum;
}
[[gnu::noinline]] int sides_of(const shape& s) { return s.self()->sides(); }
void told() {
  beside([] {
    assert(told_result(2).all[19] == 40);
    assert(told_array(1) == 2016);
    assert(sides_of(square_shape{}) == 4);
  });
}
/// The number of the facet is in the program, and what it counts in the library: they are put back together.
void prints() {
  const std::locale::id* volatile in_program = &std::ctype<char>::id;
  assert(in_program != nullptr);
  std::ostringstream text;
  text << std::use_facet<std::ctype<char>>(text.getloc()).toupper('x') << 2.5;
  assert(text.str() == "X2.5");
}
/// It is in the program, and nobody calls it.
void not_called() {
  if (flag.load() == 1) count_global();
  beside([] { flag.store(2); });
}
/// Its initial value is there before any execution.
void before_main() {
  beside([] { assert(global == 0); });
}

#if defined(__x86_64__)
void adds_in_assembly() {
  beside([] { asm volatile("lock addl $1, %0" : "+m"(data) : : "memory", "cc"); });
}
void exchanges_in_assembly() {
  beside([] {
    int one = 1;
    asm volatile("xchgl %0, %1" : "+r"(one), "+m"(data) : : "memory");
  });
}
void stores_in_assembly() {
  std::thread other([] {
    asm volatile("movl $1, %0" : "=m"(data) : : "memory");
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) assert(data == 1);
  other.join();
}
void copies_in_assembly() {
  beside([] {
    int one = 1;
    void* to = &data;
    const void* from = &one;
    unsigned long n = sizeof one;
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
  });
}
void fence_in_assembly() {
  std::atomic<int> x{0};
  std::atomic<int> y{0};
  int a = 0;
  const auto fence = [] { asm volatile("mfence" : : : "memory"); };
  std::thread other([&] {
    x.store(1, std::memory_order_relaxed);
    fence();
    a = y.load(std::memory_order_relaxed);
  });
  y.store(1, std::memory_order_relaxed);
  fence();
  const int b = x.load(std::memory_order_relaxed);
  other.join();
  assert(a + b != 0);
}
void fence_by_builtin() {
  beside([] {
    flag.store(1, std::memory_order_relaxed);
    __builtin_ia32_mfence();
  });
}
void fence_on_the_stack() {
  beside([] { asm volatile("lock orl $0, (%%rsp)" : : : "memory", "cc"); });
}
void calls_the_system() {
  beside([] {
    long result = SYS_getpid;
    asm volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
  });
}
/// These say nothing to other threads.
void harmless_assembly() {
  beside([] {
    asm volatile("" : : : "memory");
    asm volatile("pause");
    unsigned low = 0;
    unsigned high = 0;
    asm volatile("rdtsc" : "=a"(low), "=d"(high));
    unsigned long swapped = 1;
    asm("bswap %0" : "+r"(swapped));
    assert(swapped == 1UL << 56U);
  });
}
/// Not in any execution.
void assembly_not_reached() {
  beside([] {
    if (flag.load() == 7) asm volatile("lock addl $1, %0; mfence" : "+m"(data) : : "memory", "cc");
  });
}
#endif

struct program {
  const char* name;
  void (*run)();
};
constexpr program programs[]{{"pure", &pure},
                             {"by_reference", &by_reference},
                             {"by_name", &by_name},
                             {"wrong_count", &wrong_count},
                             {"own_memory", &own_memory},
                             {"result", &result},
                             {"told", &told},
                             {"argument_returned", &argument_returned},
                             {"argument_written", &argument_written},
                             {"prints", &prints},
                             {"not_called", &not_called},
                             {"before_main", &before_main},
#if defined(__x86_64__)
                             {"adds_in_assembly", &adds_in_assembly},
                             {"exchanges_in_assembly", &exchanges_in_assembly},
                             {"stores_in_assembly", &stores_in_assembly},
                             {"copies_in_assembly", &copies_in_assembly},
                             {"fence_in_assembly", &fence_in_assembly},
                             {"fence_by_builtin", &fence_by_builtin},
                             {"fence_on_the_stack", &fence_on_the_stack},
                             {"calls_the_system", &calls_the_system},
                             {"harmless_assembly", &harmless_assembly},
                             {"assembly_not_reached", &assembly_not_reached}
#endif
};

}  // namespace

int main(int argc, char** argv) {
  for (const program& p : programs) {
    if (argc > 1 && std::strcmp(p.name, argv[1]) == 0) {
      p.run();
      return 0;
    }
  }
  return 3;
}

#endif
