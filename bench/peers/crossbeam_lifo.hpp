/// crossbeam-deque's LIFO worker and its stealer, through the C functions of bench/crossbeam/lib.rs.
#ifndef LICIT_BENCH_PEERS_CROSSBEAM_LIFO_HPP
#define LICIT_BENCH_PEERS_CROSSBEAM_LIFO_HPP

#include <cstddef>

extern "C" {
struct crossbeam_deque;
crossbeam_deque* crossbeam_make();
void crossbeam_free(crossbeam_deque* deque);
void crossbeam_push(crossbeam_deque* deque, void* item);
void* crossbeam_pop(crossbeam_deque* deque);
void* crossbeam_steal(crossbeam_deque* deque);
}

namespace licit_bench {

class crossbeam_lifo {
 public:
  static constexpr bool thieves = true;

  explicit crossbeam_lifo(std::size_t /*capacity: its own, 64*/) : deque_{crossbeam_make()} {}
  ~crossbeam_lifo() { crossbeam_free(deque_); }
  crossbeam_lifo(const crossbeam_lifo&) = delete;
  crossbeam_lifo& operator=(const crossbeam_lifo&) = delete;

  void push(void* item) { crossbeam_push(deque_, item); }
  void* pop() { return crossbeam_pop(deque_); }
  void* steal() { return crossbeam_steal(deque_); }

 private:
  crossbeam_deque* deque_;
};

}  // namespace licit_bench

#endif
