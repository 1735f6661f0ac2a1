/// Running a client program under Relacy.
#ifndef LICIT_MODELS_RELACY_RUN_HPP
#define LICIT_MODELS_RELACY_RUN_HPP

#include <cstdint>
#include <functional>

#include <licit/checker/verdict.hpp>

namespace licit::models::relacy {

enum class search {
  full,    ///< every schedule and every read that Relacy's model has
  bound,   ///< those with at most `preemptions` preemptions
  random,  ///< `executions` of them
};

struct settings {
  search how = search::full;
  unsigned preemptions = 3;
  std::uint64_t executions = 100'000;                      ///< of a random search
  std::uint64_t limit = 50'000'000;                        ///< of the others: more ends in verdict `limit`
  std::function<void(std::uint64_t executions)> progress;  ///< called now and then
};

}  // namespace licit::models::relacy

#endif
