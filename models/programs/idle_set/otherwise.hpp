/// Idle sets, and callers of them, by other rules.
#ifndef LICIT_MODELS_PROGRAMS_IDLE_SET_OTHERWISE_HPP
#define LICIT_MODELS_PROGRAMS_IDLE_SET_OTHERWISE_HPP

#include <cstdint>

#include "programs/altered.hpp"
#include "programs/idle_set/found_by_one.hpp"
#include "programs/idle_set/last_searcher.hpp"
#include "programs/idle_set/one_of_two.hpp"
#include "programs/idle_set/parked_again.hpp"
#include "programs/idle_set/published.hpp"
#include "programs/idle_set/retracted.hpp"
#include "programs/idle_set/retracted_beside_others.hpp"
#include "programs/idle_set/three_counters.hpp"
#include "programs/idle_set/two_claimers.hpp"
#include "programs/idle_set/wide.hpp"

namespace licit::models::on_idle_set {

/// As the head has them.
inline constexpr std::int64_t one_parked = std::int64_t{1} << 32;
inline constexpr std::int64_t one_searching = std::int64_t{1} << 48;

template <class Model>
struct claim_counts_no_searcher : one_of_two_of<miscounting<Model, "claim.take", -one_searching>, idle_set> {
  static constexpr program_info about{"claim_counts_no_searcher", "who is woken is not counted as searching", 2,
                                      reach::none};
};

template <class Model>
struct end_counts_nothing : last_searcher<miscounting<Model, "end.count", -one_searching>> {
  static constexpr program_info about{"end_counts_nothing", "who ends its search is counted on", 2, reach::none};
};

template <class Model>
struct park_without_bit : retracted<miscounting<Model, "park.count", -1>> {
  static constexpr program_info about{"park_without_bit", "a worker parks, is counted, and has no bit", 2, reach::none};
};

template <class Model>
struct park_in_two_steps : parked_again<torn<Model, "park.count">> {
  static constexpr program_info about{"park_in_two_steps", "a worker that parks overwrites what others count", 2,
                                      reach::none};
};

template <class Model>
struct counters_apart : one_of_two_of<Model, three_counters> {
  static constexpr program_info about{"counters_apart", "three atomics instead of one word: two are woken", 2,
                                      reach::none};
};

template <class Model>
struct claim_takes_no_unit : two_claimers<wide<miscounting<Model, "claim.take", one_parked>, 2>> {
  static constexpr program_info about{"claim_takes_no_unit", "bits are taken by whom the count does not entitle", 2,
                                      reach::none};
};

template <class Model>
struct clear_in_two_steps : two_claimers<wide<torn<Model, "claim.clear">, 2>> {
  static constexpr program_info about{"clear_in_two_steps", "a bit that two claimers see is taken by both", 2,
                                      reach::none};
};

template <class Model>
struct unit_not_returned : retracted_beside_others<wide<miscounting<Model, "retract.return", -one_parked>, 2>> {
  static constexpr program_info about{"unit_not_returned",
                                      "a worker that is claimed as it retracts keeps another's unit", 3, reach::none};
};

template <class Model>
struct parked_beside_a_claim : found_by_one_of<wide<Model, 2>, false, false> {
  static constexpr program_info about{
      "parked_beside_a_claim", "a worker whose claim is on its way parks again before it is there", 3, reach::none};
};

template <class Model>
struct published_unfenced : published_by<Model, rules{.publisher_fences = false}> {
  static constexpr program_info about{"published_unfenced", "the publisher looks at the set without a fence", 2,
                                      reach::none};
};

template <class Model>
struct parked_unfenced : published_by<Model, rules{.parker_fences = false}> {
  static constexpr program_info about{"parked_unfenced", "the worker looks at the work again without a fence", 2,
                                      reach::none};
};

template <class Model>
struct parked_without_a_look : published_by<Model, rules{.looks_again = false}> {
  static constexpr program_info about{"parked_without_a_look", "the last searcher does not look again", 2, reach::none};
};

}  // namespace licit::models::on_idle_set

#endif
