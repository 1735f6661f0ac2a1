// Ways to make pop's full fence on x86-64, in licit's own pop: each policy changes that one thing. The reason for the
// choice in deque/native.hpp is what this program measures.
#include <atomic>
#include <string_view>

#include <licit/deque/native.hpp>

#include "peers/licit_deque.hpp"
#include "peers/textbook.hpp"
#include "suite.hpp"

namespace {

using licit::native;

/// licit's policy with seq_cst fences made by `How`.
template <void (*How)()>
struct fenced : native {
  template <class Site>
  static void fence(Site site) {
    if constexpr (Site::entry.success == licit::order::seq_cst) {
      How();
    } else {
      native::fence(site);
    }
  }
};

void mfence() { asm volatile("mfence" : : : "memory"); }
void lock_at_sp() { asm volatile("lock; orl $0, (%%rsp)" : : : "memory", "cc"); }
void lock_8_below() { asm volatile("lock; orl $0, -8(%%rsp)" : : : "memory", "cc"); }
void lock_64_below() { asm volatile("lock; orl $0, -64(%%rsp)" : : : "memory", "cc"); }
void lock_128_below() { asm volatile("lock; orl $0, -128(%%rsp)" : : : "memory", "cc"); }

/// An exchange writes, so the word must be one that the compiler set aside, not one of its red zone.
void xchg_local() {
  int was = 0;
  int word;
  asm volatile("xchgl %0, %1" : "+r"(was), "=m"(word) : : "memory");
}

/// On a line of its own, private to the thread.
void lock_thread_local() {
  alignas(64) static thread_local int word = 0;
  asm volatile("lock; orl $0, %0" : "+m"(word) : : "memory", "cc");
}

/// No fence: the reservation itself is a locked exchange.
struct exchanged : native {
  template <class T>
  struct atomic : native::atomic<T> {
    using native::atomic<T>::atomic;

    template <class Site>
    void store(T value, Site site) {
      if constexpr (std::string_view(Site::entry.site) == "pop.reserve") {
        asm volatile("xchgq %0, %1" : "+r"(value), "+m"(*this) : : "memory");
      } else {
        native::atomic<T>::store(value, site);
      }
    }
  };

  template <class Site>
  static void fence(Site site) {
    if constexpr (std::string_view(Site::entry.site) == "pop.fence") {
      std::atomic_signal_fence(std::memory_order_seq_cst);
    } else {
      native::fence(site);
    }
  }
};

void none() { std::atomic_signal_fence(std::memory_order_seq_cst); }

template <class Policy>
bool add(const char* name) {
  return licit_bench::add_owner_suite<licit_bench::licit_deque_over<Policy>>(name);
}

}  // namespace

int main(int argc, char** argv) {
  licit_bench::add_owner_suite<licit_bench::textbook>("textbook");
  add<native>("licit");
  add<fenced<mfence>>("mfence");
  add<fenced<lock_at_sp>>("lock or (rsp)");
  add<fenced<lock_8_below>>("lock or -8(rsp)");
  add<fenced<lock_64_below>>("lock or -64(rsp)");
  add<fenced<lock_128_below>>("lock or -128(rsp)");
  add<fenced<lock_thread_local>>("lock or thread_local");
  add<fenced<xchg_local>>("xchg of a local");
  add<exchanged>("xchg of the store");
  add<fenced<none>>("no fence (wrong)");
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
