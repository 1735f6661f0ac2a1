// licit_fork_join_bench: fork-join programs with licit and its peers. Every benchmark is program/runtime/workers.
//
//   licit_fork_join_bench [--tiny | --planted] [Google Benchmark's options]
//
// --tiny: small numbers. --planted: small numbers, and a runtime that is wrong.
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>

#include <benchmark/benchmark.h>

#include "fork_join/measured.hpp"

namespace licit_bench {

namespace {

const sizes* sizes_now = &whole;

class licit_runtime {
 public:
  explicit licit_runtime(int workers, licit::join_fences fences = licit::join_fences::chosen)
      : scheduler_{{.workers = static_cast<std::size_t>(workers), .join_fences = fences}} {}
  template <class F>
  void inside(F f) {
    scheduler_.spawn([&f] { f(); }).get();
  }
  template <class F, class G>
  void fork(F f, G g) {
    (void)licit::join(f, g);
  }
  template <class F>
  void loop(std::size_t n, F f) {
    licit::parallel_for(std::size_t{0}, n, f);
  }
  std::uint64_t sum(std::span<const std::uint32_t> values) {
    return licit::parallel_reduce(values.begin(), values.end(), std::uint64_t{0});
  }
  void sort(std::span<std::uint32_t> values) { licit::parallel_sort(values.begin(), values.end()); }

 private:
  licit::scheduler scheduler_;
};

/// The halves' values are the join's, as one writes it.
struct fib_of_values : fib {
  [[gnu::noinline]] static std::uint64_t of(int n) {
    if (n < 2) return static_cast<std::uint64_t>(n);
    const auto [a, b] = licit::join([n] { return of(n - 1); }, [n] { return of(n - 2); });
    return a + b;
  }
  template <class Runtime>
  std::uint64_t operator()(Runtime& /*run*/) {
    return of(size.fib);
  }
  std::uint64_t operator()(serial& run) { return fib::operator()(run); }
};

/// With full fences in its joins.
class fenced_runtime : public licit_runtime {
 public:
  explicit fenced_runtime(int workers) : licit_runtime(workers, licit::join_fences::full) {}
};

/// Its join behind calls through pointers, as rayon's is in these programs.
class called_runtime : public licit_runtime {
 public:
  using licit_runtime::licit_runtime;
  struct callable {
    void (*call)(void*);
    void* with;
    void operator()() const { call(with); }
  };
  template <class F>
  static callable of(F& f) {
    return {[](void* with) { (*static_cast<F*>(with))(); }, &f};
  }
  [[gnu::noinline]] static void join(callable f, callable g) { (void)licit::join(f, g); }
  template <class F, class G>
  void fork(F f, G g) {
    join(of(f), of(g));
  }
};

/// Wrong on purpose: it forgets the second half of each hundredth fork.
class planted : public serial {
 public:
  using serial::serial;
  template <class F, class G>
  void fork(F f, G g) {
    f();
    if (++forks_ % 100 != 0) g();
  }

 private:
  unsigned forks_ = 0;
};

licit::task<std::uint64_t> coroutine_fib(int n) {
  if (n < 2) co_return static_cast<std::uint64_t>(n);
  auto a = licit::spawn(coroutine_fib(n - 1));
  const std::uint64_t b = co_await coroutine_fib(n - 2);
  co_return co_await a + b;
}
licit::task<std::uint64_t> joined_fib(int n) {
  if (n < 2) co_return static_cast<std::uint64_t>(n);
  const auto [a, b] = co_await licit::join(joined_fib(n - 1), joined_fib(n - 2));
  co_return a + b;
}
template <licit::task<std::uint64_t> (*Coroutine)(int)>
struct fib_of_coroutines : fib {
  template <class Runtime>
  std::uint64_t operator()(Runtime& run) {
    return run.of(Coroutine(size.fib));
  }
  std::uint64_t operator()(serial& run) { return fib::operator()(run); }
};
/// A fork is a spawn and two awaits, or one of a join.
class coroutines {
 public:
  explicit coroutines(int workers) : scheduler_{{.workers = static_cast<std::size_t>(workers)}} {}
  template <class F>
  void inside(F f) {
    f();
  }
  std::uint64_t of(licit::task<std::uint64_t> body) { return scheduler_.spawn(std::move(body)).get(); }

 private:
  licit::scheduler scheduler_;
};

}  // namespace

const sizes& chosen() { return *sizes_now; }

void add_licit() {
  add_programs<licit_runtime, fib_of_values, nqueens, uts, matrix, mergesort, library_sort, skewed_loop, sum,
               library_sum, small_loop>("licit", {1, 2});
  add_programs<fenced_runtime, fib_of_values, nqueens, uts, matrix, mergesort, library_sort, skewed_loop, sum,
               library_sum, small_loop>("licit-full-fences", {1, 2});
  add_programs<called_runtime, fib, nqueens, uts>("licit-called", {1, 2});
  add_programs<coroutines, fib_of_coroutines<coroutine_fib>>("licit-coroutines", {1, 2});
  add_programs<coroutines, fib_of_coroutines<joined_fib>>("licit-joined-coroutines", {1, 2});
}

}  // namespace licit_bench

int main(int argc, char** argv) {
  using namespace licit_bench;
  const std::string_view first = argc > 1 ? argv[1] : "";
  const bool wrong = first == "--planted";
  if (wrong || first == "--tiny") {
    sizes_now = &tiny;
    argv[1] = argv[0];
    ++argv;
    --argc;
  }
  if (wrong) add_programs<planted, fib, nqueens>("planted", {1});
  add_all<serial>("serial", {1});
  add_licit();
  add_crews();
#ifdef LICIT_TBB
  add_tbb();
#endif
#ifdef LICIT_OPENMP
  add_openmp();
#endif
#ifdef LICIT_RAYON
  add_rayon();
#endif
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
