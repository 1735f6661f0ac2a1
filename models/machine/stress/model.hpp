/// The machine's memory for client programs, with a mutant compiled in.
///
/// Where nothing is changed an operation is licit::native's own; where something is, the order is a constant of the
/// instantiation too, so the binary is what a compiler makes of the mutant. Cells are ordinary objects: a sanitizer
/// sees their races, an emulator their loads and stores.
#ifndef LICIT_MODELS_STRESS_MODEL_HPP
#define LICIT_MODELS_STRESS_MODEL_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string_view>
#include <utility>

#include <licit/checker/native.hpp>
#include <licit/deque/membarrier.hpp>
#include <licit/deque/native.hpp>

#include "machine/stress/arena.hpp"
#include "machine/stress/chance.hpp"
#include "machine/stress/report.hpp"
#include "machine/stress/row.hpp"

namespace licit::stress {

/// Which execution the calling thread is in, from 1.
inline thread_local std::uint64_t execution_number = 0;

/// Any thread. Adds no order: relaxed. A thread that is behind in another execution of those that run side by side is
/// not the first.
template <class Site>
bool first_visit() {
  static std::atomic<std::uint64_t> newest{0};
  std::uint64_t seen = newest.load(std::memory_order_relaxed);
  while (seen < execution_number) {
    if (newest.compare_exchange_weak(seen, execution_number, std::memory_order_relaxed)) return true;
  }
  return false;
}

/// Not derived from licit::native: `asymmetric<…>` would then choose the fences itself, and know no mutants.
template <class Alteration = unaltered>
struct model {
 private:
  using ground = checker::native;
  template <class Site>
  static constexpr checker::live_row now = Alteration::template at<Site>();
  template <class Site>
  static constexpr bool reordered = Alteration::template reorders<Site>();

 public:
  template <class T>
  class atomic : public ground::template atomic<T> {
    using base = typename ground::template atomic<T>;

   public:
    using base::base;
    using base::compare_exchange;
    using base::compare_exchange_weak;
    using base::exchange;
    using base::fetch_add;
    using base::fetch_and;
    using base::fetch_or;
    using base::fetch_sub;
    using base::fetch_xor;
    using base::load;
    using base::store;

    template <checker::detail::ordering_site Site>
    T load(Site site) const {
      if constexpr (reordered<Site>) {
        return base::load(now<Site>.success);
      } else {
        return base::load(site);
      }
    }
    template <checker::detail::ordering_site Site>
    void store(T value, Site site) {
      if (left_out<Site>()) return;
      if constexpr (reordered<Site>) {
        base::store(value, now<Site>.success);
      } else {
        base::store(value, site);
      }
    }
    template <checker::detail::ordering_site Site>
    bool compare_exchange(T& expected, T desired, Site site) {
      if constexpr (now<Site>.blind) {
        base::store(desired, order::relaxed);
        return true;
      } else if constexpr (reordered<Site>) {
        return base::compare_exchange(expected, desired, now<Site>.success, now<Site>.failure);
      } else {
        return base::compare_exchange(expected, desired, site);
      }
    }
    template <checker::detail::ordering_site Site>
    bool compare_exchange_weak(T& expected, T desired, Site site) {
      if constexpr (now<Site>.blind) {
        base::store(desired, order::relaxed);
        return true;
      } else if constexpr (reordered<Site>) {
        return base::compare_exchange_weak(expected, desired, now<Site>.success, now<Site>.failure);
      } else {
        return base::compare_exchange_weak(expected, desired, site);
      }
    }
    template <checker::detail::ordering_site Site>
    T exchange(T value, Site /*site*/) {
      return base::exchange(value, update_order<Site>());
    }
    template <checker::detail::ordering_site Site>
    T fetch_add(T value, Site /*site*/) {
      return base::fetch_add(value, update_order<Site>());
    }
    template <checker::detail::ordering_site Site>
    T fetch_sub(T value, Site /*site*/) {
      return base::fetch_sub(value, update_order<Site>());
    }
    template <checker::detail::ordering_site Site>
    T fetch_or(T value, Site /*site*/) {
      return base::fetch_or(value, update_order<Site>());
    }
    template <checker::detail::ordering_site Site>
    T fetch_and(T value, Site /*site*/) {
      return base::fetch_and(value, update_order<Site>());
    }
    template <checker::detail::ordering_site Site>
    T fetch_xor(T value, Site /*site*/) {
      return base::fetch_xor(value, update_order<Site>());
    }

    /// Reads until `holds` says yes of the value, letting other threads run meanwhile.
    template <class Predicate>
    T await(Predicate holds, order o, const char* label = nullptr) const {
      for (unsigned looks = 0;; ++looks) {
        const T value = base::load(o, label);
        if (holds(value)) return value;
        chance::rest(looks);
      }
    }
    /// Reads until the value is `wanted`.
    void await_value(T wanted, order o, const char* label = nullptr) const {
      await([&](T value) { return value == wanted; }, o, label);
    }

   private:
    template <class Site>
    static consteval order update_order() {
      static_assert(Site::entry.kind == operation::update);
      return now<Site>.success;
    }
  };

  template <class T>
  using plain = ground::plain<T>;
  using ghost = ground::ghost;

  template <class Cell>
  static void name(const Cell& /*cell*/, const char* /*text*/) {}

  /// As the checker's: a light fence is the compiler's half of a heavy one in any policy.
  template <class Site>
  static void fence(Site site) {
    static_assert(detail::is_fence(Site::entry.kind));
    constexpr checker::live_row is = now<Site>;
    if (left_out<Site>()) return;
    if constexpr (is.success == order::relaxed) {
      return;
    } else if constexpr (Site::entry.kind == operation::light_fence) {
      if constexpr (!is.symmetric) light_fence();
    } else if constexpr (Site::entry.kind == operation::heavy_fence) {
      is.symmetric ? licit::native::full_fence() : heavy_fence();
    } else if constexpr (reordered<Site>) {
      ground::fence(is.success);
    } else {
      ground::fence(site);
    }
  }
  static void fence(order o, const char* /*label*/ = nullptr) { ground::fence(o); }
  static void light_fence(const char* /*label*/ = nullptr) { licit::native::compiler_barrier(); }
  static void heavy_fence(const char* /*label*/ = nullptr) { membarrier(); }

  static constexpr bool calls_compare_exchange = licit::native::calls_compare_exchange;

  static constexpr bool asymmetric = false;
  struct fences {
    template <class Site>
    void operator()(Site site) const {
      fence(site);
    }
  };

  static std::pmr::memory_resource* memory() { return &arena_memory(); }

  /// Mutual exclusion, by one word.
  class mutex {
   public:
    void lock(const char* /*label*/ = nullptr) {
      for (unsigned looks = 0; !try_lock(); ++looks) chance::rest(looks);
    }
    bool try_lock(const char* /*label*/ = nullptr) { return state_.exchange(1, order::acquire) == 0; }
    void unlock(const char* /*label*/ = nullptr) { state_.store(0, order::release); }

   private:
    atomic<int> state_;
  };

  /// No thread is stopped for good, and steps are not counted.
  static bool stalled(unsigned /*thread*/) { return false; }
  template <class Operation>
  static decltype(auto) within(std::size_t /*most*/, Operation&& operation) {
    return std::forward<Operation>(operation)();
  }

  /// Called by a client before an operation, outside of the algorithm: the place for a delay. Nothing is left out.
  static bool leaves_out(const char* /*operation*/) {
    chance::delay();
    return false;
  }

  static void invariant(int number, bool holds) {
    if (!holds) fail_invariant(number);
  }
  static void check(bool holds, std::string_view property) {
    if (!holds) fail(property);
  }

 private:
  template <class Site>
  static bool left_out() {
    if constexpr (now<Site>.dropped) return true;
    if constexpr (now<Site>.dropped_first) return first_visit<Site>();
    return false;
  }
};

}  // namespace licit::stress

#endif
