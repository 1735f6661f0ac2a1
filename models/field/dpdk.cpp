/// Clients of DPDK's ring in its C11 form, which is chosen by a macro of its own. Its library, which creates rings, is
/// not compiled with the instrumentation: the ring is filled in here as `rte_ring_init` does.
#define RTE_USE_C11_MEM_MODEL
#include <memory>
#include <new>
#include <rte_config.h>
#include <rte_ring.h>

#include "client.hpp"

namespace {

using field::taken;
using field::together;

class ring {
 public:
  explicit ring(rte_ring_sync_type how) {
    r_->size = 4;
    r_->mask = 3;
    r_->capacity = 3;
    r_->prod.sync_type = r_->cons.sync_type = how;
  }
  bool push(std::uintptr_t item) { return rte_ring_enqueue(r_.get(), reinterpret_cast<void*>(item)) == 0; }
  std::uintptr_t pop() {
    void* item = nullptr;
    return rte_ring_dequeue(r_.get(), &item) == 0 ? reinterpret_cast<std::uintptr_t>(item) : 0;
  }

 private:
  struct last {
    void operator()(rte_ring* r) const { ::operator delete(r, std::align_val_t{RTE_CACHE_LINE_SIZE}); }
  };
  static rte_ring* made() {
    constexpr std::size_t size = sizeof(rte_ring) + 4 * sizeof(void*);
    return static_cast<rte_ring*>(std::memset(::operator new(size, std::align_val_t{RTE_CACHE_LINE_SIZE}), 0, size));
  }
  std::unique_ptr<rte_ring, last> r_{made()};
};

void one_each() {
  ring q(RTE_RING_SYNC_ST);
  int data[4] = {};
  std::uintptr_t last = 0;
  together(
      [&] {
        for (int i = 0; i != 2; ++i) {
          const std::uintptr_t item = q.pop();
          if (item == 0) continue;
          assert(item == last + 1 && data[item] == 1);
          last = item;
        }
      },
      [&] {
        for (int item = 1; item <= 2; ++item) {
          data[item] = 1;
          q.push(static_cast<std::uintptr_t>(item));
        }
      });
}

void two_producers() {
  ring q(RTE_RING_SYNC_MT);
  together([&] { q.push(1); }, [&] { q.push(2); });
  taken<2> all;
  while (const std::uintptr_t item = q.pop()) all(static_cast<int>(item));
  field::check_taken({all}, 2);
}

void two_consumers() {
  ring q(RTE_RING_SYNC_MT);
  q.push(1);
  q.push(2);
  taken<2> first;
  taken<2> second;
  const auto take = [&](taken<2>& mine) {
    if (const std::uintptr_t item = q.pop()) mine(static_cast<int>(item));
  };
  together([&] { take(first); }, [&] { take(second); });
  field::check_taken({first, second}, 2);
}

}  // namespace

int main(int argc, char** argv) {
  return field::run(argc, argv,
                    {
                        {"one_each", &one_each},
                        {"two_producers", &two_producers},
                        {"two_consumers", &two_consumers},
                    });
}
