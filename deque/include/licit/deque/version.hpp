/// The versions of the headers and of the linked archive.
#ifndef LICIT_DEQUE_VERSION_HPP
#define LICIT_DEQUE_VERSION_HPP

#include <string_view>

namespace licit::inline v0 {

/// The version of these headers. CMakeLists.txt reads its project version from this line.
inline constexpr std::string_view header_version = "0.1.0";

/// Any thread. The version of the linked archive. A program built with these headers should find
/// `library_version() == header_version`.
std::string_view library_version() noexcept;

/// Any thread. A digest of the algorithms, policies and ordering tables in the linked archive. Headers that carry
/// another one (`header_digest`, <licit/digest.hpp>) do not link with it.
std::string_view library_digest() noexcept;

}  // namespace licit::inline v0

#endif
