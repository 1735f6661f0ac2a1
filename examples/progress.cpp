// A long loop with a progress bar. Ctrl-C ends the loop early.
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <stop_token>
#include <string>
#include <thread>
#include <unistd.h>

#include <licit/parallel.hpp>
#include <licit/scheduler.hpp>

namespace {

/// How many steps Collatz' sequence takes from n to 1.
unsigned steps(unsigned long n) {
  unsigned count = 0;
  for (; n != 1; ++count) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return count;
}

void draw(std::size_t done, std::size_t all) {
  constexpr std::size_t width = 50;
  const std::size_t full = all == 0 ? width : done * width / all;
  std::fprintf(stderr, "\r[%s%s] %3zu %%", std::string(full, '#').c_str(), std::string(width - full, ' ').c_str(),
               all == 0 ? 100 : done * 100 / all);
  if (done == all) std::fputc('\n', stderr);
}

}  // namespace

int main(int count, char** arguments) {
  const unsigned long last = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 5'000'000;

  // Only the thread below takes SIGINT, and asks for a stop.
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);
  std::stop_source source;
  std::thread([interrupt, source]() mutable {
    int got = 0;
    sigwait(&interrupt, &got);
    source.request_stop();
  }).detach();

  licit::parallel_options options{.stop = source.get_token()};
  if (isatty(STDERR_FILENO) != 0) options.progress = draw;

  licit::scheduler workers;
  std::atomic<unsigned> longest = 0;
  try {
    workers.enter([&] {
      licit::parallel_for(
          1UL, last + 1,
          [&](unsigned long n) {
            const unsigned mine = steps(n);
            for (unsigned seen = longest; seen < mine && !longest.compare_exchange_weak(seen, mine);) continue;
          },
          options);
    });
  } catch (const licit::parallel_stopped&) {
    std::printf("stopped; so far %u steps\n", longest.load());
    return 1;
  }
  std::printf("the longest sequence from 1 to %lu has %u steps\n", last, longest.load());
}
