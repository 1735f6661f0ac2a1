/// Policies that bring a tagged deque to its limits soon, and some that break its rules.
#ifndef LICIT_TESTS_SUPPORT_TAGGED_RULES_HPP
#define LICIT_TESTS_SUPPORT_TAGGED_RULES_HPP

#include <licit/deque/native.hpp>
#include <licit/deque/tagged_rules.hpp>

namespace licit_test {

/// Tags of one bit: every second change of `top` by the owner that meets no theft renews.
template <class Policy = licit::native_checked>
struct short_tags : Policy {
  struct tagged_rules : licit::tagged_rules {
    static constexpr unsigned tag_bits = 1;
  };
};

/// So many indices are left when the deque is made.
template <licit::index Left>
struct last_indices : licit::native_checked {
  struct tagged_rules : licit::tagged_rules {
    static constexpr licit::index first = licit::tagged_word<tag_bits>::last - Left;
  };
};

/// A thief takes one more than half.
struct greedy : licit::native_checked {
  struct tagged_rules : licit::tagged_rules {
    static constexpr licit::index share(licit::index size) { return size / 2 + 1; }
  };
};

/// The owner takes all but the last item freely.
struct reckless : licit::native {
  struct tagged_rules : licit::tagged_rules {
    static constexpr bool is_free(licit::index t, licit::index b, licit::index /*high*/) { return t < b; }
  };
};

}  // namespace licit_test

#endif
