/// Models whose tagged deques have one rule made wrong.
#ifndef LICIT_MODELS_PROGRAMS_TAGGED_BROKEN_RULES_HPP
#define LICIT_MODELS_PROGRAMS_TAGGED_BROKEN_RULES_HPP

#include <licit/deque/tagged_rules.hpp>

namespace licit::models::on_tagged {

/// Raising the tag changes nothing.
template <class Model>
struct untagged : Model {
  struct tagged_rules : licit::tagged_rules {
    static constexpr unsigned tag_bits = 0;
  };
};

/// The owner takes one more of the items freely.
template <class Model>
struct bold : Model {
  struct tagged_rules : licit::tagged_rules {
    static constexpr bool is_free(index t, index b, index high) { return t < b && b - t + 1 >= high - b; }
  };
};

/// The owner takes all but the last freely, as from a Chase-Lev deque.
template <class Model>
struct reckless : Model {
  struct tagged_rules : licit::tagged_rules {
    static constexpr bool is_free(index t, index b, index /*high*/) { return t < b; }
  };
};

/// The owner forgets the bottoms before the last pop.
template <class Model>
struct forgetful : Model {
  struct tagged_rules : licit::tagged_rules {
    static constexpr bool is_higher(index /*bottom*/, index /*high*/) { return true; }
  };
};

/// Thieves take one more than half.
template <class Model>
struct greedy : Model {
  struct tagged_rules : licit::tagged_rules {
    static constexpr index share(index size) { return size / 2 + 1; }
  };
};

/// Thieves publish what they have not claimed yet.
template <class Model>
struct hasty : Model {
  struct tagged_rules : licit::tagged_rules {
    static constexpr bool claims_before_it_publishes = false;
  };
};

}  // namespace licit::models::on_tagged

#endif
