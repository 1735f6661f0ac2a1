/// Policies that bring a tagged deque to its limits soon, and some that break its rules.
#ifndef LICIT_TESTS_SUPPORT_TAGGED_RULES_HPP
#define LICIT_TESTS_SUPPORT_TAGGED_RULES_HPP

#include <licit/deque/native.hpp>
#include <licit/deque/tagged_rules.hpp>

namespace licit_test {

/// Tags of one bit: every second change of `top` by the owner that meets no theft renews.
template <class Policy = licit::native_checked>
struct short_tags : Policy {
  static constexpr auto replaced(licit::tagged_rules r) {
    r.tag_bits = 1;
    return r;
  }
};

/// So many indices are left when the deque is made.
template <licit::detail::index Left>
struct last_indices : licit::native_checked {
  static constexpr auto replaced(licit::tagged_rules r) {
    r.first = licit::tagged_word<licit::tagged_rules{}.tag_bits>::last - Left;
    return r;
  }
};

/// A thief takes one more than half.
struct greedy : licit::native_checked {
  struct greedy_rules : licit::tagged_rules {
    static constexpr licit::detail::index share(licit::detail::index size) { return size / 2 + 1; }
  };
  static constexpr auto replaced(licit::tagged_rules /*r*/) { return greedy_rules{}; }
};

/// The owner takes all but the last item freely.
struct reckless : licit::native {
  struct reckless_rules : licit::tagged_rules {
    static constexpr licit::detail::index first_free(licit::detail::index t, licit::detail::index /*high*/) {
      return t + 1;
    }
  };
  static constexpr auto replaced(licit::tagged_rules /*r*/) { return reckless_rules{}; }
};

}  // namespace licit_test

#endif
