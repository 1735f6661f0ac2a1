/// What the clients share: small programs of which the first argument runs one by name. Without instrumentation, a
/// second argument says for how many seconds it is run again and again; if it hangs, it says so and ends with status 1.
#ifndef LICIT_MODELS_FIELD_CLIENT_HPP
#define LICIT_MODELS_FIELD_CLIENT_HPP

#include <cassert>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <thread>

#ifdef LICIT_FIELD_NATIVE
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <unistd.h>
#endif

namespace field {

struct client {
  const char* name;
  void (*run)();
};

#ifdef LICIT_FIELD_NATIVE
inline std::atomic<long> rounds{0};
inline std::atomic<int> met{0};

/// Without a round in two alarms, whatever stopped the process meanwhile, it hangs.
inline void look(int /*signal*/) {
  static long before = -1;
  if (before == rounds) {
    std::printf("hangs in round %ld\n", before);
    std::fflush(stdout);
    _exit(1);
  }
  before = rounds;
  alarm(5);
}

inline void repeat(const client& c, const char* seconds) {
  std::signal(SIGALRM, &look);
  alarm(5);
  const std::time_t end = std::time(nullptr) + std::atol(seconds);
  for (; std::time(nullptr) < end; ++rounds) {
    met = 0;
    c.run();
  }
  std::printf("does not hang in %ld rounds\n", rounds.load());
}

/// Two threads begin at the same time.
inline void meet() {
  for (++met; met < 2;) std::this_thread::yield();
}

/// Takes another time in each round, up to some microseconds: then threads meet at different places.
inline void linger() {
  for (volatile long i = rounds % 8192; i > 0;) i = i - 1;
}
#else
inline void repeat(const client& c, const char* /*seconds*/) { c.run(); }
inline void meet() {}
inline void linger() {}
#endif

inline int run(int argc, char** argv, std::initializer_list<client> clients) {
  for (const client& c : clients) {
    if (argc < 2 || std::strcmp(c.name, argv[1]) != 0) continue;
    if (argc == 2) {
      c.run();
    } else {
      repeat(c, argv[2]);
    }
    return 0;
  }
  return 3;
}

/// Runs all at the same time, the first on the calling thread.
template <class... F>
void together(const std::function<void()>& first, const F&... others) {
  const auto met = [](const auto& f) {
    return [&f] {
      meet();
      f();
    };
  };
  std::thread threads[]{std::thread(met(others))...};
  met(first)();
  for (std::thread& t : threads) t.join();
}

/// How often each of the items 1 to `Most` was taken. Any thread may count in one of its own.
template <int Most>
struct taken {
  int times[Most + 1] = {};

  void operator()(int item) {
    assert(1 <= item && item <= Most);
    ++times[item];
    assert(times[item] == 1);
  }
};

/// Nobody has taken an item that another has too; `count` have been.
template <int Most>
void check_taken(std::initializer_list<taken<Most>> all, int count) {
  int sum = 0;
  for (int item = 1; item <= Most; ++item) {
    int times = 0;
    for (const taken<Most>& t : all) times += t.times[item];
    assert(times <= 1);
    sum += times;
  }
  assert(sum == count);
}

}  // namespace field

#endif
