// oneTBB, and the standard's parallel algorithms over it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <execution>
#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include "fork_join/measured.hpp"

namespace licit_bench {

namespace {

/// The calling thread is one of the workers.
class tbb_runtime {
 public:
  explicit tbb_runtime(int workers)
      : limit_{tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(workers)}, arena_{workers} {
    arena_.initialize();
  }
  template <class F>
  void inside(F f) {
    arena_.execute(f);
  }
  template <class F, class G>
  void fork(F f, G g) {
    tbb::parallel_invoke(f, g);
  }
  template <class F>
  void loop(std::size_t n, F f) {
    tbb::parallel_for(std::size_t{0}, n, f);
  }
  std::uint64_t sum(std::span<const std::uint32_t> values) {
    return tbb::parallel_reduce(
        tbb::blocked_range<const std::uint32_t*>(values.data(), values.data() + values.size()), std::uint64_t{0},
        [](const auto& range, std::uint64_t all) { return sum_of(range.begin(), range.end(), all); }, std::plus<>());
  }
  void sort(std::span<std::uint32_t> values) { tbb::parallel_sort(values.begin(), values.end()); }

 private:
  tbb::global_control limit_;
  tbb::task_arena arena_;
};

/// No fork: loops, sums and sorts only.
class standard {
 public:
  explicit standard(int workers) : under_{workers} {}
  template <class F>
  void inside(F f) {
    under_.inside(f);
  }
  template <class F>
  void loop(std::size_t n, F f) {
    // Its algorithms want references: an iterator that counts would be taken for one that must be read in order.
    if (places_.size() != n) places_.resize(n);
    const char* const first = places_.data();
    std::for_each(std::execution::par, first, first + n,
                  [&](const char& at) { f(static_cast<std::size_t>(&at - first)); });
  }
  std::uint64_t sum(std::span<const std::uint32_t> values) {
    return std::reduce(std::execution::par, values.data(), values.data() + values.size(), std::uint64_t{0});
  }
  void sort(std::span<std::uint32_t> values) {
    std::sort(std::execution::par, values.data(), values.data() + values.size());
  }

 private:
  tbb_runtime under_;
  std::vector<char> places_;
};

}  // namespace

void add_tbb() {
  add_all<tbb_runtime>("tbb");
  add_programs<standard, library_sort, skewed_loop, library_sum, small_loop>("standard", {1, 2});
}

}  // namespace licit_bench
