/// The machine's memory, by the interface of checker::model: what was checked is what runs.
///
/// Beside the sites of an ordering table, as licit::native has them, it takes the order where it is used, and a label
/// that only the checker needs. Header only; a program that uses no more of the checker need not link it.
#ifndef LICIT_CHECKER_NATIVE_HPP
#define LICIT_CHECKER_NATIVE_HPP

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

#include <licit/checker/standard_names.hpp>
#include <licit/deque/native.hpp>

namespace licit::checker {

struct native : licit::native {
 private:
  using ordering = detail::ordering;

 public:
  /// Any trivially copyable type whose std::atomic is always lock-free. Starts at zero bytes. Labels are for traces.
  template <class T>
  class atomic : public licit::native::atomic<T>, public detail::standard_names<atomic<T>, T> {
    using base = licit::native::atomic<T>;
    using names = detail::standard_names<atomic<T>, T>;
    using held = licit::detail::held_for<T>;
    using difference = detail::difference_of<T>;
    using base::value_;

   public:
    using names::compare_exchange, names::compare_exchange_weak, names::operator=;

    atomic() = default;
    atomic(T value, const char* /*name*/ = nullptr) : base{value} {}  // NOLINT(google-explicit-constructor)
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
    ~atomic() = default;

    T load(ordering o = order::seq_cst, const char* /*label*/ = nullptr) const {
      return licit::detail::item_of<T>(value_.load(to_std(o)));
    }
    void store(T value, ordering o = order::seq_cst, const char* /*label*/ = nullptr) {
      value_.store(held{value}, to_std(o));
    }

    /// Strong. On failure `expected` becomes what was read.
    bool compare_exchange(T& expected, T desired, ordering success, ordering failure, const char* /*label*/ = nullptr) {
      held before{expected};
      if (value_.compare_exchange_strong(before, held{desired}, to_std(success), to_std(failure))) return true;
      expected = licit::detail::item_of<T>(before);
      return false;
    }
    /// May fail although the value is the expected one.
    bool compare_exchange_weak(T& expected, T desired, ordering success, ordering failure,
                               const char* /*label*/ = nullptr) {
      held before{expected};
      if (value_.compare_exchange_weak(before, held{desired}, to_std(success), to_std(failure))) return true;
      expected = licit::detail::item_of<T>(before);
      return false;
    }

    /// These give the value from before. Numbers wrap around; a pointer moves by elements.
    T exchange(T value, ordering o = order::seq_cst, const char* /*label*/ = nullptr) {
      return licit::detail::item_of<T>(value_.exchange(held{value}, to_std(o)));
    }
    T fetch_add(difference by, ordering o = order::seq_cst, const char* /*label*/ = nullptr)
      requires detail::summable<T>
    {
      return value_.fetch_add(by, to_std(o));
    }
    T fetch_sub(difference by, ordering o = order::seq_cst, const char* /*label*/ = nullptr)
      requires detail::summable<T>
    {
      return value_.fetch_sub(by, to_std(o));
    }
    T fetch_or(T bits, ordering o = order::seq_cst, const char* /*label*/ = nullptr)
      requires detail::bitwise<T>
    {
      return value_.fetch_or(bits, to_std(o));
    }
    T fetch_and(T bits, ordering o = order::seq_cst, const char* /*label*/ = nullptr)
      requires detail::bitwise<T>
    {
      return value_.fetch_and(bits, to_std(o));
    }
    T fetch_xor(T bits, ordering o = order::seq_cst, const char* /*label*/ = nullptr)
      requires detail::bitwise<T>
    {
      return value_.fetch_xor(bits, to_std(o));
    }

    // At a site of an ordering table, whose operation must be of that kind.
    template <detail::ordering_site Site>
    T load(Site s) const {
      return base::load(s);
    }
    template <detail::ordering_site Site>
    void store(T value, Site s) {
      base::store(value, s);
    }
    template <detail::ordering_site Site>
    bool compare_exchange(T& expected, T desired, Site s) {
      return base::compare_exchange(expected, desired, s);
    }
    template <detail::ordering_site Site>
    bool compare_exchange_weak(T& expected, T desired, Site s) {
      return base::compare_exchange_weak(expected, desired, s);
    }
    template <detail::ordering_site Site>
    T exchange(T value, Site s) {
      return base::exchange(value, s);
    }
    template <detail::ordering_site Site>
    T fetch_add(difference by, Site /*site*/) {
      return fetch_add(by, order_of_update<Site>());
    }
    template <detail::ordering_site Site>
    T fetch_sub(difference by, Site /*site*/) {
      return fetch_sub(by, order_of_update<Site>());
    }
    template <detail::ordering_site Site>
    T fetch_or(T bits, Site /*site*/) {
      return fetch_or(bits, order_of_update<Site>());
    }
    template <detail::ordering_site Site>
    T fetch_and(T bits, Site /*site*/) {
      return fetch_and(bits, order_of_update<Site>());
    }
    template <detail::ordering_site Site>
    T fetch_xor(T bits, Site /*site*/) {
      return fetch_xor(bits, order_of_update<Site>());
    }

    /// Reads until `holds` says yes of the value, letting other threads run meanwhile.
    template <class Predicate>
    T await(Predicate holds, ordering o = order::seq_cst, const char* /*label*/ = nullptr) const {
      for (;;) {
        const T value = load(o);
        if (holds(value)) return value;
        std::this_thread::yield();
      }
    }
    void await_value(T wanted, ordering o = order::seq_cst, const char* label = nullptr) const {
      await([&](const T& value) { return same(value, wanted); }, o, label);
    }
    T await_change(T old, ordering o = order::seq_cst, const char* label = nullptr) const {
      return await([&](const T& value) { return !same(value, old); }, o, label);
    }
    void exchange_when(T expected, T desired, ordering o = order::seq_cst, const char* /*label*/ = nullptr) {
      for (T seen = expected; !compare_exchange_weak(seen, desired, o, o.on_failure()); seen = expected) {
        std::this_thread::yield();
      }
    }

    /// Blocks until it is notified of another value, as std::atomic's.
    void wait(T old, ordering o = order::seq_cst, const char* /*label*/ = nullptr) const {
      value_.wait(held{old}, to_std(o));
    }
    /// Blocks for at most `most`. Whether the value is another.
    bool wait_for(T old, std::chrono::nanoseconds most, ordering o = order::seq_cst,
                  const char* /*label*/ = nullptr) const {
      const auto begun = std::chrono::steady_clock::now();
      while (same(load(o), old)) {
        if (std::chrono::steady_clock::now() - begun >= most) return false;
        std::this_thread::yield();
      }
      return true;
    }
    void notify_one(const char* /*label*/ = nullptr) { value_.notify_one(); }
    void notify_all(const char* /*label*/ = nullptr) { value_.notify_all(); }

    /// A futex; 32-bit words only. It compares by a relaxed load, then a fence gives the order. Returns nothing about
    /// the value.
    void futex_wait(T old, ordering o = order::seq_cst, const char* /*label*/ = nullptr) const {
      licit::futex_wait(value_, old);
      fence(o);
    }
    void futex_wait_for(T old, std::chrono::nanoseconds most, ordering o = order::seq_cst,
                        const char* /*label*/ = nullptr) const {
      licit::futex_wait_for(value_, old, most);
      fence(o);
    }
    template <detail::ordering_site Site>
    void futex_wait(T old, Site s) const {
      base::futex_wait(old, s);
    }
    template <detail::ordering_site Site>
    void futex_wait_for(T old, std::chrono::nanoseconds most, Site s) const {
      base::futex_wait_for(old, most, s);
    }
    void futex_wake_one(const char* label = nullptr) const { base::futex_wake_one(label); }
    void futex_wake_all(const char* label = nullptr) const { base::futex_wake_all(label); }

   private:
    static constexpr std::memory_order to_std(order o) { return licit::detail::to_std(o); }
    /// By bytes, as the model's.
    static bool same(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }
    template <class Site>
    static consteval order order_of_update() {
      static_assert(Site::entry.kind == operation::update);
      return Site::entry.success;
    }
  };

  template <class T>
  class plain : public licit::native::plain<T> {
   public:
    plain() = default;
    explicit plain(T value, const char* /*name*/ = nullptr) : licit::native::plain<T>{value} {}
  };

  /// Blocks. One thread locks it once.
  class mutex {
   public:
    void lock(const char* /*label*/ = nullptr) { mutex_.lock(); }
    bool try_lock(const char* /*label*/ = nullptr) { return mutex_.try_lock(); }
    void unlock(const char* /*label*/ = nullptr) { mutex_.unlock(); }

   private:
    std::mutex mutex_;
  };

  /// Only a checker makes a client smaller, stops its threads for good, and counts their steps.
  static bool leaves_out(const char* /*operation*/) { return false; }
  static bool stalled(unsigned /*thread*/) { return false; }
  template <class Operation>
  static decltype(auto) within(std::size_t /*most*/, Operation&& operation) {
    return std::forward<Operation>(operation)();
  }

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

  template <detail::ordering_site Site>
  static void fence(Site s) {
    licit::native::fence(s);
  }
  static void fence(ordering o = order::seq_cst, const char* /*label*/ = nullptr) {
    if (o != order::relaxed) std::atomic_thread_fence(licit::detail::to_std(o));
  }
  /// Full fences, both: licit::asymmetric has the pair that makes the light one free.
  static void light_fence(const char* /*label*/ = nullptr) { full_fence(); }
  static void heavy_fence(const char* /*label*/ = nullptr) { full_fence(); }

  /// Says which property does not hold, and aborts.
  static void check(bool holds, std::string_view property) {
    if (holds) return;
    std::fprintf(stderr, "licit: does not hold: %.*s\n", static_cast<int>(property.size()), property.data());
    std::abort();
  }
};

}  // namespace licit::checker

#endif
