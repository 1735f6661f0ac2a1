/// Whether this is compiled with AddressSanitizer.
#ifndef LICIT_CHECKER_CORE_ASAN_HPP
#define LICIT_CHECKER_CORE_ASAN_HPP

#if defined(__SANITIZE_ADDRESS__)
#define LICIT_CHECKER_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LICIT_CHECKER_ASAN 1
#endif
#endif

namespace licit::checker::detail {

#ifdef LICIT_CHECKER_ASAN
inline constexpr bool under_asan = true;
#else
inline constexpr bool under_asan = false;
#endif

}  // namespace licit::checker::detail

#endif
