/// A must-fail mutant: one thing made wrong, and which checker catches it.
#ifndef LICIT_SUITES_MUTANT_HPP
#define LICIT_SUITES_MUTANT_HPP

#include <string_view>

#include <licit/checker/live_orders.hpp>
#include <licit/checker/site_rules.hpp>

namespace licit::suites {

using checker::change;
using checker::ghost_role;
using checker::live_orders;
using checker::mutation;
using checker::site_rule;
using checker::site_rules_for;

struct mutant {
  std::string_view name;
  mutation what;
  std::string_view relacy_blind = {};  ///< why Relacy cannot see it; empty: it must catch it
  bool cxx11_hides = false;            ///< C++11's release sequences, which later stores of the thread continue
};

inline constexpr std::string_view no_load_buffering =
    "the failure moves a read behind a later write (load buffering), which Relacy does not explore";
inline constexpr std::string_view old_release_sequences =
    "Relacy has C++11's release sequences, which a later relaxed store by the same thread does not end; C++20's are";

inline constexpr std::string_view no_asymmetric_fences =
    "Relacy knows no light and heavy fences: they are full ones there";

}  // namespace licit::suites

#endif
