#include <stdexcept>
#include <vector>

#include <licit/deque/chase_lev.hpp>
#include <licit/deque/run_queue.hpp>

#include "proof/structures.hpp"

namespace licit::proof {

namespace {

template <class Structure>
transition_system with_all_calls(const char* name, const std::vector<call>& more = {}) {
  std::vector<call> calls = other_calls_of_chase_lev<Structure>();
  calls.insert(calls.end(), more.begin(), more.end());
  return chase_lev_system<Structure>(name, calls);
}

}  // namespace

transition_system shipped(const std::string& structure) {
  using deque = chase_lev<item, symbolic>;
  if (structure == "chase-lev") {
    return with_all_calls<deque>("chase-lev", {half_of_chase_lev()});
  }
  if (structure == "chase-lev-asymmetric") {  // where a theft of half is several of one
    return with_all_calls<chase_lev<item, symbolic_asymmetric>>("chase-lev-asymmetric");
  }
  if (structure == "run-queue") return run_queue_system<run_queue<item, symbolic_queue>>();
  if (structure == "wake-up") return wake_up_system();
  throw std::out_of_range("licit: there is no proof of " + structure);
}

transition_system chase_lev_of_single_thefts() { return chase_lev_system<chase_lev<item, symbolic>>(); }

}  // namespace licit::proof
