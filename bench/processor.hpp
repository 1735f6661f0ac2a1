/// Where a thread runs: two threads that are to meet across caches must not share a processor.
#ifndef LICIT_BENCH_PROCESSOR_HPP
#define LICIT_BENCH_PROCESSOR_HPP

#include <cstddef>
#include <sched.h>

namespace licit_bench {

/// Keeps the calling thread on the nth of the processors that it may use (modulo their number), to the end of the
/// scope. Threads that it starts meanwhile stay there too.
class on_processor {
 public:
  explicit on_processor(std::size_t n) {
    if (sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    n %= static_cast<std::size_t>(CPU_COUNT(&before_));
    std::size_t processor = 0;
    while (!CPU_ISSET(processor, &before_) || n-- != 0) ++processor;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    kept_ = sched_setaffinity(0, sizeof one, &one) == 0;
  }
  on_processor(const on_processor&) = delete;
  on_processor& operator=(const on_processor&) = delete;
  ~on_processor() {
    if (kept_) sched_setaffinity(0, sizeof before_, &before_);
  }

 private:
  cpu_set_t before_{};
  bool kept_ = false;
};

}  // namespace licit_bench

#endif
