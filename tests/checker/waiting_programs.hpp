/// Programs that wait, for the search and for walks.
#ifndef LICIT_TESTS_CHECKER_WAITING_PROGRAMS_HPP
#define LICIT_TESTS_CHECKER_WAITING_PROGRAMS_HPP

#include <array>

#include <licit/checker/run.hpp>

namespace licit::checker_test {

/// One thread raises a flag (or does not), another goes round until it sees it.
template <bool Raised, order Read = order::acquire>
struct spinning {
  static constexpr unsigned threads = 2;
  checker::model::atomic<int> flag;
  checker::model::plain<int> data;
  void thread(unsigned i) {
    if (i == 1) {
      data.write(5);
      if (Raised) flag.store(1, order::release);
      return;
    }
    while (flag.load(Read) == 0) {
    }
    checker::model::check(data.read() == 5, "the data");
  }
  void finish() {}
};

/// The classic: two locks in two orders.
template <bool SameOrder>
struct two_locks {
  static constexpr unsigned threads = 2;
  std::array<checker::model::mutex, 2> m;
  void thread(unsigned i) {
    const unsigned first = SameOrder ? 0 : i;
    m[first].lock();
    m[1 - first].lock();
    m[1 - first].unlock();
    m[first].unlock();
  }
  void finish() {}
};

}  // namespace licit::checker_test

#endif
