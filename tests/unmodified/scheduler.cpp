// The scheduler and fork-join as a user has them: real threads, futexes and allocation, explored as they are. The first
// argument says which program. scheduler.py plants a fault for each in a copy of the sources.
#include <cassert>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <utility>

#include <licit/scheduler.hpp>

namespace {

/// As little as there may be: each round of a search and each look at a queue multiplies the executions.
licit::scheduler_options small(std::size_t workers) {
  licit::scheduler_options o;
  o.workers = workers;
  o.local_capacity = 32;
  o.guests = 1;
  o.spins = 0;
  o.seed = 1;
  return o;
}

void start_and_stop() { const licit::scheduler s(small(1)); }

void start_and_stop_two() { const licit::scheduler s(small(2)); }

void spawn_and_get() {
  licit::scheduler s(small(1));
  int data = 0;
  auto handle = s.spawn([&] {
    data = 1;
    return 2;
  });
  assert(handle.get() == 2);
  assert(data == 1);
}

void spawn_and_get_two() {
  licit::scheduler s(small(2));
  int data = 0;
  auto handle = s.spawn([&] {
    data = 1;
    return 2;
  });
  assert(handle.get() == 2);
  assert(data == 1);
}

void spawn_and_shut_down() {
  licit::scheduler s(small(1));
  int data = 0;
  auto handle = s.spawn([&] { data = 1; });
  const licit::shutdown_report all = s.shutdown();
  assert(all.finished == 1 && all.left == 0);
  assert(data == 1);
}

void spawn_in_a_task() {
  licit::scheduler s(small(1));
  int data = 0;
  auto handle = s.spawn([&] { return s.spawn([&] { return data = 3; }); });
  assert(handle.get().get() == 3);
  assert(data == 3);
}

void spawn_and_destroy() {
  int data = 0;
  {
    licit::scheduler s(small(1));
    (void)s.spawn([&] { data = 1; });
  }
  assert(data == 0 || data == 1);
}

void hooks() {
  int started = 0;
  int stopped = 0;
  licit::scheduler_options o = small(1);
  o.on_thread_start = [&](std::size_t) { ++started; };
  o.on_thread_stop = [&](std::size_t) { ++stopped; };
  {
    const licit::scheduler s(o);
    assert(started == 1);
  }
  assert(stopped == 1);
}

/// The other worker has to be told.
void hook_throws() {
  licit::scheduler_options o = small(2);
  o.on_thread_start = [](std::size_t worker) {
    if (worker == 1) throw std::runtime_error("not today");
  };
  bool thrown = false;
  try {
    const licit::scheduler s(o);
  } catch (const std::runtime_error&) {
    thrown = true;
  }
  assert(thrown);
}

void unobserved() {
  int seen = 0;
  licit::scheduler_options o = small(1);
  o.on_unobserved = [&](std::exception_ptr) { ++seen; };
  {
    licit::scheduler s(o);
    (void)s.spawn([] { throw std::runtime_error("nobody looks"); });
    (void)s.shutdown();
  }
  assert(seen == 1);
}

void outlived() {
  licit::join_handle<int> kept;
  {
    licit::scheduler s(small(1));
    kept = s.spawn([] { return 4; });
    (void)s.shutdown();
  }
  assert(kept.get() == 4);
}

void join_outside() {
  licit::scheduler s(small(1));
  int left = 0;
  int right = 0;
  (void)s.join([&] { left = 1; }, [&] { right = 2; });
  assert(left == 1 && right == 2);
}

void join_in_a_task() {
  licit::scheduler s(small(2));
  auto handle = s.spawn([] {
    auto [left, right] = licit::join([] { return 1; }, [] { return 2; });
    return left + right;
  });
  assert(handle.get() == 3);
}

void two_schedulers() {
  licit::scheduler first(small(1));
  licit::scheduler second(small(1));
  int data = 0;
  auto handle = first.spawn([&] { return second.spawn([&] { return data = 5; }).get(); });
  assert(handle.get() == 5);
  assert(data == 5);
}

void get_in_enter() {
  licit::scheduler s(small(1));
  int data = 0;
  s.enter([&] { licit::spawn([&] { data = 1; }).get(); });
  assert(data == 1);
  const licit::shutdown_report all = s.shutdown();
  assert(all.finished == 1 && all.left == 0);
}

void await_in_block_on() {
  licit::scheduler s(small(1));
  int data = 0;
  s.block_on([&]() -> licit::task<> { co_await licit::spawn([&] { data = 1; }); });
  assert(data == 1);
}

struct program {
  const char* name;
  void (*run)();
};
constexpr program programs[] = {
    {"start_and_stop", &start_and_stop},
    {"start_and_stop_two", &start_and_stop_two},
    {"spawn_and_get", &spawn_and_get},
    {"spawn_and_get_two", &spawn_and_get_two},
    {"spawn_and_shut_down", &spawn_and_shut_down},
    {"spawn_in_a_task", &spawn_in_a_task},
    {"spawn_and_destroy", &spawn_and_destroy},
    {"hooks", &hooks},
    {"hook_throws", &hook_throws},
    {"unobserved", &unobserved},
    {"outlived", &outlived},
    {"join_outside", &join_outside},
    {"join_in_a_task", &join_in_a_task},
    {"two_schedulers", &two_schedulers},
    {"get_in_enter", &get_in_enter},
    {"await_in_block_on", &await_in_block_on},
};

}  // namespace

int main(int argc, char** argv) {
  for (const program& p : programs) {
    if (argc < 2 || std::strcmp(p.name, argv[1]) != 0) continue;
    p.run();
    return 0;
  }
  return 3;
}
