/// Asymmetric fences as a policy: no fence instruction for the owner, a system call for the thief.
///
///     licit::owner<task*, licit::asymmetric<licit::native>> mine;
///
/// A light fence is seq_cst towards heavy fences only (C++ Concurrency TS 2; P1202). Over `native` the light fence is a
/// compiler barrier and the heavy one a membarrier, if the kernel has it; otherwise both are full fences. The library
/// decides that once for the process, at run time; `licit::asymmetric_fences()` returns the choice. Under this policy
/// structures use their tables with light and heavy fences, which are audited separately. deque/asymmetric.md says when
/// to use it.
#ifndef LICIT_DEQUE_ASYMMETRIC_HPP
#define LICIT_DEQUE_ASYMMETRIC_HPP

#include <type_traits>

#include <licit/deque/membarrier.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/order.hpp>

namespace licit::inline v0 {

/// A member of each structure: a copy of the choice in the structure's own cache lines, one byte, never written again.
class chosen_fences {
 public:
  /// Whether light and heavy fences are full ones. An owner asks once for many operations, and then uses `as_in_table`.
  [[nodiscard]] bool all_full() const { return full_; }

  /// Precondition: `all_full()` is false.
  template <class Site>
  static void as_in_table(Site /*site*/) {
    static_assert(Site::entry.kind == operation::light_fence);
    if constexpr (Site::entry.success != order::relaxed) {
      native::compiler_barrier();  // with the membarrier of a heavy fence
    }
  }

  template <class Site>
  void operator()(Site site) const {
    if constexpr (Site::entry.success == order::relaxed) {
      return;
    } else if constexpr (Site::entry.kind == operation::light_fence) {
      if (full_) [[unlikely]] {
        native::full_fence();
      } else {
        as_in_table(site);
      }
    } else if constexpr (Site::entry.kind == operation::heavy_fence) {
      full_ ? native::full_fence() : membarrier();
    } else {
      native::fence(site);
    }
  }

 private:
  bool full_ = !asymmetric_fences().asymmetric;
};

/// The same for a structure that may never be used. Its owner's first light fence is a full one, and asks for the
/// choice. Or nobody asks, and all fences stay full ones.
///
/// One thread at a time passes light fences, any thread heavy ones. A thread that passes a heavy fence asks for the
/// choice itself. So if the owner's fences are light, the choice is such that all heavy ones are membarriers. Until
/// then the owner's full fences order more than light ones would, whatever they are paired with.
class late_fences {
 public:
  late_fences() = default;
  /// Full fences for good, without a system call.
  static late_fences full() {
    late_fences made;
    made.choice_ = nullptr;
    made.asks_ = false;
    return made;
  }

  /// Any thread. Whether they are not `full()`.
  [[nodiscard]] bool may_be_asymmetric() const { return choice_ != nullptr; }

  // As in `chosen_fences`.
  [[nodiscard]] bool all_full() const { return full_; }
  template <class Site>
  static void as_in_table(Site site) {
    chosen_fences::as_in_table(site);
  }
  template <class Site>
  void operator()(Site site) const {
    static_assert(Site::entry.success != order::relaxed);
    if constexpr (Site::entry.kind == operation::light_fence) {
      if (full_) [[unlikely]] {
        native::full_fence();
        if (asks_) ask();
      } else {
        as_in_table(site);
      }
    } else {
      static_assert(Site::entry.kind == operation::heavy_fence);
      may_be_asymmetric() && choice_().asymmetric ? membarrier() : native::full_fence();
    }
  }

 private:
  [[gnu::noinline, gnu::cold]] void ask() const {
    asks_ = false;
    full_ = !choice_().asymmetric;
  }

  /// If the process has several copies of the library, all threads ask the one that made the structure.
  const fence_choice& (*choice_)() noexcept = &asymmetric_fences;
  mutable bool full_ = true;  ///< this and the next are the owner's
  mutable bool asks_ = true;
};

/// A policy with asymmetric fences. Over a checker's policy the fences are the checker's.
template <class Policy>
struct asymmetric_policy : Policy {
  static constexpr bool asymmetric = true;
  using fences = std::conditional_t<std::is_base_of_v<native, Policy>, chosen_fences, typename Policy::fences>;
};

template <class Policy>
using asymmetric = asymmetric_policy<Policy>;

/// The same, chosen late.
template <class Policy>
struct late_asymmetric_policy : asymmetric_policy<Policy> {
  using fences = std::conditional_t<std::is_base_of_v<native, Policy>, late_fences, typename Policy::fences>;
};

}  // namespace licit::inline v0

#endif
