/// The worker loop with a rule of its protocol left out: each program must fail.
#ifndef LICIT_MODELS_PROGRAMS_CREW_BROKEN_HPP
#define LICIT_MODELS_PROGRAMS_CREW_BROKEN_HPP

#include "programs/crew/batch.hpp"
#include "programs/crew/blocking.hpp"
#include "programs/crew/side_by_side.hpp"
#include "programs/crew/two_tasks.hpp"
#include "programs/crew/yielded.hpp"

namespace licit::models::on_crew {

template <class Model>
struct hasty : Model {
  struct never_looks_again {};
};
template <class Model>
struct parks_without_a_look : two_tasks<hasty<Model>> {
  static constexpr program_info about{"parks_without_a_look", "the last searcher sleeps without having looked again", 2,
                                      reach::none, true};
};

template <class Model>
struct selfish : Model {
  struct passes_nothing_on {};
};
template <class Model>
struct wakes_no_other : side_by_side<selfish<Model>> {
  static constexpr program_info about{"wakes_no_other", "a searcher with work wakes nobody for the rest of it", 3,
                                      reach::none, true};
};

template <class Model>
struct silent : Model {
  struct is_silent_of_batches {};
};
template <class Model>
struct batch_not_told : batch<silent<Model>> {
  static constexpr program_info about{"batch_not_told", "what comes along from the inject queue is told to nobody", 2,
                                      reach::none, true};
};

template <class Model>
struct possessive : Model {
  struct keeps_what_is_next {};
};
template <class Model>
struct slot_left_behind : blocking<possessive<Model>> {
  static constexpr program_info about{"slot_left_behind", "a worker blocks with a task in its slot", 2, reach::none,
                                      true};
};

template <class Model>
struct quiet : Model {
  struct is_silent_of_yields {};
};
template <class Model>
struct yielded_left_behind : yielded<quiet<Model>> {
  static constexpr program_info about{"yielded_left_behind", "nobody is told of a task that yielded behind another", 2,
                                      reach::none, true};
};

}  // namespace licit::models::on_crew

#endif
