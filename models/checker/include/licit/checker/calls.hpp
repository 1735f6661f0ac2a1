/// The operations of a client that say their names (`Model::leaves_out`), so that a client can be run without some.
#ifndef LICIT_CHECKER_CALLS_HPP
#define LICIT_CHECKER_CALLS_HPP

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include <licit/checker/threads.hpp>

namespace licit::checker {

/// One of them, in one execution.
struct call {
  unsigned thread = 0;
  unsigned number = 0;  ///< in its thread, those that are left out counted too
  std::string name = {};
};

/// Those that are left out.
struct left_out {
  struct one {
    unsigned thread;
    unsigned number;
  };
  std::vector<one> calls = {};
  std::array<unsigned, max_threads> end = all();  ///< of each thread, all from this number on

  [[nodiscard]] bool has(unsigned thread, unsigned number) const {
    return number >= end[thread] ||
           std::ranges::any_of(calls, [&](const one& o) { return o.thread == thread && o.number == number; });
  }
  static std::array<unsigned, max_threads> all() {
    std::array<unsigned, max_threads> none{};
    none.fill(std::numeric_limits<unsigned>::max());
    return none;
  }
};

/// "thread 0: push, pop; thread 1: steal".
std::string text(const std::vector<call>& calls, unsigned threads);

}  // namespace licit::checker

#endif
