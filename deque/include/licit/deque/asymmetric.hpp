/// Asymmetric fences as a policy: free for the owner, dear for the thief.
///
///     licit::owner<task*, licit::asymmetric<licit::native>> mine;
///
/// A light fence is seq_cst towards heavy fences only (C++ Concurrency TS 2; P1202). Over `native` it is a compiler
/// barrier and the heavy one a membarrier, where the kernel has that; else both are full fences, which is decided at
/// run time, once for the process, and asked for by `licit::asymmetric_fences()`. Structures take their tables with
/// light and heavy fences under this policy; those are audited apart from the symmetric ones.
#ifndef LICIT_DEQUE_ASYMMETRIC_HPP
#define LICIT_DEQUE_ASYMMETRIC_HPP

#include <type_traits>

#include <licit/deque/membarrier.hpp>
#include <licit/deque/native.hpp>
#include <licit/deque/order.hpp>

namespace licit::inline v0 {

/// Held by a structure: what was chosen lies in the structure's own lines, one byte, never written again.
class chosen_fences {
 public:
  template <class Site>
  void operator()(Site site) const {
    if constexpr (Site::entry.success == order::relaxed) {
      return;
    } else if constexpr (Site::entry.kind == operation::light_fence) {
      if (full_) [[unlikely]]
        return native::full_fence();
      native::compiler_barrier();  // with the membarrier of a heavy fence
    } else if constexpr (Site::entry.kind == operation::heavy_fence) {
      full_ ? native::full_fence() : membarrier();
    } else {
      native::fence(site);
    }
  }

 private:
  bool full_ = !asymmetric_fences().asymmetric;
};

/// The policy with its tables of light and heavy fences. Over a checker's policy the fences are the checker's.
template <class Policy>
struct asymmetric_policy : Policy {
  static constexpr bool asymmetric = true;
  using fences = std::conditional_t<std::is_base_of_v<native, Policy>, chosen_fences, typename Policy::fences>;
};

template <class Policy>
using asymmetric = asymmetric_policy<Policy>;

}  // namespace licit::inline v0

#endif
