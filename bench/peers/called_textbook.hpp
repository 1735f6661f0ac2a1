/// The textbook deque behind a function call. Crossbeam is reached through one, being in another language: what the
/// call costs is the difference between this and the textbook.
#ifndef LICIT_BENCH_PEERS_CALLED_TEXTBOOK_HPP
#define LICIT_BENCH_PEERS_CALLED_TEXTBOOK_HPP

#include "textbook.hpp"

namespace licit_bench {

class called_textbook {
 public:
  static constexpr bool thieves = true;

  explicit called_textbook(std::size_t capacity) : deque_{capacity} {}

  [[gnu::noinline]] void push(void* item) { deque_.push(item); }
  [[gnu::noinline]] void* pop() { return deque_.pop(); }
  [[gnu::noinline]] void* steal() { return deque_.steal(); }

 private:
  textbook deque_;
};

}  // namespace licit_bench

#endif
