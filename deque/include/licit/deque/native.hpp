/// The production policy: the memory of the machine, through std::atomic.
///
/// A policy is all that an algorithm may assume of memory: `atomic<T>`, `plain<T>` (data that is not atomic), `fence`,
/// where rings are allocated, and what happens when an invariant does not hold. The checkers are other policies for the
/// same algorithm source.
#ifndef LICIT_DEQUE_NATIVE_HPP
#define LICIT_DEQUE_NATIVE_HPP

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory_resource>
#include <type_traits>
#include <utility>

#include <licit/deque/futex.hpp>
#include <licit/deque/order.hpp>

namespace licit::inline v0 {

namespace detail {
constexpr std::memory_order to_std(order o) {
  switch (o) {
    case order::relaxed: return std::memory_order_relaxed;
    case order::acquire: return std::memory_order_acquire;
    case order::release: return std::memory_order_release;
    case order::acq_rel: return std::memory_order_acq_rel;
    case order::seq_cst: return std::memory_order_seq_cst;
  }
  return std::memory_order_seq_cst;
}

/// Whether the compiler tells ThreadSanitizer, or what is linked in its place, of each fence. It tells nothing of
/// assembly.
#if defined(__SANITIZE_THREAD__)
constexpr bool fences_are_told = true;
#elif defined(__has_feature)
constexpr bool fences_are_told = __has_feature(thread_sanitizer);
#else
constexpr bool fences_are_told = false;
#endif

// g++ warns wherever a fence is compiled for ThreadSanitizer, which does not model fences. A user can do nothing about
// it: the items' synchronisation is by release stores and acquire loads, which it does model.
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtsan"
#endif
template <std::memory_order Order>
[[gnu::always_inline]] inline void thread_fence() {
  __atomic_thread_fence(static_cast<int>(Order));
}
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// A class whose alignment is below its size, aligned to it. clang++ 14 calls libatomic for the class itself, whatever
/// the alignment of the atomic that holds it.
template <class T>
struct alignas(sizeof(T)) aligned_to_its_size {
  T item;
};
template <class T>
constexpr bool needs_alignment = std::is_class_v<T> && alignof(T) < sizeof(T) && std::has_single_bit(sizeof(T));
/// What std::atomic holds for a T.
template <class T>
using held_for = typename std::conditional_t<needs_alignment<T>, std::type_identity<aligned_to_its_size<T>>,
                                             std::type_identity<T>>::type;
template <class T>
T item_of(const held_for<T>& held) {
  if constexpr (needs_alignment<T>) {
    return held.item;
  } else {
    return held;
  }
}

/// Whether a structure's fences are full ones where its table has light ones (asymmetric.hpp).
template <class Fences>
[[nodiscard]] bool all_full(const Fences& fences) {
  if constexpr (requires { fences.all_full(); }) {
    return fences.all_full();
  } else {
    return false;
  }
}

/// Fences of a structure for which `all_full` is false: as its table has them, without another question.
template <class Fences>
auto as_in_table(const Fences& fences) {
  return [&fences](auto site) {
    if constexpr (requires { fences.as_in_table(site); }) {
      fences.as_in_table(site);
    } else {
      fences(site);
    }
  };
}
}  // namespace detail

struct native {
  /// Initially all bytes are zero, so T needs no default constructor and a thief's guess reads a value.
  template <class T>
  class atomic {
    using held = detail::held_for<T>;

    static_assert(std::is_trivially_copyable_v<T>, "licit: an atomic holds trivially copyable types only");
    static_assert(std::atomic<T>::is_always_lock_free,
                  "licit: this type has no always-lock-free atomic on this target (it is too large or of an odd "
                  "size); store a pointer to it instead");

   public:
    atomic() : value_{std::bit_cast<held>(std::array<std::byte, sizeof(T)>{})} {}
    explicit atomic(T value) : value_{held{value}} {}

    template <class Site>
    T load(Site /*site*/) const {
      static_assert(Site::entry.kind == operation::load);
      return detail::item_of<T>(value_.load(detail::to_std(Site::entry.success)));
    }

    template <class Site>
    void store(T value, Site /*site*/) {
      static_assert(Site::entry.kind == operation::store);
      value_.store(held{value}, detail::to_std(Site::entry.success));
    }

    /// Strong. On failure `expected` becomes the value read.
    template <class Site>
    bool compare_exchange(T& expected, T desired, Site /*site*/) {
      static_assert(Site::entry.kind == operation::compare_exchange);
      release_that_is_left_out<Site::entry.success>();
      held before{expected};
      const bool exchanged = value_.compare_exchange_strong(before, held{desired}, detail::to_std(Site::entry.success),
                                                            detail::to_std(Site::entry.failure));
      if (!exchanged) expected = detail::item_of<T>(before);
      return exchanged;
    }

    /// May fail although the value is the expected one, as std::atomic's.
    template <class Site>
    bool compare_exchange_weak(T& expected, T desired, Site /*site*/) {
      static_assert(Site::entry.kind == operation::compare_exchange);
      held before{expected};
      const bool exchanged = value_.compare_exchange_weak(before, held{desired}, detail::to_std(Site::entry.success),
                                                          detail::to_std(Site::entry.failure));
      if (!exchanged) expected = detail::item_of<T>(before);
      return exchanged;
    }

    /// Read-modify-writes; they return the previous value. Numbers wrap around.
    template <class Site>
    T exchange(T value, Site /*site*/) {
      return detail::item_of<T>(value_.exchange(held{value}, update_order<Site>()));
    }
    template <class Site>
    T fetch_add(T value, Site /*site*/) {
      return value_.fetch_add(value, update_order<Site>());
    }
    template <class Site>
    T fetch_sub(T value, Site /*site*/) {
      return value_.fetch_sub(value, update_order<Site>());
    }
    template <class Site>
    T fetch_or(T value, Site /*site*/) {
      return value_.fetch_or(value, update_order<Site>());
    }
    template <class Site>
    T fetch_and(T value, Site /*site*/) {
      return value_.fetch_and(value, update_order<Site>());
    }
    template <class Site>
    T fetch_xor(T value, Site /*site*/) {
      return value_.fetch_xor(value, update_order<Site>());
    }

    /// A futex; 32-bit words only. Sleeps if the value is `old`, until it is woken, or returns for no reason. Returns
    /// nothing about the value. The site is a relaxed load.
    template <class Site>
    void futex_wait(T old, Site /*site*/) const {
      static_assert(Site::entry.kind == operation::load && Site::entry.success == order::relaxed);
      licit::futex_wait(value_, old);
    }
    /// The same, for at most `most`.
    template <class Site>
    void futex_wait_for(T old, std::chrono::nanoseconds most, Site /*site*/) const {
      static_assert(Site::entry.kind == operation::load && Site::entry.success == order::relaxed);
      licit::futex_wait_for(value_, old, most);
    }
    /// The label names the operation in traces.
    void futex_wake_one(const char* /*label*/) const { licit::futex_wake_one(value_); }
    void futex_wake_all(const char* /*label*/) const { licit::futex_wake_all(value_); }

   private:
    template <class Site>
    static consteval std::memory_order update_order() {
      static_assert(Site::entry.kind == operation::update);
      return detail::to_std(Site::entry.success);
    }

   protected:
    std::atomic<held> value_;
  };

  template <class T>
  class plain {
   public:
    plain() = default;
    explicit plain(T value) : value_{std::move(value)} {}
    [[nodiscard]] T read() const { return value_; }
    void write(T value) { value_ = std::move(value); }

   private:
    T value_{};
  };

  /// Light and heavy fences are full fences here.
  template <class Site>
  static void fence(Site /*site*/) {
    static_assert(detail::is_fence(Site::entry.kind));
    if constexpr (Site::entry.success == order::seq_cst) {
      full_fence();
    } else if constexpr (Site::entry.success != order::relaxed) {
      detail::thread_fence<detail::to_std(Site::entry.success)>();
    }
  }

  // Mapping argument (x86-64): a locked instruction is never reordered with any load or store to write-back memory
  // (Intel SDM vol. 3, 9.2.2; x86-TSO: it drains the store buffer), which is all that C++ atomics can observe, so it
  // orders what MFENCE orders. MFENCE also orders weakly-ordered (non-temporal) stores, which atomics never are, and
  // takes about twice as long. g++ chooses the locked instruction itself; clang emits MFENCE. The "memory" clobber is
  // the compiler's half of the fence. The word is below the stack pointer, private to the thread, and unchanged.
  static void full_fence() {
#if defined(__x86_64__)
    if constexpr (!detail::fences_are_told) {
      asm volatile("lock; orl $0, -64(%%rsp)" ::: "memory", "cc");
      return;
    }
#endif
    detail::thread_fence<std::memory_order_seq_cst>();
  }

  /// The compiler moves no memory access across it. No instruction.
  static void compiler_barrier() { std::atomic_signal_fence(std::memory_order_seq_cst); }

  /// Whether structures use their tables with light and heavy fences.
  static constexpr bool asymmetric = false;

  /// A structure's member that executes its fences. A policy may choose them when the structure is made.
  struct fences {
    template <class Site>
    void operator()(Site s) const {
      fence(s);
    }
  };

  static std::pmr::memory_resource* memory() { return std::pmr::new_delete_resource(); }

  /// Whether the compiler may make a compare-exchange a function call, which makes its caller save registers.
#if defined(__aarch64__) && !defined(__ARM_FEATURE_ATOMICS)
  static constexpr bool calls_compare_exchange = true;
#else
  static constexpr bool calls_compare_exchange = false;
#endif

  /// Invariants are numbered in deque/README.md. Unchecked here; see `native_checked`.
  static void invariant(int /*number*/, bool /*holds*/) {}

 private:
  // g++ before 14 omits the release of a RISC-V compare-exchange in which only success releases: neither lr nor sc
  // carries it (`licit codegen --target riscv64` shows that). A release fence before it is at least as strong.
  template <order Success>
  static void release_that_is_left_out() {
#if defined(__riscv) && defined(__GNUC__) && !defined(__clang__)
    constexpr bool releases = Success != order::relaxed && Success != order::acquire;
    if constexpr (releases && __GNUC__ < 14) detail::thread_fence<std::memory_order_release>();
#endif
  }
};

/// The production policy with checked invariants: a violation prints its number and aborts.
struct native_checked : native {
  static void invariant(int number, bool holds) {
    if (!holds) {
      std::fprintf(stderr, "licit: invariant I%d of deque/README.md does not hold\n", number);
      std::abort();
    }
  }
};

}  // namespace licit::inline v0

#endif
