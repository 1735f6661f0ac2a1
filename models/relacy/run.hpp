/// Running a client program under Relacy.
#ifndef LICIT_MODELS_RELACY_RUN_HPP
#define LICIT_MODELS_RELACY_RUN_HPP

#include <cstddef>
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

/// A client program for Relacy, which constructs, runs and destroys it in each execution.
struct client {
  static constexpr std::size_t largest = 8192;
  static constexpr std::size_t alignment = 128;

  unsigned threads;                                  ///< two or three
  void (*construct)(void* place, const void* with);  ///< `place` is for an object of the largest size
  void (*thread)(void* object, unsigned i);
  void (*finish)(void* object);
  void (*destroy)(void* object);
  const void* with = nullptr;  ///< what it is constructed from
};

/// Runs the program as often as the settings say. Throws std::invalid_argument for another number of threads.
checker::verdict run(const client& c, const settings& s);

}  // namespace licit::models::relacy

#endif
