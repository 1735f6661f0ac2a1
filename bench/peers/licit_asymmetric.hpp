/// licit::chase_lev with asymmetric fences.
#ifndef LICIT_BENCH_PEERS_LICIT_ASYMMETRIC_HPP
#define LICIT_BENCH_PEERS_LICIT_ASYMMETRIC_HPP

#include <licit/deque/asymmetric.hpp>

#include "licit_deque.hpp"

namespace licit_bench {

using licit_asymmetric = licit_deque_over<licit::asymmetric<licit::native>>;

}  // namespace licit_bench

#endif
