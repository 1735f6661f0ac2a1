#include <stdexcept>

#include <licit/deque/chase_lev.hpp>
#include <licit/deque/run_queue.hpp>

#include "proof/structures.hpp"

namespace licit::proof {

transition_system shipped(const std::string& structure) {
  if (structure == "chase-lev") return chase_lev_system<chase_lev<item, symbolic>>();
  if (structure == "chase-lev-asymmetric") {
    return chase_lev_system<chase_lev<item, symbolic_asymmetric>>("chase-lev-asymmetric");
  }
  if (structure == "run-queue") return run_queue_system<run_queue<item, symbolic_queue>>();
  if (structure == "wake-up") return wake_up_system();
  throw std::out_of_range("licit: there is no proof of " + structure);
}

}  // namespace licit::proof
