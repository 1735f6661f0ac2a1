// Ways to make pop's full fence on x86-64, in licit's own pop: each policy changes that one thing. The reason for the
// choice in deque/native.hpp is what this program measures. Then the asymmetric fences, and what a heavy one costs the
// thread that it interrupts (deque/README.md, "Asymmetric fences").
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <thread>

#include <licit/deque/asymmetric.hpp>
#include <licit/deque/native.hpp>

#include "peers/licit.hpp"
#include "peers/textbook.hpp"
#include "suite.hpp"

namespace {

using licit::native;

/// licit's policy with seq_cst fences made by `How`.
template <void (*How)()>
struct fenced : native {
  struct fences {
    template <class Site>
    void operator()(Site site) const {
      if constexpr (Site::entry.success == licit::order::seq_cst) {
        How();
      } else {
        native::fence(site);
      }
    }
  };
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

  struct fences {
    template <class Site>
    void operator()(Site site) const {
      if constexpr (std::string_view(Site::entry.site) == "pop.fence") {
        native::compiler_barrier();
      } else {
        native::fence(site);
      }
    }
  };
};

void none() { std::atomic_signal_fence(std::memory_order_seq_cst); }

template <class Policy>
bool add(const char* name) {
  return licit_bench::add_owner_suite<licit_bench::licit_deque_over<Policy>>(name);
}

constexpr licit::table fence_orders{"fences",
                                    {
                                        licit::rows::light_fence("light", {"heavy"}, "measured"),
                                        licit::rows::heavy_fence("heavy", {"light"}, "measured"),
                                        licit::rows::fence("full", licit::order::seq_cst, {"full"}, "measured"),
                                    }};

template <licit::fixed_string Name>
void fence(benchmark::State& state) {
  const licit::chosen_fences fences;
  std::uint64_t busy = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(busy += 1);
    fences(licit::site_of<fence_orders, Name>);
  }
  licit_bench::count(state, licit_bench::runs(state));
}

/// Does `work` again and again on a thread of its own.
class beside {
 public:
  template <class Work>
  explicit beside(Work work) {
    thread_ = std::thread([this, work] {
      std::uint64_t times = 0;
      for (; !over_.load(std::memory_order_relaxed); ++times) {
        work();
        started_.store(true, std::memory_order_relaxed);
      }
      times_ = times;
    });
    while (!started_.load(std::memory_order_relaxed)) std::this_thread::yield();
  }
  beside(const beside&) = delete;
  beside& operator=(const beside&) = delete;
  ~beside() { (void)end(); }

  /// How often it was done.
  std::uint64_t end() {
    over_.store(true, std::memory_order_relaxed);
    if (thread_.joinable()) thread_.join();
    return times_;
  }

 private:
  std::atomic<bool> started_{false};
  std::atomic<bool> over_{false};
  std::uint64_t times_ = 0;
  std::thread thread_;
};

/// The heavy fence while another thread of the process computes.
void fence_beside_a_thread(benchmark::State& state) {
  beside other([] { native::compiler_barrier(); });
  fence<"heavy">(state);
}

/// push_pop while another thread does nothing but heavy fences; `fences` is how many there were a microsecond.
template <bool Fences>
void interrupted(benchmark::State& state) {
  const auto start = std::chrono::steady_clock::now();
  beside other([fences = licit::chosen_fences()] {
    if constexpr (Fences) {
      fences(licit::site_of<fence_orders, "heavy">);
    } else {
      (void)fences;
      native::compiler_barrier();
    }
  });
  licit_bench::push_pop<licit_bench::licit_asymmetric>(state);
  const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - start;
  const auto times = static_cast<double>(other.end());
  if (Fences) state.counters["fences/us"] = times / passed.count();
}

void add_asymmetric() {
  std::printf("%s\n", licit::asymmetric_fences().text().c_str());
  add<licit::asymmetric<native>>("licit, asymmetric");
  benchmark::RegisterBenchmark("fence/full", fence<"full">);
  benchmark::RegisterBenchmark("fence/light", fence<"light">);
  benchmark::RegisterBenchmark("fence/heavy, alone", fence<"heavy">);
  benchmark::RegisterBenchmark("fence/heavy, another thread running", fence_beside_a_thread);
  benchmark::RegisterBenchmark("push_pop beside/a thread that computes", interrupted<false>);
  benchmark::RegisterBenchmark("push_pop beside/a thread of heavy fences", interrupted<true>);
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
  add_asymmetric();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
