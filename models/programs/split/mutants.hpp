/// Must-fail mutants of the split deque. A suite that lets one of them pass, where it should be caught, fails.
#ifndef LICIT_MODELS_PROGRAMS_SPLIT_MUTANTS_HPP
#define LICIT_MODELS_PROGRAMS_SPLIT_MUTANTS_HPP

#include <array>

#include "programs/list.hpp"
#include "programs/mutant.hpp"
#include "programs/split/asked_again.hpp"
#include "programs/split/half_returned_word.hpp"
#include "programs/split/narrow.hpp"
#include "programs/split/renumbered_later.hpp"
#include "programs/split/returned_word.hpp"

namespace licit::models {

inline constexpr std::array split_mutants{
    mutant{"room.word relaxed", {"room.word", change::weaken}, no_load_buffering},
    mutant{"grow.publish relaxed", {"grow.publish", change::weaken}, {}},
    mutant{"answer.publish relaxed", {"answer.publish", change::weaken}, {}},
    mutant{"renumber.word relaxed", {"renumber.word", change::weaken}, {}},
    mutant{"steal.word relaxed", {"steal.word", change::weaken}, {}},
    mutant{"steal.ring relaxed", {"steal.ring", change::weaken}, {}},
    mutant{"steal.claim relaxed", {"steal.claim", change::weaken}, no_load_buffering},
    mutant{"size.word relaxed", {"size.word", change::weaken}, {}},
    mutant{"steal.claim a blind store", {"steal.claim", change::blind_store}, {}},
    mutant{"reclaim.take a blind store", {"reclaim.take", change::blind_store}, {}},
    mutant{"ask.raise left out", {"ask.raise", change::drop}, {}},
    mutant{"push.bottom left out", {"push.bottom", change::drop}, {}},
    mutant{"pop.bottom left out", {"pop.bottom", change::drop}, {}},
    mutant{"renumber.bottom left out", {"renumber.bottom", change::drop}, {}},
    mutant{"growth forgets an item", {"grow.copy", change::drop_first}, {}},
    mutant{"growth publishes no ring", {"grow.publish", change::drop}, {}},
};

namespace on_split {

template <class Model>
struct without_tag : returned_word<wrapping<untagged<Model>>> {
  static constexpr program_info about{"without_tag", "the word has no tag: it returns", 2, reach::bounded};
};

template <class Model>
struct half_without_tag : half_returned_word<wrapping<untagged<Model>>> {
  static constexpr program_info about{"half_without_tag", "the word has no tag: it returns under a raid", 2,
                                      reach::bounded};
};

template <class Model>
struct tag_that_wraps : renumbered_later<wrapping<Model>> {
  static constexpr program_info about{"tag_that_wraps", "a tag of one bit goes round: the word returns", 2,
                                      reach::bounded};
};

template <class Model>
struct request_lost : asked_again<clearing_late<Model>> {
  static constexpr program_info about{"request_lost", "a request is cleared after its answer: the next may go with it",
                                      2, reach::bounded};
};

/// What thieves are not promised, shown: it is wrong of the deque as it is.
template <class Model>
struct without_the_owner : client<Model, 2> {
  static constexpr program_info about{"without_the_owner", "a thief gets a private item though the owner does nothing",
                                      2, reach::full};

  without_the_owner() : client<Model, 2>({.initial_capacity = 2}) { this->push(); }

  void thread(unsigned i) {
    if (i == 0) return;
    this->steal();
    const auto got = this->steal();
    Model::check(!got || *got == outcome::taken, "what is private stays so while the owner does nothing");
  }

  void finish() { this->settle(); }
};

}  // namespace on_split

/// Made wrong otherwise than by a row: each must be found wrong.
using split_broken_programs = program_list<on_split::without_tag, on_split::half_without_tag, on_split::tag_that_wraps,
                                           on_split::request_lost, on_split::without_the_owner>;

}  // namespace licit::models

#endif
