// An owner that pushes and pops, a thief on another thread, and every item taken exactly once.
#include <atomic>
#include <cstdio>
#include <thread>

#include <licit/deque.hpp>

int main() {
  constexpr long items = 1'000'000;
  licit::owner<long> mine;
  std::atomic<bool> finished = false;
  long popped = 0, stolen = 0;

  std::jthread other([&stolen, &finished, thief = mine.stealer()] {
    while (!finished) {
      if (auto got = thief.steal()) stolen += *got;  // oldest first; empty or lost: try again
    }
  });

  for (long i = 1; i <= items; ++i) mine.push(i);
  while (auto item = mine.pop()) popped += *item;  // youngest first, until nothing is left
  finished = true;
  other.join();

  std::printf("popped %ld + stolen %ld = %ld\n", popped, stolen, popped + stolen);
  return popped + stolen == items * (items + 1) / 2 ? 0 : 1;
}
