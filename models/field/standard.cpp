/// Clients of the standard library: of libstdc++, and of libc++ where it has the same.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <version>

#include "client.hpp"

namespace {

using field::together;

void wait_relaxed() {
  std::atomic<int> x{0};
  together([&] { x.wait(0, std::memory_order_relaxed); },
           [&] {
             x.store(1, std::memory_order_relaxed);
             x.notify_one();
           });
}

void wait_sequential() {
  std::atomic<int> x{0};
  together([&] { x.wait(0); },
           [&] {
             x.store(1);
             x.notify_one();
           });
}

void latch() {
  std::latch gate(2);
  int data[2] = {};
  together(
      [&] {
        data[0] = 1;
        gate.arrive_and_wait();
        assert(data[1] == 1);
      },
      [&] {
        data[1] = 1;
        gate.arrive_and_wait();
        assert(data[0] == 1);
      });
}

void barrier() {
  int phases = 0;
  int data[2] = {};
  auto count = [&]() noexcept { ++phases; };
  std::barrier gate(2, count);
  together(
      [&] {
        data[0] = 1;
        gate.arrive_and_wait();
        assert(data[1] == 1 && phases == 1);
      },
      [&] {
        data[1] = 1;
        gate.arrive_and_wait();
        assert(data[0] == 1 && phases == 1);
      });
}

void semaphore() {
  std::counting_semaphore<2> s(0);
  int data = 0;
  together(
      [&] {
        s.acquire();
        assert(data == 1);
      },
      [&] {
        data = 1;
        s.release();
      });
}

void binary_semaphore() {
  std::binary_semaphore s(1);
  int data = 0;
  const auto add = [&] {
    s.acquire();
    ++data;
    field::linger();
    s.release();
  };
  together(add, add);
  assert(data == 2);
}

void shared_ptr() {
  auto p = std::make_shared<int>(1);
  const std::weak_ptr<int> w = p;
  together([p = std::move(p)]() mutable { p.reset(); },
           [w] {
             if (const auto locked = w.lock()) assert(*locked == 1);
           });
}

void shared_ptr_last() {
  auto p = std::make_shared<int>(1);
  const auto use = [](std::shared_ptr<int>& mine) {
    assert(*mine == 1);
    mine.reset();
  };
  auto a = p;
  auto b = std::move(p);
  together([&] { use(a); }, [&] { use(b); });
}

void once() {
  std::once_flag flag;
  int data = 0;
  const auto ask = [&] {
    std::call_once(flag, [&] { ++data; });
    assert(data == 1);
  };
  together(ask, ask);
}

void shared_mutex() {
  std::shared_mutex m;
  int data = 0;
  const auto read = [&] {
    const std::shared_lock lock(m);
    assert(data == 0 || data == 1);
  };
  together(read, read, [&] {
    const std::unique_lock lock(m);
    ++data;
  });
}

void future() {
  std::promise<int> p;
  std::future<int> f = p.get_future();
  together([&] { assert(f.get() == 3); }, [&] { p.set_value(3); });
}

#ifdef __cpp_lib_atomic_shared_ptr
void atomic_shared_ptr_store() {
  std::atomic<std::shared_ptr<int>> p{std::make_shared<int>(1)};
  together(
      [&] {
        const auto seen = p.load();
        assert(*seen == 1 || *seen == 2);
      },
      [&] { p.store(std::make_shared<int>(2)); });
}

void atomic_shared_ptr_load() {
  std::atomic<std::shared_ptr<int>> p{std::make_shared<int>(1)};
  const auto look = [&] { assert(*p.load() == 1); };
  together(look, look);
}

void atomic_shared_ptr_exchange() {
  std::atomic<std::shared_ptr<int>> p{std::make_shared<int>(1)};
  const auto exchange = [&] { assert(*p.exchange(std::make_shared<int>(2)) != 0); };
  together(exchange, exchange);
}
#endif

#ifdef __cpp_lib_jthread
void stop_token() {
  std::stop_source source;
  int data = 0;
  together(
      [&, token = source.get_token()] {
        if (token.stop_requested()) assert(data == 1);
      },
      [&] {
        data = 1;
        source.request_stop();
      });
}

void stop_callback() {
  std::stop_source source;
  int called = 0;
  together(
      [&, token = source.get_token()] {
        {
          const std::stop_callback call(token, [&] { ++called; });
        }
        assert(called <= 1);
      },
      [&] { source.request_stop(); });
}
#endif

}  // namespace

int main(int argc, char** argv) {
  return field::run(argc, argv,
                    {
                        {"wait_relaxed", &wait_relaxed},
                        {"wait_sequential", &wait_sequential},
                        {"latch", &latch},
                        {"barrier", &barrier},
                        {"semaphore", &semaphore},
                        {"binary_semaphore", &binary_semaphore},
                        {"shared_ptr", &shared_ptr},
                        {"shared_ptr_last", &shared_ptr_last},
                        {"once", &once},
                        {"shared_mutex", &shared_mutex},
                        {"future", &future},
#ifdef __cpp_lib_atomic_shared_ptr
                        {"atomic_shared_ptr_store", &atomic_shared_ptr_store},
                        {"atomic_shared_ptr_load", &atomic_shared_ptr_load},
                        {"atomic_shared_ptr_exchange", &atomic_shared_ptr_exchange},
#endif
#ifdef __cpp_lib_jthread
                        {"stop_token", &stop_token},
                        {"stop_callback", &stop_callback},
#endif
                    });
}
