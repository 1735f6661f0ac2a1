/// A client program written as text: "push push pop | steal steal", one part a thread, the owner's first.
#ifndef LICIT_MODELS_GALLERY_SCRIPT_HPP
#define LICIT_MODELS_GALLERY_SCRIPT_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <licit/deque/order.hpp>

#include "gallery/account.hpp"

namespace licit::models::gallery {

enum class call {
  push,
  pop,
  steal,
  grab,  ///< a steal of several items at once
};

/// What each thread calls. A word that is no call does not compile.
struct calls {
  static constexpr std::size_t most = 16;

  std::array<std::array<call, most>, most_takers> of{};
  std::array<std::size_t, most_takers> count{};
  unsigned threads = 1;
  std::size_t pushes = 0;
  bool steals = false;
  bool grabs = false;

  consteval explicit calls(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(' '), text.size());
      take(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

 private:
  consteval void take(std::string_view word) {
    if (word == "|") {
      ++threads;
      return;
    }
    const call c = parse(word);
    pushes += c == call::push ? 1 : 0;
    steals |= c == call::steal;
    grabs |= c == call::grab;
    of[threads - 1][count[threads - 1]++] = c;
  }
  static consteval call parse(std::string_view word) {
    if (word == "push") return call::push;
    if (word == "pop") return call::pop;
    if (word == "steal") return call::steal;
    if (word == "grab") return call::grab;
    throw "a program's words are push, pop, steal, grab and |";
  }
};

/// Runs the calls on a `Deque`, which has
///
///     static constexpr discipline kept;   // the order that it promises
///     bool push(int item);                // owner; false: it is full
///     int pop();                          // owner; `none`: nothing there
///     int steal();                        // any thread; `none`: nothing there, or lost
///     void grab(auto&& taken);            // any thread: calls taken(item) for each
///
/// and of the last two at least those that the program calls.
template <class Model, class Deque, fixed_string Text>
class script {
  static constexpr calls program{Text.view()};
  static constexpr bool steals = requires(Deque d) { d.steal(); };
  static constexpr bool grabs = requires(Deque d) { d.grab([](int) {}); };
  static_assert((steals || !program.steals) && (grabs || !program.grabs), "the program calls what the deque has not");

 public:
  static constexpr unsigned threads = program.threads;

  void thread(unsigned i) {
    for (std::size_t n = 0; n != program.count[i]; ++n) perform(program.of[i][n], i);
  }

  /// What is left is taken, by the owner's way and a thief's; then nothing may be missing.
  void finish() {
    do {
      while (pop()) {
      }
    } while (steal(most_takers - 1));
    account_.close();
  }

 private:
  void perform(call c, unsigned thread) {
    switch (c) {
      case call::push: return push();
      case call::pop: return static_cast<void>(pop());
      case call::steal: return static_cast<void>(steal(thread));
      case call::grab: return grab(thread);
    }
  }
  void push() {
    if (!deque_.push(account_.make())) account_.refused();
  }
  bool pop() {
    const int item = deque_.pop();
    account_.popped(item);
    return item != none;
  }
  bool steal(std::size_t taker) {
    if constexpr (steals) {
      const int item = deque_.steal();
      account_.stolen(item, taker);
      return item != none;
    }
    return false;
  }
  void grab(std::size_t taker) {
    if constexpr (grabs) deque_.grab([&](int item) { account_.stolen(item, taker); });
  }

  Deque deque_;
  account<Model, std::max<std::size_t>(program.pushes, 1), Deque::kept> account_;
};

}  // namespace licit::models::gallery

#endif
