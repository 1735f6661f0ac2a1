/// How long tests are: one number by which each stress test multiplies what it does, and what the environment asks for.
#ifndef LICIT_TESTS_SUPPORT_SCALE_HPP
#define LICIT_TESTS_SUPPORT_SCALE_HPP

#include <cstdint>
#include <cstdlib>

namespace licit_test {

#if defined(LICIT_STRESS_SCALE)  // by CMake: what an emulator runs
inline constexpr std::uint64_t scale = LICIT_STRESS_SCALE;
#elif defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr std::uint64_t scale = 5;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
inline constexpr std::uint64_t scale = 5;
#else
inline constexpr std::uint64_t scale = 80;
#endif
#else
inline constexpr std::uint64_t scale = 80;
#endif

// In an emulator threads take turns, and seldom meet: what only chance shows may not be seen there.
#if defined(LICIT_EMULATED)
inline constexpr bool emulated = true;
#else
inline constexpr bool emulated = false;
#endif

/// How many random programs a test writes, and from which seed: LICIT_PROGRAMS and LICIT_SEED, or what the test says.
inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const said = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return said == nullptr ? otherwise : std::strtoull(said, nullptr, 10);
}

}  // namespace licit_test

#endif
