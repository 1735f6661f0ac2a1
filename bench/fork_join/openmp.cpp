// OpenMP: tasks and loops of the compiler's own runtime, libgomp or libomp. Loops are dynamic, by chunks that the
// runtime chooses where it can.
#include <cstddef>
#include <cstdint>
#include <omp.h>
#include <span>

#include "fork_join/measured.hpp"

namespace licit_bench {

namespace {

class openmp_tasks {
 public:
  explicit openmp_tasks(int workers) : workers_{workers} {}
  template <class F>
  void inside(F f) {
#pragma omp parallel num_threads(workers_)
#pragma omp single
    f();
  }
  template <class F, class G>
  void fork(F f, G g) {
#pragma omp task default(shared)
    g();
    f();
#pragma omp taskwait
  }

 private:
  int workers_;
};

class openmp_loops {
 public:
  explicit openmp_loops(int workers) : workers_{workers} {}
  template <class F>
  void inside(F f) {
    f();
  }
  template <class F>
  void loop(std::size_t n, F f) {
#pragma omp parallel for schedule(guided) num_threads(workers_)
    for (std::size_t i = 0; i < n; ++i) f(i);
  }
  std::uint64_t sum(std::span<const std::uint32_t> values) {
    const std::uint32_t* const at = values.data();
    const std::size_t n = values.size();
    std::uint64_t all = 0;
#pragma omp parallel for reduction(+ : all) num_threads(workers_)
    for (std::size_t i = 0; i < n; ++i) all += at[i];
    return all;
  }

 private:
  int workers_;
};

}  // namespace

void add_openmp() {
  add_programs<openmp_tasks, fib, nqueens, uts, matrix, mergesort, sum>("openmp", {1, 2});
  add_programs<openmp_loops, skewed_loop, library_sum, small_loop>("openmp", {1, 2});
}

}  // namespace licit_bench
