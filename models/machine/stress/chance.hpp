/// Random delays, by a fixed seed: no two executions' threads meet in the same way.
#ifndef LICIT_MODELS_STRESS_CHANCE_HPP
#define LICIT_MODELS_STRESS_CHANCE_HPP

#include <chrono>
#include <cstdint>

namespace licit::stress::chance {

/// SplitMix64's finalizer (Steele, Lea, Flood, OOPSLA 2014): spreads what is close.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

/// The calling thread's chances in one execution follow from these alone.
void begin(std::uint64_t seed, std::uint64_t execution, unsigned thread);

/// From here on the calling thread is not delayed: somebody else chooses the schedule.
void none();

/// The calling thread, as an execution begins: up to some hundred nanoseconds, all as likely. As long as it takes for
/// one processor to see that another is ready, and more: the one that came last would always be first to go on.
void stagger();

/// The calling thread, between two operations: half the time nothing, else up to some hundred nanoseconds, short ones
/// more often.
void delay();

/// The calling thread has looked so many times for what another thread is to write, and lets that one run. Not by
/// yielding, which a busy machine answers late; where somebody else chooses the schedule, by just that.
void rest(unsigned looks);

}  // namespace licit::stress::chance

namespace licit::stress {

class clock {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
  }

 private:
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

}  // namespace licit::stress

#endif
