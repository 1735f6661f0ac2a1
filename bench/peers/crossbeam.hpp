/// crossbeam-deque, through the C functions of bench/crossbeam/lib.rs.
#ifndef LICIT_BENCH_PEERS_CROSSBEAM_HPP
#define LICIT_BENCH_PEERS_CROSSBEAM_HPP

#include <cstddef>

extern "C" {
struct crossbeam_deque;
crossbeam_deque* crossbeam_make();
crossbeam_deque* crossbeam_make_fifo();
void crossbeam_free(crossbeam_deque* deque);
void crossbeam_push(crossbeam_deque* deque, void* item);
void* crossbeam_pop(crossbeam_deque* deque);
void* crossbeam_steal(crossbeam_deque* deque);
std::size_t crossbeam_steal_half(crossbeam_deque* victim, crossbeam_deque* own);
}

namespace licit_bench {

/// The LIFO worker and its stealer.
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

 protected:
  explicit crossbeam_lifo(crossbeam_deque* made) : deque_{made} {}
  [[nodiscard]] crossbeam_deque* handle() const { return deque_; }

 private:
  crossbeam_deque* deque_;
};

/// The LIFO worker with its steal_batch_and_pop, which claims item by item.
class crossbeam_batches : public crossbeam_lifo {
 public:
  using crossbeam_lifo::crossbeam_lifo;

  std::size_t steal_half(crossbeam_batches& own) { return crossbeam_steal_half(handle(), own.handle()); }
};

/// The FIFO worker: its steal_batch_and_pop takes up to 32 items by one compare-exchange.
class crossbeam_fifo : public crossbeam_lifo {
 public:
  explicit crossbeam_fifo(std::size_t /*capacity: its own, 64*/) : crossbeam_lifo{crossbeam_make_fifo()} {}

  std::size_t steal_half(crossbeam_fifo& own) { return crossbeam_steal_half(handle(), own.handle()); }
};

}  // namespace licit_bench

#endif
