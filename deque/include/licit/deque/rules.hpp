/// Rules of a structure as a value that a policy may replace.
///
/// A structure writes the decisions that are not memory orders into a small type, whose defaults are the right ones:
///
///     struct steal_half_rules { bool looks_again = true; };
///     static constexpr auto rules = rules_of<steal_half_rules, Policy>();
///
/// The models replace them, to come to a limit soon or to show what breaks under another rule:
///
///     struct without_looking : Model {
///       static constexpr auto replaced(steal_half_rules r) { r.looks_again = false; return r; }
///     };
#ifndef LICIT_DEQUE_RULES_HPP
#define LICIT_DEQUE_RULES_HPP

namespace licit::inline v0 {

/// The rules under the policy: the defaults, or what its `replaced` makes of them.
template <class Rules, class Policy>
consteval auto rules_of() {
  if constexpr (requires { Policy::replaced(Rules{}); }) {
    return Policy::replaced(Rules{});
  } else {
    return Rules{};
  }
}

}  // namespace licit::inline v0

#endif
