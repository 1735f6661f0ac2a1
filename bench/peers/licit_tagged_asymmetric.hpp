/// licit::tagged_deque whose owner pays no fence.
#ifndef LICIT_BENCH_PEERS_LICIT_TAGGED_ASYMMETRIC_HPP
#define LICIT_BENCH_PEERS_LICIT_TAGGED_ASYMMETRIC_HPP

#include <licit/deque/asymmetric.hpp>

#include "licit_tagged.hpp"

namespace licit_bench {

using licit_tagged_asymmetric = licit_tagged_over<licit::asymmetric<licit::native>>;

}  // namespace licit_bench

#endif
