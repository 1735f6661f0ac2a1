/// Small clients of the Chase-Lev deque, written as scripts: "PPpp" is an owner that pushes twice and pops twice,
/// "ss" a thief that steals twice.
#ifndef LICIT_TESTS_CHECKER_DEQUE_CLIENT_HPP
#define LICIT_TESTS_CHECKER_DEQUE_CLIENT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <licit/checker/run.hpp>
#include <licit/deque/chase_lev.hpp>

#include "suites/chase_lev.hpp"

namespace licit::checker_test {

/// Items are 1, 2, …; each has a payload that is not atomic, written before the push and overwritten by its taker.
template <std::size_t Capacity, fixed_string Owner, fixed_string... Thieves>
class scripted {
  using model = checker::model;
  static constexpr std::size_t items = static_cast<std::size_t>(std::count(Owner.text.begin(), Owner.text.end(), 'P'));

 public:
  static constexpr unsigned threads = 1 + sizeof...(Thieves);

  scripted() : deque_{{.initial_capacity = Capacity}} {}

  void thread(unsigned t) {
    constexpr std::array<std::string_view, threads> scripts{Owner.view(), Thieves.view()...};
    for (const char step : scripts[t]) {
      switch (step) {
        case 'P': push(); break;
        case 'p': pop(); break;
        default: steal(); break;
      }
    }
  }

  void finish() {
    while (pop()) {
    }
    for (std::size_t i = 0; i != pushed_; ++i) model::check(payload_[i].read() == 0, "an item was never taken");
  }

 private:
  void push() {
    payload_[pushed_].write(100);
    deque_.push(static_cast<int>(++pushed_));
  }
  bool pop() {
    const auto got = deque_.pop();
    if (got) take(*got);
    return got.has_value();
  }
  void steal() {
    const auto got = deque_.steal();
    if (got) take(*got);
  }
  void take(int item) {
    model::check(item >= 1 && item <= static_cast<int>(items), "an item that was never pushed");
    auto& cell = payload_[static_cast<std::size_t>(item - 1)];
    model::check(cell.read() == 100, "an item was taken twice");
    cell.write(0);
  }

  chase_lev<int, model> deque_;
  std::array<model::plain<int>, items> payload_{};
  std::size_t pushed_ = 0;
};

}  // namespace licit::checker_test

#endif
