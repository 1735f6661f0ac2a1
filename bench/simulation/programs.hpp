/// Programs for the simulation, as trees of parts: what a part computes, into what it forks, and what follows when the
/// forked parts have ended.
#ifndef LICIT_SIMULATION_PROGRAMS_HPP
#define LICIT_SIMULATION_PROGRAMS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "machine.hpp"

namespace licit_simulation {

/// What a part is about; its meaning is its program's.
struct part {
  std::uint64_t size = 0;
  std::uint64_t begin = 0;
  std::uint32_t kind = 0;
};

struct step {
  static constexpr std::size_t most = 4;
  picoseconds before = 0;  ///< computed first
  std::size_t forks = 0;   ///< parts that run next, beside one another
  std::array<part, most> parts{};
  picoseconds after = 0;  ///< computed when all of them have ended
  bool goes_on = false;   ///< the part then becomes another
  part then{};
};

struct program {
  std::string name;
  part root;
  std::function<step(const part&)> plan;
};

/// Of a program, by its plan alone.
struct shape {
  picoseconds work = 0;        ///< T1: what all parts compute
  picoseconds span = 0;        ///< the longest chain
  picoseconds burdened = 0;    ///< the longest chain if each fork on it costs one theft, and each part its task
  std::uint64_t parts = 0;     ///< in all
  std::uint64_t in_forks = 0;  ///< forks on the chain that has the most of them
};

inline shape shape_of(const program& of, const part& from, const costs& prices) {
  const step s = of.plan(from);
  shape all{.work = s.before + s.after, .span = s.before + s.after, .parts = 1};
  all.burdened = all.span + prices.task;
  shape longest;
  for (std::size_t i = 0; i != s.forks; ++i) {
    const shape one = shape_of(of, s.parts[i], prices);
    all.work += one.work;
    all.parts += one.parts;
    longest.span = std::max(longest.span, one.span);
    longest.burdened = std::max(longest.burdened, one.burdened);
    longest.in_forks = std::max(longest.in_forks, one.in_forks);
  }
  all.span += longest.span;
  all.burdened += longest.burdened + (s.forks != 0 ? prices.steal : 0);
  all.in_forks += longest.in_forks + (s.forks != 0 ? 1 : 0);
  if (s.goes_on) {
    const shape rest = shape_of(of, s.then, prices);
    all.work += rest.work;
    all.span += rest.span;
    all.burdened += rest.burdened - prices.task;
    all.parts += rest.parts - 1;
    all.in_forks += rest.in_forks;
  }
  return all;
}

namespace detail {
constexpr picoseconds ns = 1000;
constexpr picoseconds us = 1000 * ns;

inline step leaf(picoseconds time) { return {.before = time}; }
inline step fork(picoseconds before, const part& a, const part& b, picoseconds after) {
  return {.before = before, .forks = 2, .parts = {a, b}, .after = after};
}
}  // namespace detail

/// Two halves down to leaves of 40 us.
inline program balanced(std::uint64_t depth) {
  using namespace detail;
  return {"balanced", {depth}, [](const part& p) {
            if (p.size == 0) return leaf(40 * us);
            return fork(20 * ns, {p.size - 1}, {p.size - 1}, 20 * ns);
          }};
}

/// An eighth on one side, the rest on the other, down to leaves of 40 us.
inline program skewed(std::uint64_t leaves) {
  using namespace detail;
  return {"skewed", {leaves}, [](const part& p) {
            if (p.size == 1) return leaf(40 * us);
            const std::uint64_t small = std::max<std::uint64_t>(p.size / 8, 1);
            return fork(20 * ns, {p.size - small}, {small}, 20 * ns);
          }};
}

/// As in textbooks, without a cut-off: a fork for a few nanoseconds of work.
inline program fib(std::uint64_t n) {
  using namespace detail;
  return {"fib", {n}, [](const part& p) {
            if (p.size < 2) return leaf(3 * ns);
            return fork(3 * ns, {p.size - 1}, {p.size - 2}, 2 * ns);
          }};
}

/// Items of half a microsecond, halved down to 64. One in the first third takes 300 us.
inline program heavy_loop(std::uint64_t items) {
  using namespace detail;
  const std::uint64_t heavy = items / 3;
  return {"loop", {items, 0}, [heavy](const part& p) {
            if (p.size <= 64) {
              const bool here = heavy >= p.begin && heavy < p.begin + p.size;
              return leaf(p.size * 500 * ns + (here ? 300 * us : 0));
            }
            const std::uint64_t half = p.size / 2;
            return fork(20 * ns, {half, p.begin}, {p.size - half, p.begin + half}, 10 * ns);
          }};
}

/// Mergesort: two halves, then a merge, which is halved by a binary search. Both down to 8,192 keys.
inline program sort(std::uint64_t keys) {
  using namespace detail;
  constexpr std::uint64_t grain = 8192;
  constexpr std::uint32_t merging = 1;
  return {"sort", {keys}, [](const part& p) {
            if (p.kind == merging) {
              if (p.size <= grain) return leaf(p.size * 2 * ns);
              return fork(200 * ns, {p.size / 2, 0, merging}, {p.size - p.size / 2, 0, merging}, 10 * ns);
            }
            if (p.size <= grain) return leaf(p.size * 25 * ns);
            step s = fork(20 * ns, {p.size / 2}, {p.size - p.size / 2}, 0);
            s.goes_on = true;
            s.then = {p.size, 0, merging};
            return s;
          }};
}

/// A rod is a chain of forks whose last part takes 5 ms, and all others next to nothing: each thief of its rest soon
/// waits for the next one. Beside it a tree of 2^12 leaves of 20 us is forked, when that has happened.
inline program rod() {
  using namespace detail;
  constexpr std::uint32_t tree = 1, chain = 2, brief = 3;
  return {"rod", {64}, [](const part& p) {
            switch (p.kind) {
              case tree:
                if (p.size == 0) return leaf(20 * us);
                return fork(p.begin != 0 ? 300 * us : 20 * ns, {p.size - 1, 0, tree}, {p.size - 1, 0, tree}, 20 * ns);
              case chain:
                if (p.size == 0) return leaf(5000 * us);
                return fork(20 * ns, {0, 0, brief}, {p.size - 1, 0, chain}, 20 * ns);
              case brief: return leaf(2 * us);
              default: return fork(20 * ns, {12, 1, tree}, {p.size, 0, chain}, 20 * ns);
            }
          }};
}

/// A request of the service: four parts of 5 us.
inline program request() {
  using namespace detail;
  return {"service", {1}, [](const part& p) {
            if (p.size == 0) return leaf(4875 * ns);
            return step{.before = 300 * ns, .forks = 4, .parts = {part{}, part{}, part{}, part{}}, .after = 200 * ns};
          }};
}

/// The fork-join programs, of so many parts, more or less.
inline std::vector<program> tree_programs(bool small) {
  return small ? std::vector{balanced(7), skewed(128), fib(11), heavy_loop(1 << 13), sort(1 << 19)}
               : std::vector{balanced(14), skewed(1 << 13), fib(22), heavy_loop(1 << 19), sort(1 << 24)};
}

}  // namespace licit_simulation

#endif
