#include <stdexcept>
#include <vector>

#include <licit/deque/chase_lev.hpp>
#include <licit/deque/run_queue.hpp>

#include "proof/structures.hpp"

namespace licit::proof {

namespace {

template <class Structure, bool words = false>
transition_system with_all_calls(const char* name, const std::vector<call>& more = {}) {
  std::vector<call> calls = other_calls_of_chase_lev<Structure>();
  calls.insert(calls.end(), more.begin(), more.end());
  return chase_lev_system<Structure, words>(name, calls);
}

/// A structure whose pops return words has the same system, and so has one whose last pop is a function of its own.
transition_system same(transition_system made, const transition_system& by_words) {
  if (text(made) != text(by_words)) throw std::logic_error("licit: a pop of words is another one");
  return made;
}

}  // namespace

transition_system shipped(const std::string& structure) {
  using deque = chase_lev<item, symbolic>;
  if (structure == "chase-lev") {
    return same(with_all_calls<deque>("chase-lev", {half_of_chase_lev()}),
                with_all_calls<chase_lev<item, symbolic_apart>, true>("chase-lev", {half_of_chase_lev()}));
  }
  if (structure == "chase-lev-asymmetric") {  // where a theft of half is several of one
    return same(with_all_calls<chase_lev<item, symbolic_asymmetric>>("chase-lev-asymmetric"),
                with_all_calls<chase_lev<item, symbolic_asymmetric_apart>, true>("chase-lev-asymmetric"));
  }
  if (structure == "run-queue") {
    using queue = run_queue<item, symbolic_queue>;
    return same(run_queue_system<queue>(), run_queue_system<queue, true>());
  }
  if (structure == "wake-up") return wake_up_system();
  throw std::out_of_range("licit: there is no proof of " + structure);
}

transition_system chase_lev_of_single_thefts() { return chase_lev_system<chase_lev<item, symbolic>>(); }

}  // namespace licit::proof
