/// All the benchmarks of one structure, registered as benchmark/structure.
#ifndef LICIT_BENCH_SUITE_HPP
#define LICIT_BENCH_SUITE_HPP

#include <string>

#include <benchmark/benchmark.h>

#include "owner.hpp"
#include "thief.hpp"

namespace licit_bench {

template <class Deque>
bool add_owner_suite(const std::string& structure) {
  const auto add = [&](const char* name, void (*run)(benchmark::State&)) {
    benchmark::RegisterBenchmark((name + ("/" + structure)).c_str(), run);
  };
  add("push_pop", push_pop<Deque>);
  add("push_pop_last", push_pop_last<Deque>);
  add("push_then_pop", push_then_pop<Deque>);
  add("pop_empty", pop_empty<Deque>);
  add("growth", growth<Deque>);
  return true;
}

template <class Deque>
bool add_halves(const std::string& structure) {
  const auto add = [&](const char* name, void (*run)(benchmark::State&)) {
    benchmark::RegisterBenchmark((name + ("/" + structure)).c_str(), run)->UseManualTime();
  };
  add("steal_half_near", steal_half_near<Deque>);
  add("steal_half_across", steal_half_across<Deque>);
  return true;
}

template <class Deque>
bool add_suite(const std::string& structure) {
  if constexpr (requires { Deque::only_halves; }) {
    return add_halves<Deque>(structure);
  } else {
    // Longer than a scheduler's slice: the thief must get a processor.
    benchmark::RegisterBenchmark(("owner_with_thief/" + structure).c_str(), owner_with_thief<Deque>)->MinTime(0.04);
    // A thief that needs the owner's help would never empty it.
    if constexpr (Deque::thieves && !requires { Deque::waits_for_owner; }) {
      const auto add = [&](const char* name, void (*run)(benchmark::State&)) {
        benchmark::RegisterBenchmark((name + ("/" + structure)).c_str(), run)->UseManualTime();
      };
      add("steal_near", steal_near<Deque>);
      add("steal_across", steal_across<Deque>);
      add_halves<Deque>(structure);
    }
    return add_owner_suite<Deque>(structure);
  }
}

}  // namespace licit_bench

#endif
