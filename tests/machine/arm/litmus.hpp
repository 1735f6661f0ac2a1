/// A litmus test in machine code: threads, and what of their registers an outcome is.
#ifndef LICIT_TESTS_ARM_LITMUS_HPP
#define LICIT_TESTS_ARM_LITMUS_HPP

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "assembler.hpp"
#include "machine/arm/exploration.hpp"

namespace licit::arm_test {

// Registers that hold the addresses of locations; all others are zero at the start.
inline constexpr unsigned x = 20, y = 21, z = 22;
inline constexpr std::uint64_t first_location = 0x100000, between_locations = 0x100;

/// A register of a thread, or a location's last value (thread `memory_of`).
struct observed {
  unsigned thread, place;
};
inline constexpr unsigned memory_of = ~0U;

struct litmus {
  std::vector<std::vector<code>> threads;
  std::vector<observed> outcome;
  std::vector<unsigned> ones = {};  ///< the locations that hold 1 at the start
};

inline arm::program program_of(const litmus& test) {
  constexpr std::uint64_t first_code = 0x1000, between_threads = 0x1000, stacks = 0x800000;
  arm::program p;
  p.finished = 0xFFFF000;
  for (const unsigned l : test.ones) p.memory.write(first_location + (l - x) * between_locations, 4, 1);
  for (unsigned t = 0; t != test.threads.size(); ++t) {
    arm::thread_start start;
    start.registers.pc = first_code + t * between_threads;
    std::uint64_t place = start.registers.pc;
    for (const code word : test.threads[t]) {
      p.memory.write(place, 4, word);
      place += 4;
    }
    p.memory.write(place, 4, ret);
    start.registers.x[30] = p.finished;
    for (unsigned l = 0; l != 3; ++l) start.registers.x[x + l] = first_location + l * between_locations;
    start.stack_from = stacks + t * 0x1000;
    start.stack_to = start.stack_from + 0x1000;
    start.registers.x[arm::stack_pointer] = start.stack_to - 64;
    p.threads.push_back(start);
  }
  return p;
}

struct outcomes {
  std::set<std::string> seen;  ///< the observed values, in their order, by spaces
  arm::counts counts;
  std::vector<std::string> unsound;  ///< executions that the axioms do not allow
};

inline outcomes outcomes_of(const litmus& test, arm::faults seeded = {}) {
  outcomes all;
  const arm::program p = program_of(test);
  all.counts = arm::explore(
      p,
      [&](const arm::outcome& o) {
        std::string text;
        for (const observed& place : test.outcome) {
          const std::uint64_t value = place.thread == memory_of
                                          ? o.of.latest_value(first_location + (place.place - x) * between_locations, 4)
                                          : o.threads[place.thread].x.at(place.place);
          text += (text.empty() ? "" : " ") + std::to_string(value);
        }
        all.seen.insert(text);
        if (const auto wrong = o.of.check()) all.unsound.push_back(*wrong);
        return true;
      },
      seeded);
  return all;
}

}  // namespace licit::arm_test

#endif
