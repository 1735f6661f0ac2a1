#include "machine/stress/chance.hpp"

#include <chrono>
#include <thread>

namespace licit::stress::chance {

namespace {

thread_local std::uint64_t state = 0;  // 0: no delays

/// Does nothing to memory.
void turn() { asm volatile(""); }

}  // namespace

void begin(std::uint64_t seed, std::uint64_t execution, unsigned thread) {
  state = mix(mix(mix(seed) + execution) + thread) | 1U;
}

void none() { state = 0; }

void stagger() {
  if (state == 0) return;
  state = mix(state) | 1U;
  for (std::uint64_t i = (state >> 8U) % 512; i != 0; --i) turn();
}

void delay() {
  if (state == 0) return;
  state = mix(state) | 1U;
  if ((state & 2U) != 0) return;
  const std::uint64_t most = std::uint64_t{1} << ((state >> 2U) & 7U);  // 1 to 128 turns
  for (std::uint64_t i = (state >> 8U) % (2 * most); i != 0; --i) turn();
}

void rest(unsigned looks) {
  if (state == 0) return std::this_thread::yield();
  if (looks > 1'000) std::this_thread::sleep_for(std::chrono::microseconds{20});
}

}  // namespace licit::stress::chance
