#ifndef LICIT_MODELS_STRESS_ROWS_CHASE_LEV_HPP
#define LICIT_MODELS_STRESS_ROWS_CHASE_LEV_HPP
#include "stress/row.hpp"
namespace licit::stress {
using models::change;
inline constexpr std::array chase_lev_rows{
    row{"correct code", {}, {"last_item", "two_items"}},
    row{"pop.fence acq_rel", {{"pop.fence", change::weaken, order::acq_rel}}, {"last_item", "two_items"}},
    row{"pop.reserve left out", {{"pop.reserve", change::drop}}, {"last_item"}},
    row{"growth forgets an item", {{"grow.copy", change::drop_first}}, {"growth"}},
    row{"steal.claim a blind store", {{"steal.claim", change::blind_store}}, {"two_items"}},
};
}
#endif
