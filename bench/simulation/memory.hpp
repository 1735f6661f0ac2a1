/// The memory policy of the simulation: the scheduler's own source runs on it. Values change at once, in the order of
/// virtual time (sequential consistency); what a weaker order saves, it saves in time.
#ifndef LICIT_SIMULATION_MEMORY_HPP
#define LICIT_SIMULATION_MEMORY_HPP

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <stdexcept>
#include <string>
#include <utility>

#include <licit/deque/native.hpp>
#include <licit/deque/order.hpp>
#include <licit/scheduler/fork/fork_side.hpp>
#include <licit/scheduler/idle/idle_set.hpp>
#include <licit/scheduler/worker_rules.hpp>

#include "machine.hpp"

namespace licit_simulation {

/// The site of an access that is not the scheduler's.
struct own_site {};

struct simulated {
  template <class T>
  class atomic {
   public:
    atomic() : value_{std::bit_cast<T>(std::array<std::byte, sizeof(T)>{})} {}
    explicit atomic(T value) : value_{value} {}

    template <class Site>
    T load(Site /*site*/) const {
      here().load(this);
      return value_;
    }
    template <class Site>
    void store(T value, Site /*site*/) {
      if constexpr (requires { Site::entry.success; }) {
        Site::entry.success == licit::order::seq_cst ? here().update(this) : here().store(this);
      } else {
        here().store(this);
      }
      value_ = value;
    }
    template <class Site>
    bool compare_exchange(T& expected, T desired, Site /*site*/) {
      here().update(this);
      if (value_ == expected) {
        value_ = desired;
        return true;
      }
      expected = value_;
      return false;
    }
    template <class Site>
    bool compare_exchange_weak(T& expected, T desired, Site site) {
      return compare_exchange(expected, desired, site);
    }
    template <class Site>
    T exchange(T value, Site /*site*/) {
      here().update(this);
      return std::exchange(value_, value);
    }
    template <class Site>
    T fetch_add(T value, Site /*site*/) {
      return change([&](T now) { return static_cast<T>(now + value); });
    }
    template <class Site>
    T fetch_sub(T value, Site /*site*/) {
      return change([&](T now) { return static_cast<T>(now - value); });
    }
    template <class Site>
    T fetch_or(T value, Site /*site*/) {
      return change([&](T now) { return static_cast<T>(now | value); });
    }
    template <class Site>
    T fetch_and(T value, Site /*site*/) {
      return change([&](T now) { return static_cast<T>(now & value); });
    }
    template <class Site>
    void futex_wait(T old, Site /*site*/) const {
      here().spend(here().prices().futex_refused, expense::wakes);
      here().load(this);
      if (value_ == old) here().sleep(this);
    }
    void futex_wake_one(const char* /*label*/) const { here().wake_one(this); }

   private:
    template <class Change>
    T change(Change changed) {
      here().update(this);
      return std::exchange(value_, changed(value_));
    }
    static machine& here() { return machine::current(); }
    T value_;
  };

  /// Its owner's alone, so without cost.
  template <class T>
  using plain = licit::native::plain<T>;

  template <class Site>
  static void fence(Site /*site*/) {
    if constexpr (Site::entry.success != licit::order::seq_cst || Site::entry.kind == licit::operation::light_fence) {
      return;
    } else if constexpr (Site::entry.kind == licit::operation::heavy_fence) {
      machine::current().heavy_fence();
    } else {
      machine::current().full_fence();
    }
  }
  struct fences {
    template <class Site>
    void operator()(Site s) const {
      fence(s);
    }
  };
  static void relax(unsigned times) {
    machine::current().spend(times * machine::current().prices().pause, expense::pauses);
  }
  static constexpr bool asymmetric = false;
  static constexpr bool calls_compare_exchange = false;

  static std::pmr::memory_resource* memory() { return &machine::current().memory(); }

  static void invariant(int number, bool holds) {
    if (!holds) throw std::logic_error("invariant I" + std::to_string(number) + " does not hold");
  }
};

/// Where the kernel refuses membarriers: light and heavy fences are full fences.
struct simulated_full_fences : simulated {
  struct fences {
    template <class Site>
    void operator()(Site /*site*/) const {
      if constexpr (Site::entry.success == licit::order::seq_cst) machine::current().full_fence();
    }
  };
};

/// The rules for few workers, whatever their number: one searcher at most is woken, and thieves pass nobody over.
struct simulated_one_by_one : simulated {
  static constexpr auto replaced(licit::idle_set_rules usual) {
    usual.busy = usual.busy_of_many = std::size_t{1} << 16;
    return usual;
  }
  static constexpr auto replaced(licit::detail::worker_rules usual) {
    usual.passes_over_sleepers = false;
    return usual;
  }
};

/// Who waits at a join runs whatever job it finds, and looks for as long as the simulation can afford it.
struct simulated_anything : simulated_full_fences {
  static constexpr auto replaced(licit::fork_rules usual) {
    usual.only_descendants = false;
    usual.spins = 1U << 20;
    return usual;
  }
};

}  // namespace licit_simulation

#endif
