/// How long stress tests are: one number, by which each multiplies what it does.
#ifndef LICIT_TESTS_SUPPORT_SCALE_HPP
#define LICIT_TESTS_SUPPORT_SCALE_HPP

#include <cstdint>

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

}  // namespace licit_test

#endif
