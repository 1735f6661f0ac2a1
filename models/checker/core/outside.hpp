/// What a program does outside of the model, where it would go unnoticed, kill the process, or hang: threads of the
/// system, a failed assert, abort(), a null pointer, a destructor of a thread_local variable, a step that never ends.
#ifndef LICIT_CHECKER_CORE_OUTSIDE_HPP
#define LICIT_CHECKER_CORE_OUTSIDE_HPP

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <span>
#include <string>
#include <vector>

#include <licit/checker/verdict.hpp>

namespace licit::checker::detail {

/// Looks at what the program does, for as long as it lives.
class guard {
 public:
  /// Is told what is wrong, on the stack of the program that does it. Does not return.
  using objection = void (*)(violation kind, const std::string& what);

  /// A step of the program that takes `seconds` and more does not end, it is taken; infinity: no step.
  guard(objection to, double seconds);
  guard(const guard&) = delete;
  guard& operator=(const guard&) = delete;
  ~guard();

  /// The program begins a step.
  static void begin_step();

 private:
  objection outer_;
  double outer_seconds_;
  std::array<struct sigaction, 5> outer_deaths_{};  ///< of the signals that a program dies of
  struct sigaction outer_tick_{};
  timer_t timer_{};
  bool ticks_ = false;
};

/// The program, if its own code is running, does what is no operation of the model: then it does not return.
void object_to(violation kind, const std::string& what);

/// The thread_local variables of the executable, for each of the program's threads its own. Those of shared libraries
/// are shared by all, and so are all under a sanitizer.
class thread_locals {
 public:
  /// Those of the calling thread of the system. It is the only one that calls the others.
  thread_locals();

  /// Those of one thread, while it does not run. Empty: as they are when a thread begins.
  using kept = std::vector<std::byte>;

  /// The thread goes on, and stops. Most programs have none, or leave them as they were: then nothing is copied.
  void enter(const kept& own);
  void leave(kept& own);
  /// The running thread's.
  [[nodiscard]] std::span<const std::byte> block() const { return block_; }

 private:
  [[nodiscard]] bool as_first() const {
    return block_.empty() || std::memcmp(block_.data(), first_.data(), first_.size()) == 0;
  }
  void put(const kept& what) const { std::ranges::copy(what, block_.begin()); }

  kept first_;  ///< what they begin as
  kept outside_;
  bool exchanged_ = false;
  std::span<std::byte> block_;
};

}  // namespace licit::checker::detail

#endif
