#ifndef LICIT_MODELS_PROGRAMS_STEAL_HALF_SINGLY_HPP
#define LICIT_MODELS_PROGRAMS_STEAL_HALF_SINGLY_HPP

#include "programs/list.hpp"
#include "programs/steal_half/no_room.hpp"
#include "programs/steal_half/reclaim.hpp"
#include "programs/steal_half/robbed.hpp"
#include "programs/steal_half/twice.hpp"
#include "programs/steal_half/two_thieves.hpp"

namespace licit::models::on_steal_half {

/// An owner whose fence may be light: each claim of a theft is a steal, with its own fence.
template <class Model>
struct light_owner : Model {
  static constexpr bool asymmetric = true;
};

template <class Model>
struct reclaim_singly : reclaim<light_owner<Model>> {
  static constexpr program_info about{"half_reclaim_singly", "the owner pops down to what a thief is stealing", 2,
                                      reach::none};
};

template <class Model>
struct twice_singly : twice<light_owner<Model>> {
  static constexpr program_info about{"half_twice_singly", "two thefts of single steals, and the owner pops meanwhile",
                                      2, reach::none};
};

template <class Model>
struct no_room_singly : no_room<light_owner<Model>> {
  static constexpr program_info about{"half_no_room_singly", "single steals into a deque that is full", 2, reach::none};
};

template <class Model>
struct robbed_singly : robbed<light_owner<Model>> {
  static constexpr program_info about{"half_robbed_singly", "the thief's deque is stolen from while it is filled", 3,
                                      reach::none};
};

template <class Model>
struct two_thieves_singly : two_thieves<light_owner<Model>> {
  static constexpr program_info about{"half_two_thieves_singly", "two thieves of single steals, and the owner pops", 3,
                                      reach::none};
};

}  // namespace licit::models::on_steal_half

namespace licit::models {

/// These run on the table that an asymmetric policy chooses.
using steal_half_singly_programs =
    program_list<on_steal_half::reclaim_singly, on_steal_half::twice_singly, on_steal_half::no_room_singly,
                 on_steal_half::robbed_singly, on_steal_half::two_thieves_singly>;

}  // namespace licit::models

#endif
