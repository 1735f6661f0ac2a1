/// How many random programs a test writes, and from which seed: LICIT_PROGRAMS and LICIT_SEED, or what the test says.
#ifndef LICIT_TESTS_CHECKER_ENVIRONMENT_HPP
#define LICIT_TESTS_CHECKER_ENVIRONMENT_HPP

#include <cstdint>
#include <cstdlib>

namespace licit::checker_test {

inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const said = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return said == nullptr ? otherwise : std::strtoull(said, nullptr, 10);
}

}  // namespace licit::checker_test

#endif
