/// The machine's memory, by the interface of checker::model: what was checked is what runs.
///
/// Beside the sites of an ordering table, as licit::native has them, it takes the order where it is used, and a label
/// that only the checker needs. Header only; a program that uses no more of the checker need not link it.
#ifndef LICIT_CHECKER_NATIVE_HPP
#define LICIT_CHECKER_NATIVE_HPP

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include <licit/deque/native.hpp>

namespace licit::checker {

struct native : licit::native {
  /// Any trivially copyable type whose std::atomic is always lock-free. Starts at zero bytes.
  template <class T>
  class atomic : public licit::native::atomic<T> {
    using base = licit::native::atomic<T>;
    using base::value_;

   public:
    using base::load, base::store, base::compare_exchange, base::compare_exchange_weak, base::exchange, base::fetch_add,
        base::fetch_sub, base::fetch_or, base::fetch_and, base::fetch_xor;

    atomic() = default;
    explicit atomic(T value, const char* /*name*/ = nullptr) : base{value} {}

    T load(order o, const char* /*label*/ = nullptr) const { return value_.load(licit::detail::to_std(o)); }
    void store(T value, order o, const char* /*label*/ = nullptr) { value_.store(value, licit::detail::to_std(o)); }

    /// Strong. On failure `expected` becomes what was read.
    bool compare_exchange(T& expected, T desired, order success, order failure, const char* /*label*/ = nullptr) {
      return value_.compare_exchange_strong(expected, desired, licit::detail::to_std(success),
                                            licit::detail::to_std(failure));
    }
    /// May fail although the value is the expected one.
    bool compare_exchange_weak(T& expected, T desired, order success, order failure, const char* /*label*/ = nullptr) {
      return value_.compare_exchange_weak(expected, desired, licit::detail::to_std(success),
                                          licit::detail::to_std(failure));
    }

    /// These give the value from before. Numbers wrap around.
    T exchange(T value, order o, const char* /*label*/ = nullptr) {
      return value_.exchange(value, licit::detail::to_std(o));
    }
    T fetch_add(T value, order o, const char* /*label*/ = nullptr) {
      return value_.fetch_add(value, licit::detail::to_std(o));
    }
    T fetch_sub(T value, order o, const char* /*label*/ = nullptr) {
      return value_.fetch_sub(value, licit::detail::to_std(o));
    }
    T fetch_or(T value, order o, const char* /*label*/ = nullptr) {
      return value_.fetch_or(value, licit::detail::to_std(o));
    }
    T fetch_and(T value, order o, const char* /*label*/ = nullptr) {
      return value_.fetch_and(value, licit::detail::to_std(o));
    }
    T fetch_xor(T value, order o, const char* /*label*/ = nullptr) {
      return value_.fetch_xor(value, licit::detail::to_std(o));
    }

    /// Reads until `holds` says yes of the value, letting other threads run meanwhile.
    template <class Predicate>
    T await(Predicate holds, order o, const char* label = nullptr) const {
      for (;;) {
        const T value = load(o, label);
        if (holds(value)) return value;
        std::this_thread::yield();
      }
    }
  };

  template <class T>
  class plain : public licit::native::plain<T> {
   public:
    plain() = default;
    explicit plain(T value, const char* /*name*/ = nullptr) : licit::native::plain<T>{value} {}
  };

  /// Only a checker makes a client smaller.
  static bool leaves_out(const char* /*operation*/) { return false; }

  /// Names are for traces.
  template <class Cell>
  static void name(const Cell& /*cell*/, const char* /*text*/) {}

  /// Nothing: only a checker looks at guesses.
  struct ghost {
    void write() {}
    void read() const {}
    void guess() const {}
    static void claim(bool /*success*/) {}
  };

  using licit::native::fence;
  static void fence(order o, const char* /*label*/ = nullptr) {
    if (o != order::relaxed) std::atomic_thread_fence(licit::detail::to_std(o));
  }

  /// Says which property does not hold, and aborts.
  static void check(bool holds, std::string_view property) {
    if (holds) return;
    std::fprintf(stderr, "licit: does not hold: %.*s\n", static_cast<int>(property.size()), property.data());
    std::abort();
  }
};

}  // namespace licit::checker

#endif
