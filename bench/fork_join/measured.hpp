/// Registers the programs with a runtime: program/runtime/workers, timed inside the runtime. Among them are the sums:
/// by fork alone, with one leaf for all, and each runtime's own.
#ifndef LICIT_BENCH_FORK_JOIN_MEASURED_HPP
#define LICIT_BENCH_FORK_JOIN_MEASURED_HPP

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>

#include "fork_join/programs.hpp"

namespace licit_bench {

/// An array that is larger than the caches.
struct summed {
  const sizes& size;
  std::vector<std::uint32_t> values = made(size.summed);
  static std::vector<std::uint32_t> made(std::size_t n) {
    std::vector<std::uint32_t> all(n);
    for (std::size_t i = 0; i != n; ++i) all[i] = static_cast<std::uint32_t>(i * 2654435761U);
    return all;
  }
};

/// A leaf of the sum. Not inlined: the same instructions whoever calls it.
[[gnu::noinline]] inline std::uint64_t sum_of(const std::uint32_t* first, const std::uint32_t* last,
                                              std::uint64_t all = 0) {
  for (; first != last; ++first) all += *first;
  return all;
}

/// Its sum by fork alone, by halves down to 8,192 numbers.
struct sum : summed {
  static constexpr const char* name = "sum";
  template <class Runtime>
  static std::uint64_t of(Runtime& run, const std::uint32_t* first, const std::uint32_t* last) {
    if (last - first <= 8192) return sum_of(first, last);
    const std::uint32_t* const middle = first + (last - first) / 2;
    std::uint64_t left = 0;
    std::uint64_t right = 0;
    run.fork([&] { left = of(run, first, middle); }, [&] { right = of(run, middle, last); });
    return left + right;
  }
  template <class Runtime>
    requires requires(Runtime& run) { run.fork([] {}, [] {}); }
  std::uint64_t operator()(Runtime& run) {
    return of(run, values.data(), values.data() + values.size());
  }
};

/// The runtime's own sum.
struct library_sum : summed {
  static constexpr const char* name = "library_sum";
  template <class Runtime>
    requires requires(Runtime& run) { run.sum(std::span<const std::uint32_t>()); }
  std::uint64_t operator()(Runtime& run) {
    return run.sum(std::span<const std::uint32_t>(values));
  }
};

/// Plain calls: the floor.
class serial {
 public:
  explicit serial(int /*workers*/) {}
  template <class F>
  void inside(F f) {
    f();
  }
  template <class F, class G>
  [[gnu::always_inline]] void fork(F f, G g) {
    f();
    g();
  }
  template <class F>
  void loop(std::size_t n, F f) {
    for (std::size_t i = 0; i != n; ++i) f(i);
  }
  std::uint64_t sum(std::span<const std::uint32_t> values) {
    return sum_of(values.data(), values.data() + values.size());
  }
  void sort(std::span<std::uint32_t> values) { std::sort(values.begin(), values.end()); }
};

/// The numbers that the programs take: those of --tiny, or the whole.
const sizes& chosen();

/// A program's result: what it returned, or what it left.
template <class Program>
std::uint64_t result_of(const Program& program, std::uint64_t returned) {
  if constexpr (requires { program.result(); }) {
    return program.result();
  } else {
    return returned;
  }
}

/// Calls it once, and returns the seconds.
template <class Program, class Runtime>
double once(Program& program, Runtime& run, std::uint64_t& result) {
  if constexpr (requires { program.prepare(); }) program.prepare();
  double seconds = 0;
  std::uint64_t returned = 0;
  run.inside([&] {
    if constexpr (requires { Program::begins_idle; }) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const auto begin = std::chrono::steady_clock::now();
    returned = program(run);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  });
  result = result_of(program, returned);
  return seconds;
}

/// Of the chosen sizes, which are the program's first member, or its base's.
template <class Program>
Program made() {
  if constexpr (requires { Program{{chosen()}}; }) {
    return Program{{chosen()}};
  } else {
    return Program{chosen()};
  }
}

/// Times the median of three to five calls, so that one interrupted call does not decide a repetition.
template <class Program, class Runtime>
void measure(benchmark::State& state, int workers) {
  Program program = made<Program>();
  serial plain(1);
  std::uint64_t expected = 0;
  (void)once(program, plain, expected);
  Runtime run(workers);
  std::uint64_t result = 0;
  (void)once(program, run, result);  // threads start, memory is touched
  for (auto _ : state) {
    std::vector<double> calls;
    double total = 0;
    while (calls.size() < 3 || (calls.size() < 5 && total < 0.2)) {
      calls.push_back(once(program, run, result));
      total += calls.back();
      if (result != expected) return state.SkipWithError("the result is not the serial one");
    }
    std::ranges::nth_element(calls, calls.begin() + calls.size() / 2);
    state.SetIterationTime(calls[calls.size() / 2]);
  }
}

template <class Program, class Runtime>
void add(const std::string& runtime, int workers) {
  if constexpr (requires(Program& program, Runtime& run) { program(run); }) {
    const std::string name = std::string(Program::name) + "/" + runtime + "/" + std::to_string(workers);
    auto* const made = benchmark::RegisterBenchmark(
        name.c_str(), [workers](benchmark::State& s) { measure<Program, Runtime>(s, workers); });
    made->UseManualTime()->Unit(benchmark::kMillisecond);
    // Its pauses are not counted.
    if constexpr (requires { Program::begins_idle; }) made->MinTime(0.003);
  }
}

template <class Runtime, class... Programs>
void add_programs(const std::string& runtime, std::initializer_list<int> workers) {
  for (const int each : workers) (add<Programs, Runtime>(runtime, each), ...);
}
template <class Runtime>
void add_all(const std::string& runtime, std::initializer_list<int> workers = {1, 2}) {
  add_programs<Runtime, fib, nqueens, uts, matrix, mergesort, library_sort, skewed_loop, sum, library_sum, small_loop>(
      runtime, workers);
}

// Each in a file of its own.
void add_licit();
void add_crews();
void add_tbb();
void add_openmp();
void add_rayon();

}  // namespace licit_bench

#endif
