/// The memory policy over Relacy: the algorithm's own source runs on rl::atomic and rl::var.
///
/// What Relacy cannot show is listed in models/README.md and beside each mutant that it misses.
#ifndef LICIT_MODELS_RELACY_MODEL_HPP
#define LICIT_MODELS_RELACY_MODEL_HPP

#include <memory_resource>
#include <string_view>
#include <type_traits>
#include <utility>

#include <licit/checker/live_orders.hpp>
#include <licit/deque/order.hpp>

#include "relacy/engine.hpp"

namespace licit::models::relacy {

constexpr rl::memory_order to_relacy(order o) {
  switch (o) {
    case order::relaxed: return rl::mo_relaxed;
    case order::acquire: return rl::mo_acquire;
    case order::release: return rl::mo_release;
    case order::acq_rel: return rl::mo_acq_rel;
    case order::seq_cst: return rl::mo_seq_cst;
  }
  return rl::mo_seq_cst;
}

struct model {
  template <class T>
  class atomic {
   public:
    atomic() = default;
    explicit atomic(T value) {
      if (value != T{}) cell_.store(value, rl::mo_relaxed, $);
    }

    template <class Site>
      requires requires { Site::index; }
    T load(Site) const {
      return load(live<Site>().success, Site::entry.site);
    }

    template <class Site>
      requires requires { Site::index; }
    void store(T value, Site) {
      if (!left_out<Site>()) store(value, live<Site>().success, Site::entry.site);
    }

    template <class Site>
    bool compare_exchange(T& expected, T desired, Site) {
      return claim_at<Site, false>(expected, desired);
    }
    template <class Site>
    bool compare_exchange_weak(T& expected, T desired, Site) {
      return claim_at<Site, true>(expected, desired);
    }
    template <class Site>
    T exchange(T value, Site) {
      return updated<Site>(cell_.exchange(value, update_order<Site>(), $));
    }
    template <class Site>
    T fetch_add(T value, Site) {
      return updated<Site>(cell_.fetch_add(value, update_order<Site>(), $));
    }
    template <class Site>
    T fetch_sub(T value, Site) {
      return updated<Site>(cell_.fetch_sub(value, update_order<Site>(), $));
    }
    template <class Site>
    T fetch_or(T value, Site) {
      return updated<Site>(cell_.fetch_or(value, update_order<Site>(), $));
    }
    template <class Site>
    T fetch_and(T value, Site) {
      return updated<Site>(cell_.fetch_and(value, update_order<Site>(), $));
    }
    template <class Site>
    T fetch_xor(T value, Site) {
      return updated<Site>(cell_.fetch_xor(value, update_order<Site>(), $));
    }

    /// Compare and sleep are one step: Relacy switches threads within the load before. It may return for no reason. Who
    /// is woken acquires what the waker had released, more than the standard promises.
    template <class Site>
    void futex_wait(T old, Site) const {
      static_cast<void>(cell_.load(rl::mo_relaxed, $));
      if (cell_.debug_value() != old) return;
      recorder::add(Site::entry.site, "sleeps", word(old), 0, order::relaxed);
      cell_.wait(rl::ctx(), false, true, $);
    }
    void futex_wake_one(const char* label) const { wake(1, label); }
    void futex_wake_all(const char* label) const { wake(rl::thread_id_t(-1), label); }

    /// For a program's own atomics: the order said where it is used.
    T load(order o, std::string_view label = "load") const {
      const T value = cell_.load(to_relacy(o), $);
      recorder::add(label, cell_.debug_value() == value ? "reads" : "reads (stale)", word(value), 0, o);
      return value;
    }
    void store(T value, order o, std::string_view label = "store") {
      cell_.store(value, to_relacy(o), $);
      recorder::add(label, "writes", word(value), 0, o);
    }

   private:
    template <class Site, bool Weak>
    bool claim_at(T& expected, T desired) {
      const checker::live_row& row = live<Site>();
      if (row.blind) {
        store(desired, order::relaxed, Site::entry.site);
        return true;
      }
      const T wanted = expected;
      const bool won = cell_.compare_exchange(rl::bool_t<Weak>(), expected, desired, to_relacy(row.success),
                                              to_relacy(row.failure), $);
      recorder::add(Site::entry.site, won ? "claims" : "fails to claim", word(wanted), word(won ? desired : expected),
                    row.success);
      return won;
    }

    template <class Site>
    static rl::memory_order update_order() {
      return to_relacy(live<Site>().success);
    }
    template <class Site>
    T updated(T before) const {
      recorder::add(Site::entry.site, "updates", word(before), word(cell_.debug_value()), live<Site>().success);
      return before;
    }

    void wake(rl::thread_id_t most, const char* label) const {
      rl::ctx().sched();
      recorder::add(label, "wakes", 0, 0, order::relaxed);
      cell_.wake(rl::ctx(), most, $);
    }

    static std::int64_t word(T value) {
      if constexpr (std::is_pointer_v<T>) {
        return arena::number(value);
      } else {
        return static_cast<std::int64_t>(value);
      }
    }

    mutable rl::generic_atomic<T, true> cell_;  // starts at zero, as the native atomic does, without a scheduling point
  };

  template <class T>
  class plain {
   public:
    plain() : plain(T{}) {}
    explicit plain(T value) : cell_{value} {}
    T read() const { return cell_($).load(); }
    void write(T value) { cell_($).store(value); }

   private:
    rl::var<T> cell_;
  };

  template <class Site>
  static void fence(Site) {
    const checker::live_row& row = live<Site>();
    if (left_out<Site>() || row.success == order::relaxed) return;
    rl::atomic_thread_fence(to_relacy(row.success), $);
    recorder::add(Site::entry.site, "fence", 0, 0, row.success);
  }

  /// Histories are by site.
  template <class Cell>
  static void name(const Cell& /*cell*/, const char* /*text*/) {}

  static bool leaves_out(const char* /*operation*/) { return false; }
  static constexpr bool calls_compare_exchange = false;

  /// An exception's memory is not Relacy's to give and take: programs must not let one be thrown.
  static constexpr bool exceptions = false;

  static constexpr bool asymmetric = false;
  struct fences {
    template <class Site>
    void operator()(Site s) const {
      fence(s);
    }
  };

  static std::pmr::memory_resource* memory() { return &arena::instance(); }

  /// Relacy stops no thread for good, and its schedules are not the place to count steps.
  static bool stalled(unsigned /*thread*/) { return false; }
  template <class Operation>
  static decltype(auto) within(std::size_t /*most*/, Operation&& operation) {
    return std::forward<Operation>(operation)();
  }

  static void invariant(int number, bool holds) {
    if (!holds) fail("invariant I" + std::to_string(number) + " of deque/README.md does not hold");
  }

  static void check(bool holds, std::string_view property) {
    if (!holds) fail(property);
  }

 private:
  template <class Site>
  static const checker::live_row& live() {
    return checker::live_orders<Site::in>::row(Site::index);
  }

  template <class Site>
  static bool left_out() {
    const checker::live_row& row = live<Site>();
    return row.dropped || (row.dropped_first && recorder::first_visit(Site::index));
  }

  static void fail(std::string_view property) {
    recorder::failed(property);
    rl::ctx().fail_test("", rl::test_result_user_assert_failed, $);
  }
};

}  // namespace licit::models::relacy

#endif
